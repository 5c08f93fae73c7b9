// The five measurements with which B. Karsin's thesis (chapter 4) instantiates the SPT model; their kernels are in
// micro_spt.cu and micro_spt_loop.cu.
#include <algorithm>
#include <array>
#include <bit>
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
using Buffer = DeviceBuffer<std::uint32_t>;

constexpr std::size_t rows = 8;                                ///< as in micro_spt.cu and micro_spt_loop.cu
constexpr std::uint64_t most_words = std::uint64_t{1} << 31U;  ///< so that kernels count them in 32 bits

std::uint32_t count_of(const Selection& selection) { return static_cast<std::uint32_t>(selection.n); }
std::uint32_t value_of(const Selection& selection, const char* name) {
    return static_cast<std::uint32_t>(selection.parameter(name));
}
std::string compiled(const char* kernel, const Selection& selection) {
    return fmt::format("micro_spt_{}_{}", kernel, selection.parameter("M_I"));
}

/// So many words for each thread.
Result<Words> words_of(const Grid& grid, std::uint64_t each, const Selection& selection) {
    if (each * grid.all_threads() > most_words)
        return Error{ErrorKind::bad_input,
                     fmt::format("{} words for each of {} threads are too many", each, grid.all_threads()), "micro",
                     fmt::format("at most {} in all; choose a smaller n, M_o or b", most_words)};
    return make_keys(selection.input, each * grid.all_threads(), selection.seed);
}

Result<sim::ModuleId> spt_module(sim::Device& device) {
    return load_cubin(device, cubins::micro_spt(), "workloads/micro/micro_spt.cubin");
}

/// A kernel with arguments (to, from, n, more ...), launched once if there is anything to do.
Result<Words> transform(sim::Device& device, const Grid& grid, const std::string& kernel, const Words& from,
                        const Selection& selection, std::span<const std::uint32_t> more) {
    const auto module = spt_module(device);
    if (!module) return module.error();
    const auto device_from = Buffer::from(device, from);
    if (!device_from) return device_from.error();
    const auto device_to = Buffer::make(device, from.size());
    if (!device_to) return device_to.error();
    if (!from.empty()) {
        sim::Launch launch = launch_of(*module, kernel, grid);
        launch.arguments.add(device_to->argument()).add(device_from->argument()).add(count_of(selection));
        for (const std::uint32_t argument : more) launch.arguments.add(argument);
        if (auto launched = device.launch(launch); !launched) return launched.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    return device_to->read();
}

/// word -> factor * word + addend, modulo 2^32; `times` of them are one of the same kind.
struct IntegerStep {
    std::uint32_t factor;
    std::uint32_t addend;
    [[nodiscard]] IntegerStep repeated(std::uint64_t times) const {
        IntegerStep all{1, 0};
        for (std::uint64_t i = 0; i < times; ++i) all = {all.factor * factor, all.addend * factor + addend};
        return all;
    }
    [[nodiscard]] Words of(Words words) const {
        for (std::uint32_t& word : words) word = factor * word + addend;
        return words;
    }
};

IntegerStep integer_step(std::uint64_t seed) {
    Random random(seed + 1);
    const std::uint32_t factor = random.next_u32() | 1U;  // odd: no two words become one
    return {factor, random.next_u32()};
}

struct FloatStep {
    float addend;
    /// In tiles, so that the steps of different words overlap.
    [[nodiscard]] Words repeated(const Words& words, std::uint64_t times) const {
        Words after = words;
        constexpr std::size_t tile = 64;
        for (std::size_t begin = 0; begin < after.size(); begin += tile) {
            std::array<float, tile> values{};
            const std::size_t count = std::min(tile, after.size() - begin);
            for (std::size_t i = 0; i < count; ++i) values[i] = std::bit_cast<float>(after[begin + i]);
            for (std::uint64_t step = 0; step < times; ++step)
                for (float& value : values) value += addend;
            for (std::size_t i = 0; i < count; ++i) after[begin + i] = std::bit_cast<std::uint32_t>(values[i]);
        }
        return after;
    }
};

/// `Terms` of micro_spt_loop.cu: what makes 1 of 0, whatever is drawn.
std::array<std::uint32_t, 5> index_terms(Random& random) {
    const std::uint32_t first_addend = random.next_u32();
    const std::uint32_t first_flips = random.next_u32();
    const std::uint32_t second_addend = random.next_u32();
    constexpr std::uint32_t step = 1;
    const std::uint32_t second_flips = ((first_addend ^ first_flips) + second_addend) ^ step;
    return {0, first_addend, first_flips, second_addend, second_flips};
}

/// Small, so that every addition rounds.
FloatStep float_step(std::uint64_t seed) { return {Random(seed + 1).signed_unit() * 0x1p-8F}; }

}  // namespace

Result<Outcome> copy_global(sim::Device& device, Selection& selection) {
    const Grid grid = grid_of(device, selection);
    auto words = words_of(grid, selection.n, selection);
    if (!words) return words.error();
    auto copied = transform(device, grid, compiled("copy", selection), *words, selection, {});
    if (!copied) return copied.error();
    return Outcome{std::move(*copied), std::move(*words)};
}

Result<Outcome> loop_shared(sim::Device& device, Selection& selection) {
    const Grid grid = grid_of(device, selection);
    const std::uint32_t accesses = value_of(selection, "X");
    const auto words = words_of(grid, selection.n, selection);
    if (!words) return words.error();

    // One ring through all rows.
    std::array<std::uint32_t, rows> order{};
    std::iota(order.begin(), order.end(), 0U);
    Random random(selection.seed + 1);
    for (std::size_t i = rows - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    Words next(rows);
    for (std::size_t i = 0; i < rows; ++i) next[order[i]] = order[(i + 1) % rows];

    const bool indexed = selection.variant == "shared-loop-indexed";
    const auto module = indexed ? load_cubin(device, cubins::micro_spt_loop(), "workloads/micro/micro_spt_loop.cubin")
                                : spt_module(device);
    if (!module) return module.error();
    const auto from = Buffer::from(device, *words);
    if (!from) return from.error();
    const auto to = Buffer::make(device, words->size());
    if (!to) return to.error();
    const auto device_next = Buffer::from(device, next);
    if (!device_next) return device_next.error();
    const std::uint32_t row_bytes = (grid.threads + 31) / 32 * 32 * 4;
    if (selection.n != 0) {
        sim::Launch launch = launch_of(*module, compiled(indexed ? "loop" : "shared", selection), grid);
        launch.dynamic_shared = Bytes{rows * row_bytes};
        launch.arguments.add(to->argument()).add(from->argument()).add(count_of(selection)).add(accesses);
        launch.arguments.add(device_next->argument());
        if (indexed) launch.arguments.add(index_terms(random));
        if (auto launched = device.launch(launch); !launched) return launched.error();
    }
    if (auto done = device.synchronize(); !done) return done.error();
    auto result = to->read();
    if (!result) return result.error();

    std::array<std::uint32_t, rows> ends{};
    for (std::uint32_t row = 0; row < rows; ++row) {
        ends[row] = row;
        for (std::uint32_t i = 0; i < accesses; ++i) ends[row] = next[ends[row]];
    }
    Words expected;
    expected.reserve(words->size());
    for (const std::uint32_t word : *words) expected.push_back(ends[word % rows] * row_bytes);
    return Outcome{std::move(*result), std::move(expected)};
}

Result<Outcome> loop_registers(sim::Device& device, Selection& selection) {
    const Grid grid = grid_of(device, selection);
    const std::uint64_t each = selection.n * static_cast<std::uint64_t>(selection.parameter("M_I"));
    auto words = words_of(grid, each, selection);
    if (!words) return words.error();
    const std::uint32_t operations = value_of(selection, "X");
    // The kernel counts words, n M_I of them a thread, where others count n.
    Selection of_kernel = selection;
    of_kernel.n = each;
    if (selection.variant == "register-loop-fp32") {
        for (std::uint32_t& word : *words) word = 0x3f800000U | word >> 9U;  // from 1 to 2
        const FloatStep step = float_step(selection.seed);
        const std::array more{operations, 0U, std::bit_cast<std::uint32_t>(step.addend)};
        auto result = transform(device, grid, compiled("fadd", selection), *words, of_kernel, more);
        if (!result) return result.error();
        return Outcome{std::move(*result), step.repeated(*words, operations)};
    }
    const IntegerStep step = integer_step(selection.seed);
    const std::array more{operations, step.factor, step.addend};
    auto result = transform(device, grid, compiled("imad", selection), *words, of_kernel, more);
    if (!result) return result.error();
    return Outcome{std::move(*result), step.repeated(operations).of(std::move(*words))};
}

Result<Outcome> synchronise_blocks(sim::Device& device, Selection& selection) {
    const Grid grid = grid_of(device, selection);
    auto words = words_of(grid, selection.n == 0 ? 0 : 1, selection);
    if (!words) return words.error();
    const IntegerStep step = integer_step(selection.seed);
    auto result =
        transform(device, grid, "micro_spt_barriers", *words, selection, std::array{step.factor, step.addend});
    if (!result) return result.error();
    return Outcome{std::move(*result), step.repeated(selection.n).of(std::move(*words))};
}

Result<Outcome> synchronise_kernels(sim::Device& device, Selection& selection) {
    const Grid grid = grid_of(device, selection);
    auto words = words_of(grid, selection.n, selection);
    if (!words) return words.error();
    const std::uint32_t addend = Random(selection.seed + 1).next_u32() | 1U;
    const auto module = spt_module(device);
    if (!module) return module.error();
    const auto buffer = Buffer::from(device, *words);
    if (!buffer) return buffer.error();
    const auto parts = static_cast<std::uint64_t>(selection.parameter("K"));
    for (std::uint64_t part = 0; part < parts && selection.n != 0; ++part) {
        const std::uint64_t begin = selection.n * part / parts;
        const std::uint64_t end = selection.n * (part + 1) / parts;
        sim::Launch launch = launch_of(*module, compiled("add", selection), grid);
        launch.arguments.add(buffer->argument() + begin * grid.all_threads() * sizeof(std::uint32_t));
        launch.arguments.add(static_cast<std::uint32_t>(end - begin)).add(addend);
        if (auto launched = device.launch(launch); !launched) return launched.error();
        if (auto done = device.synchronize(); !done) return done.error();  // it is what is measured
    }
    if (auto done = device.synchronize(); !done) return done.error();
    auto result = buffer->read();
    if (!result) return result.error();
    for (std::uint32_t& word : *words) word += addend;
    return Outcome{std::move(*result), std::move(*words)};
}

}  // namespace sassafras::workloads::micro
