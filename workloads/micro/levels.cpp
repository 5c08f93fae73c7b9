// Pointer chases and reads at full rate, one level of memory at a time; their kernels are in micro_levels.cu.
#include <algorithm>
#include <numeric>
#include <span>

#include <fmt/format.h>

#include "core/random.hpp"
#include "workloads/cubins.hpp"
#include "workloads/device_buffer.hpp"
#include "workloads/inputs.hpp"
#include "workloads/load_cubin.hpp"
#include "workloads/micro/grid.hpp"
#include "workloads/micro/measurements.hpp"

namespace sassafras::workloads::micro {
namespace {

using Words = std::vector<std::uint32_t>;

enum Level : std::int64_t { shared = 0, l1 = 1, l2 = 2, dram = 3 };

constexpr std::int64_t level_kib = 1024;
constexpr std::int64_t level_mib = 1024 * level_kib;
constexpr std::int64_t most_bytes = std::int64_t{1} << 32U;
constexpr std::uint32_t warp_lanes = 32;    ///< of the warp that chases
constexpr std::uint64_t chased_bytes = 16;  ///< that a thread reads at once

/// DRAM is what L2 does not hold: it is reached past L1 by the same loads.
const char* path_of(std::int64_t level) { return level == shared ? "shared" : level == l1 ? "l1" : "l2"; }

Result<void> check_multiple(const Selection& selection, const char* name, std::int64_t of) {
    if (selection.parameter(name) % of == 0) return {};
    return Error{ErrorKind::bad_input, fmt::format("{} = {} is no multiple of {}", name, selection.parameter(name), of),
                 "micro " + selection.variant, "choose a multiple"};
}

Result<sim::ModuleId> levels_module(sim::Device& device) {
    return load_cubin(device, cubins::micro_levels(), "workloads/micro/micro_levels.cubin");
}

/// Places in the order in which they are visited, 0 first.
Words visiting_order(std::uint64_t places, const Selection& selection) {
    Words order(places);
    std::iota(order.begin(), order.end(), 0U);
    if (selection.input == "sorted") return order;
    Random random(selection.seed);
    for (std::uint64_t i = places - 1; i > 1; --i) std::swap(order[i], order[1 + random.below(i)]);
    return order;
}

/// Writes a ring of T, `stride` bytes from place to place: each place has `base` and the offset of the next one.
template <class T>
Result<void> write_ring(sim::Device& device, Address to, const Words& order, std::uint64_t stride, std::uint64_t base) {
    std::vector<T> ring(order.size() * stride / sizeof(T), T{0});
    for (std::size_t i = 0; i < order.size(); ++i)
        ring[order[i] * stride / sizeof(T)] = static_cast<T>(base + order[(i + 1) % order.size()] * stride);
    return device.copy_to_device(to, std::as_bytes(std::span(ring)));
}

/// The sum of the four parts of each word of 16 bytes.
Words sums_of_words(const Words& data) {
    Words sums;
    sums.reserve(data.size() / 4);
    for (std::size_t i = 0; i < data.size(); i += 4) sums.push_back(data[i] + data[i + 1] + data[i + 2] + data[i + 3]);
    return sums;
}

/// What each of the threads adds up that read round and round together.
Words sums_of_threads(const Words& words, std::uint64_t threads, std::uint64_t each) {
    Words sums;
    sums.reserve(threads);
    for (std::uint64_t thread = 0; thread < threads; ++thread) {
        std::uint32_t sum = 0;
        std::uint64_t place = thread % words.size();
        for (std::uint64_t i = 0; i < each; ++i) {
            sum += words[place];
            place = (place + threads) % words.size();
        }
        sums.push_back(sum);
    }
    return sums;
}

}  // namespace

Result<Outcome> chase_pointers(sim::Device& device, Selection& selection) {
    const std::int64_t level = selection.parameter("level");
    const std::int64_t stride = selection.parameter_or("stride", level == dram ? 2048 : 128);
    if (auto checked = check_multiple(selection, "stride", sizeof(std::uint64_t)); !checked) return checked.error();
    const auto all_different = std::min(static_cast<std::int64_t>(std::max<std::uint64_t>(selection.n, 1)) * stride,
                                        most_bytes / stride * stride);
    const std::int64_t usual = level == shared ? 16 * level_kib
                               : level == l1   ? 64 * level_kib
                               : level == l2   ? 1 * level_mib
                                               : all_different;
    const std::int64_t footprint = selection.parameter_or("footprint", std::max(usual / stride * stride, stride));
    if (auto checked = check_multiple(selection, "footprint", stride); !checked) return checked.error();
    const Words order = visiting_order(static_cast<std::uint64_t>(footprint / stride), selection);

    const auto module = levels_module(device);
    if (!module) return module.error();
    const auto result = DeviceBuffer<std::uint32_t>::make(device, selection.n == 0 ? 0 : warp_lanes);
    if (!result) return result.error();
    const auto ring =
        DeviceBuffer<std::uint64_t>::make(device, static_cast<std::size_t>(footprint) / sizeof(std::uint64_t));
    if (!ring) return ring.error();
    const auto step = static_cast<std::uint64_t>(stride);
    const auto copied = level == shared
                            ? write_ring<std::uint32_t>(device, ring->address(), order, step, 0)
                            : write_ring<std::uint64_t>(device, ring->address(), order, step, ring->argument());
    if (!copied) return copied.error();
    if (selection.n != 0) {
        sim::Launch launch = launch_of(*module, fmt::format("micro_levels_chase_{}", path_of(level)), {1, warp_lanes});
        launch.arguments.add(result->argument()).add(ring->argument()).add(static_cast<std::uint32_t>(selection.n));
        if (level == shared) {
            launch.arguments.add(static_cast<std::uint32_t>(footprint / 4));
            launch.dynamic_shared = Bytes{static_cast<std::uint64_t>(footprint)};
        }
        if (auto launched = device.launch(launch); !launched) return launched.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    auto ends = result->read();
    if (!ends) return ends.error();
    const auto end = static_cast<std::uint32_t>(order[selection.n % order.size()] * step);
    return Outcome{std::move(*ends), Words(selection.n == 0 ? 0 : warp_lanes, end)};
}

Result<Outcome> read_level(sim::Device& device, Selection& selection) {
    const Grid grid = grid_of(device, selection);
    const std::int64_t level = selection.parameter("level");
    const std::uint64_t read = grid.all_threads() * std::max<std::uint64_t>(selection.n, 1) * chased_bytes;
    const std::int64_t usual = level == shared ? 4 * level_kib
                               : level == l1   ? 64 * level_kib
                               : level == l2   ? 8 * level_mib
                                               : static_cast<std::int64_t>(std::min<std::uint64_t>(read, most_bytes));
    const std::int64_t footprint = selection.parameter_or("footprint", usual);
    if (auto checked = check_multiple(selection, "footprint", chased_bytes); !checked) return checked.error();
    const Words data = make_keys(selection.input, static_cast<std::uint64_t>(footprint) / 4, selection.seed);

    const auto module = levels_module(device);
    if (!module) return module.error();
    const auto from = DeviceBuffer<std::uint32_t>::from(device, data);
    if (!from) return from.error();
    const auto to = DeviceBuffer<std::uint32_t>::make(device, selection.n == 0 ? 0 : grid.all_threads());
    if (!to) return to.error();
    if (selection.n != 0) {
        sim::Launch launch = launch_of(
            *module, fmt::format("micro_levels_read_{}_{}", path_of(level), selection.parameter("M_I")), grid);
        launch.arguments.add(to->argument()).add(from->argument());
        launch.arguments.add(static_cast<std::uint32_t>(data.size() / 4)).add(static_cast<std::uint32_t>(selection.n));
        if (level == shared) launch.dynamic_shared = Bytes{static_cast<std::uint64_t>(footprint)};
        if (auto launched = device.launch(launch); !launched) return launched.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    auto result = to->read();
    if (!result) return result.error();
    if (selection.n == 0) return Outcome{};

    const Words words = sums_of_words(data);
    if (level == l2 || level == dram)
        return Outcome{std::move(*result), sums_of_threads(words, grid.all_threads(), selection.n)};
    const Words of_block = sums_of_threads(words, grid.threads, selection.n);
    Words expected;
    expected.reserve(grid.all_threads());
    for (std::uint32_t block = 0; block < grid.blocks; ++block)
        expected.insert(expected.end(), of_block.begin(), of_block.end());
    return Outcome{std::move(*result), std::move(expected)};
}

}  // namespace sassafras::workloads::micro
