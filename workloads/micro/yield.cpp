// What the yield hint of the control code does: the same straight-line code with the hint in every FFMA and in none.
// nvcc has no way to ask for either, so the bit is set in a copy of the cubin.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "isa/cubin/cubin.hpp"
#include "isa/sass/instruction.hpp"
#include "workloads/cubins.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/micro/percentile.hpp"
#include "workloads/micro/probes.hpp"

namespace sassafras::workloads::micro {
namespace {

constexpr std::uint64_t stay_bit = std::uint64_t{1}
                                   << (109U - 64U);  // isa::ControlCode::stay, in the upper half of a word

/// The cubin of the microbenchmarks with the hint set (or not) in every FFMA of `kernel`.
Result<std::vector<std::byte>> with_hints(isa::ComputeCapability gpu, const std::string& kernel, bool yield) {
    constexpr const char* origin = "workloads/micro/micro.cubin";
    auto bytes = cubin_for(gpu, cubins::micro(), origin);
    if (!bytes) return bytes.error();
    std::vector<std::byte> image = std::move(*bytes);
    const auto cubin = isa::read_cubin(image, origin);
    if (!cubin) return cubin.error();
    const isa::Kernel* found = cubin->find(kernel);
    require_invariant(found != nullptr, "the embedded cubin lacks a microbenchmark");
    const std::size_t size = found->code.size() * sizeof(isa::Word128);
    std::vector<std::byte> code(size);
    std::memcpy(code.data(), found->code.data(), size);
    const auto place = std::search(image.begin(), image.end(), code.begin(), code.end());
    require_invariant(place != image.end(), "a kernel without relocations is in its cubin as it is");
    for (std::size_t i = 0; i < found->code.size(); ++i) {
        isa::Word128 word = found->code[i];
        const auto decoded = isa::decode(word, found->architecture);
        if (!decoded || decoded->opcode != isa::Opcode::FFMA) continue;
        word.high = yield ? word.high & ~stay_bit : word.high | stay_bit;
        std::memcpy(&*place + i * sizeof(word), &word, sizeof(word));
    }
    return image;
}

}  // namespace

void measure_yield(Collector& rows) {
    constexpr std::uint32_t warps = 16;
    constexpr int operations = 128;
    const std::string kernel = fmt::format("micro_issue_order_{}", operations);
    for (const bool yield : {false, true}) {
        const std::string name = "issue order ffma";
        const std::string parameter =
            fmt::format("operations={} warps={} yield={}", operations, warps, yield ? "always" : "never");
        if (!rows.wants(name, parameter)) continue;
        const auto image = with_hints(rows.device().compute_capability(), kernel, yield);
        if (!image) return rows.fail(image.error());
        auto stopwatch = Stopwatch::make(rows.device(), *image);
        if (!stopwatch) return rows.fail(stopwatch.error());
        std::vector<double> runs;
        for (int run = 0; run < 3; ++run) {
            const auto cycles = stopwatch->warp_cycles(kernel, 1, warps * lanes, words({3}));
            if (!cycles) return rows.fail(cycles.error());
            runs.push_back(mean(*cycles) / operations);
        }
        rows.add(name, parameter, percentile(runs, 50), "cycles/ffma of one warp");
    }
}

}  // namespace sassafras::workloads::micro
