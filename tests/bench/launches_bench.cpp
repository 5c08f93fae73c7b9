// Warp instructions a second of a workload's launches on a modelled device: what is between launch() and the end of
// synchronize(), so neither the making of inputs nor the CPU reference nor copies count.
//   bench_launches WORKLOAD VARIANT N DEVICE THREADS REPETITIONS
// Prints one line: warp instructions of a repetition, median seconds, most bytes that the program had allocated at a
// time, and the greatest resident size of this process in bytes.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include "cli/options/options.hpp"
#include "workloads/workload.hpp"

namespace {

using namespace sassafras;
using Clock = std::chrono::steady_clock;

/// Another device, with a stopwatch on its launches.
class TimedDevice final : public sim::Device {
  public:
    explicit TimedDevice(sim::Device& device) : device_(&device) {}

    [[nodiscard]] double seconds() const { return seconds_; }
    [[nodiscard]] std::uint64_t most_allocated() const { return most_allocated_; }

    [[nodiscard]] std::string name() const override { return device_->name(); }
    [[nodiscard]] std::uint32_t sm_count() const override { return device_->sm_count(); }
    [[nodiscard]] Bytes most_shared_per_block() const override { return device_->most_shared_per_block(); }
    [[nodiscard]] isa::ComputeCapability compute_capability() const override { return device_->compute_capability(); }
    Result<Address> allocate(Bytes size) override {
        auto address = device_->allocate(size);
        if (address) {
            sizes_[address->value] = size.count;
            allocated_ += size.count;
            most_allocated_ = std::max(most_allocated_, allocated_);
        }
        return address;
    }
    Result<void> free(Address address) override {
        allocated_ -= sizes_[address.value];
        sizes_.erase(address.value);
        return device_->free(address);
    }
    Result<void> copy_to_device(Address to, std::span<const std::byte> data) override {
        return device_->copy_to_device(to, data);
    }
    Result<void> copy_from_device(std::span<std::byte> to, Address from) override {
        return device_->copy_from_device(to, from);
    }
    Result<void> fill(Address to, std::byte value, Bytes size) override { return device_->fill(to, value, size); }
    Result<sim::ModuleId> load_module(std::span<const std::byte> cubin, std::string_view origin) override {
        return device_->load_module(cubin, origin);
    }
    Result<void> launch(const sim::Launch& launch) override {
        return timed([&] { return device_->launch(launch); });
    }
    Result<void> synchronize() override {
        return timed([&] { return device_->synchronize(); });
    }
    [[nodiscard]] const std::vector<sim::KernelResult>& results() const override { return device_->results(); }
    void clear_results() override { device_->clear_results(); }

  private:
    template <class Call>
    Result<void> timed(Call call) {
        const auto begin = Clock::now();
        auto done = call();
        seconds_ += std::chrono::duration<double>(Clock::now() - begin).count();
        return done;
    }

    sim::Device* device_;
    double seconds_ = 0;
    std::map<std::uint64_t, std::uint64_t> sizes_;
    std::uint64_t allocated_ = 0;
    std::uint64_t most_allocated_ = 0;
};

int fail(const std::string& why) {
    std::fprintf(stderr, "bench_launches: %s\n", why.c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 7) return fail("usage: bench_launches WORKLOAD VARIANT N DEVICE THREADS REPETITIONS");
    workloads::WorkloadRequest request;
    request.name = argv[1];
    request.variant = argv[2];
    request.n = std::strtoull(argv[3], nullptr, 10);
    cli::MeasureOptions options;
    options.device = argv[4];
    options.threads = static_cast<std::uint32_t>(std::strtoul(argv[5], nullptr, 10));
    const int repetitions = std::atoi(argv[6]);
    if (repetitions < 1) return fail("at least one repetition");

    std::vector<double> seconds;
    double instructions = 0;
    std::uint64_t most_allocated = 0;
    for (int i = 0; i < repetitions; ++i) {
        auto chosen = cli::choose_device(options);
        if (!chosen) return fail(chosen.error().message());
        TimedDevice device(*chosen->device);
        auto run = workloads::run_workload(device, request);
        if (!run) return fail(run.error().message());
        if (!run->verified) return fail("wrong result: " + run->mismatch);
        instructions = 0;
        for (const auto& result : device.results()) instructions += result.metric("smsp__inst_executed.sum"_metric);
        if (!(instructions > 0)) return fail("the device counted no instructions");
        seconds.push_back(device.seconds());
        most_allocated = std::max(most_allocated, device.most_allocated());
    }
    std::sort(seconds.begin(), seconds.end());
    const std::size_t half = seconds.size() / 2;
    const double median = seconds.size() % 2 == 1 ? seconds[half] : (seconds[half - 1] + seconds[half]) / 2;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("%.0f %.6f %llu %llu\n", instructions, median, static_cast<unsigned long long>(most_allocated),
                static_cast<unsigned long long>(usage.ru_maxrss) * 1024ULL);
    return 0;
}
