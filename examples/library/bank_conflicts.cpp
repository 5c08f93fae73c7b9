// Launches a kernel whose warp reads shared memory at a stride, on a GPU that nobody has built, and shows what the
// stride costs.
//   bank_conflicts tests/fixtures/conflicts.cubin
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <sassafras/device.hpp>
#include <sassafras/version.hpp>

namespace {

constexpr std::uint32_t threads = 32;
constexpr std::uint32_t words = 8192;  // of shared memory, word i holds i

/// Word (lane * stride) plus the one half of the words behind it: what the kernel `strided` gives each lane.
bool is_right(const std::vector<std::uint32_t>& result, std::uint32_t stride) {
    for (std::uint32_t lane = 0; lane < threads; ++lane) {
        const std::uint32_t first = lane * stride % words;
        if (result[lane] != first + (first + words / 2) % words) return false;
    }
    return true;
}

/// Cycles and conflicts of one stride, as a line.
sassafras::Result<void> show(sassafras::Device& device, const sassafras::Module& module, std::uint32_t stride) {
    const auto out = device.allocate(threads * sizeof(std::uint32_t));
    if (!out) return out.error();
    const auto done = device.launch(module, {"strided", {1}, {threads}, 0, sassafras::Arguments(*out, stride)});
    if (!done) return done.error();
    const auto result = device.read_values<std::uint32_t>(*out, threads);
    if (!result) return result.error();
    if (!is_right(*result, stride))
        return sassafras::Error{sassafras::ErrorKind::check_failed, "the result is wrong", "strided", {}};
    const auto conflicts = done->metrics.find("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum");
    std::printf("stride %2u: %6.0f cycles, %3.0f bank conflicts\n", stride, done->cycles(), conflicts.value_or(0));
    return device.free(*out);
}

sassafras::Result<void> run(const std::string& cubin) {
    // Two thirds of an H200's SMs at a lower clock. Numbers that are not given are the base's.
    const auto platform = sassafras::Platform::parse(
        R"({"name": "small", "base": "h200", "gpu": {"sm_count": 88}, "clock": {"sm_mhz": 1500}})", "the example");
    if (!platform) return platform.error();
    const auto module = sassafras::Module::load(cubin);
    if (!module) return module.error();
    auto device = sassafras::Device::make(*platform);
    if (!device) return device.error();
    std::printf("sassafras %s, platform %s: %u SMs at %.0f MHz\n", sassafras::version().c_str(),
                platform->name().c_str(), platform->sm_count(), platform->clock_hertz() / 1e6);
    for (const std::uint32_t stride : {1U, 2U, 32U})
        if (auto done = show(*device, *module, stride); !done) return done;
    return {};
}

}  // namespace

int main(int argc, char** argv) {
    const auto done = run(argc > 1 ? argv[1] : "tests/fixtures/conflicts.cubin");
    if (done) return 0;
    std::fprintf(stderr, "bank_conflicts: error: %s\n", done.error().message().c_str());
    return static_cast<int>(done.error().kind);
}
