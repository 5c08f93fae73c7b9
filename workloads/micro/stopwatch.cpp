#include "workloads/micro/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "workloads/cubins.hpp"
#include "workloads/load_cubin.hpp"

namespace sassafras::workloads::micro {
namespace {

constexpr std::size_t greatest_threads = std::size_t{1} << 20;
// The longest two: 64 and 32 KiB of code.
constexpr const char* evicting_kernel = "micro_straight_line_4096";
constexpr const char* other_evicting_kernel = "micro_straight_line_2048";

sim::Arguments joined(std::initializer_list<const sim::Arguments*> parts) {
    sim::Arguments all;
    for (const sim::Arguments* part : parts)
        for (const std::vector<std::byte>& value : part->values()) {
            require_invariant(value.size() == 4 || value.size() == 8, "microbenchmarks take words of 4 or 8 bytes");
            if (value.size() == 4) {
                std::array<std::byte, 4> word{};
                std::copy(value.begin(), value.end(), word.begin());
                all.add(word);
            } else {
                std::uint64_t word = 0;
                std::memcpy(&word, value.data(), sizeof(word));
                all.add(word);
            }
        }
    return all;
}

double median(std::array<double, 3> values) {
    std::sort(values.begin(), values.end());
    return values[1];
}

}  // namespace

Result<Stopwatch> Stopwatch::make(sim::Device& device) {
    const auto cubin = cubin_for(device.compute_capability(), cubins::micro(), "workloads/micro/micro.cubin");
    if (!cubin) return cubin.error();
    return make(device, *cubin);
}

Result<Stopwatch> Stopwatch::make(sim::Device& device, std::span<const std::byte> cubin) {
    const auto module = device.load_module(cubin, "workloads/micro/micro.cubin");
    if (!module) return module.error();
    auto times = DeviceBuffer<std::int64_t>::make(device, 2 * greatest_threads / lanes);
    if (!times) return times.error();
    auto sink = DeviceBuffer<std::uint32_t>::make(device, greatest_threads);
    if (!sink) return sink.error();
    return Stopwatch(device, *module, std::move(*times), std::move(*sink));
}

Result<double> Stopwatch::once(const sim::Launch& launch) {
    if (auto launched = device_->launch(launch); !launched) return launched.error();
    if (auto done = device_->synchronize(); !done) return done.error();
    const auto times = times_.read();
    if (!times) return times.error();
    const std::size_t warps_a_block = (launch.block.x + lanes - 1) / lanes;
    std::int64_t slowest = 0;
    for (std::size_t block = 0; block < launch.grid.x; ++block) {
        // Clocks of different SMs are not comparable; those of one block are.
        std::int64_t begin = INT64_MAX;
        std::int64_t end = INT64_MIN;
        for (std::size_t warp = block * warps_a_block; warp < (block + 1) * warps_a_block; ++warp) {
            begin = std::min(begin, (*times)[2 * warp]);
            end = std::max(end, (*times)[2 * warp + 1]);
        }
        slowest = std::max(slowest, end - begin);
    }
    return static_cast<double>(slowest);
}

Result<double> Stopwatch::block_cycles(const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                                       const sim::Arguments& more) {
    require_invariant(static_cast<std::size_t>(blocks) * threads <= greatest_threads,
                      "more threads than the stopwatch has room for");
    sim::Arguments first;
    first.add(times_.argument()).add(sink_.argument());
    const sim::Launch launch{module_, kernel, {blocks, 1, 1}, {threads, 1, 1}, {}, joined({&first, &more})};
    std::array<double, 3> cycles{};
    for (double& run : cycles) {
        const auto measured = once(launch);
        if (!measured) return measured.error();
        run = *measured;
    }
    return median(cycles);
}

Result<std::vector<double>> Stopwatch::warp_cycles(const std::string& kernel, std::uint32_t blocks,
                                                   std::uint32_t threads, const sim::Arguments& more) {
    require_invariant(static_cast<std::size_t>(blocks) * threads <= greatest_threads,
                      "more threads than the stopwatch has room for");
    sim::Arguments first;
    first.add(times_.argument()).add(sink_.argument());
    if (auto done = run(kernel, blocks, threads, joined({&first, &more})); !done) return done.error();
    const auto times = times_.read();
    if (!times) return times.error();
    std::vector<double> cycles(static_cast<std::size_t>(blocks) * threads / lanes);
    for (std::size_t warp = 0; warp < cycles.size(); ++warp)
        cycles[warp] = static_cast<double>((*times)[2 * warp + 1] - (*times)[2 * warp]);
    return cycles;
}

Result<double> Stopwatch::trip_cycles(const std::string& kernel, std::uint32_t threads, std::int32_t few,
                                      std::int32_t many, const sim::Arguments& more) {
    std::array<double, 2> cycles{};
    const std::array<std::int32_t, 2> trips{few, many};
    for (std::size_t i = 0; i < 2; ++i) {
        sim::Arguments first;
        first.add(trips[i]);
        const auto measured = block_cycles(kernel, 1, threads, joined({&first, &more}));
        if (!measured) return measured.error();
        cycles[i] = *measured;
    }
    return (cycles[1] - cycles[0]) / (many - few);
}

Result<double> Stopwatch::pass_cycles(const std::string& kernel, std::int32_t which) {
    constexpr std::uint32_t seed = 3;
    const std::string other = kernel == evicting_kernel ? other_evicting_kernel : evicting_kernel;
    std::array<double, 3> cycles{};
    for (double& run : cycles) {
        for (const std::string& launched : {other, kernel}) {
            sim::Arguments arguments;
            arguments.add(times_.argument()).add(sink_.argument()).add(which + 1).add(seed);
            if (auto done = device_->launch({module_, launched, {1, 1, 1}, {lanes, 1, 1}, {}, arguments}); !done)
                return done.error();
        }
        if (auto done = device_->synchronize(); !done) return done.error();
        const auto times = times_.read();
        if (!times) return times.error();
        const auto begin = 2 * static_cast<std::size_t>(which);
        run = static_cast<double>((*times)[begin + 1] - (*times)[begin]);
    }
    return median(cycles);
}

Result<double> Stopwatch::kernel_ns(const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                                    const sim::Arguments& arguments) {
    std::array<double, 3> times{};
    for (double& time : times) {
        if (auto done = run(kernel, blocks, threads, arguments); !done) return done.error();
        require_invariant(!device_->results().empty(), "a device records every launch");
        time = device_->results().back().metric("gpu__time_duration.sum"_metric);
    }
    return median(times);
}

Result<void> Stopwatch::run(const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                            const sim::Arguments& arguments, Bytes dynamic_shared) {
    const sim::Launch launch{module_, kernel, {blocks, 1, 1}, {threads, 1, 1}, dynamic_shared, arguments};
    if (auto launched = device_->launch(launch); !launched) return launched;
    return device_->synchronize();
}

}  // namespace sassafras::workloads::micro
