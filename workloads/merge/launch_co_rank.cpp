#include "workloads/merge/launch_co_rank.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/number_text.hpp"

namespace sassafras::workloads::merge {
namespace {

/// The thesis' tuning parameters (section 6.1.2).
struct Shape {
    std::int64_t blocks = 0;
    std::int64_t threads = 0;
    std::int64_t shared_bytes = 0;  ///< 0 if the variant stages nothing
};

/// Candidates: the thesis', and larger ones for GPUs with more SMs and more shared memory.
constexpr std::int64_t candidate_blocks[] = {1, 4, 16, 64, 256, 512, 1024, 2048};
constexpr std::int64_t candidate_threads[] = {128, 256, 512};
constexpr std::int64_t candidate_shared_bytes[] = {1024, 2048, 2560, 12288, 27648, 54272};

constexpr std::int64_t keys_a_thread =
    17;  ///< odd, so that threads that write their outputs side by side do so without bank conflict

/// Threads enough for what is resident at a time on every SM of today's GPUs, but no block without an iteration's work.
std::int64_t default_blocks(const sim::Device& device, const CoRankVariant& variant, std::uint64_t n,
                            std::uint64_t outputs, std::int64_t threads) {
    constexpr std::int64_t resident_threads = 2048;
    const auto work_of_block =
        static_cast<std::uint64_t>(variant.buffers == 0 ? keys_a_thread * threads : static_cast<std::int64_t>(outputs));
    const auto with_work = static_cast<std::int64_t>((n + work_of_block - 1) / work_of_block);
    const std::int64_t resident = std::max<std::int64_t>(1, resident_threads / threads) * device.sm_count();
    return std::max<std::int64_t>(1, variant.buffers == 0 ? with_work : std::min(with_work, resident));
}

Result<void> launch_once(sim::Device& device, const sim::Launch& launch, const CoRankVariant& variant,
                         const Shape& shape) {
    const auto threads = static_cast<std::uint64_t>(shape.threads);
    const std::uint64_t outputs =
        outputs_of_iteration(variant, static_cast<std::uint64_t>(shape.shared_bytes), threads);
    sim::Launch shaped = launch;
    shaped.grid = {static_cast<std::uint32_t>(shape.blocks), 1, 1};
    shaped.block = {static_cast<std::uint32_t>(shape.threads), 1, 1};
    const std::uint64_t handed_on = variant.half ? threads * sizeof(std::uint32_t) : 0;
    shaped.dynamic_shared = Bytes{variant.buffers == 0 ? handed_on : static_cast<std::uint64_t>(shape.shared_bytes)};
    shaped.arguments.add(static_cast<std::int32_t>(outputs));
    return device.launch(shaped);
}

template <std::size_t count>
std::vector<std::int64_t> candidates(const Selection& selection, const char* name, const std::int64_t (&all)[count]) {
    if (const auto given = selection.parameters.find(name); given != selection.parameters.end()) return {given->second};
    return {std::begin(all), std::end(all)};
}

/// What the last launch cost, in whatever the device can say.
struct Cost {
    double value = 0;
    const char* unit = "";
};
Cost cost_of_last(const sim::Device& device) {
    const sim::KernelResult& last = device.results().back();
    const double time = last.metric("gpu__time_duration.sum"_metric);
    return time > 0 ? Cost{time, "ns"} : Cost{last.metric("smsp__inst_executed.sum"_metric), "warp instructions"};
}

/// What there is to try: the candidates, but for those without room for a key and those that the GPU cannot hold.
std::vector<Shape> shapes_to_try(const sim::Device& device, const CoRankVariant& variant, const Selection& selection) {
    std::vector<std::int64_t> shared{0};
    if (variant.buffers != 0) shared = candidates(selection, "S", candidate_shared_bytes);
    std::vector<Shape> shapes;
    for (const std::int64_t threads : candidates(selection, "b", candidate_threads))
        for (const std::int64_t bytes : shared) {
            if (variant.buffers != 0 && outputs_of_iteration(variant, static_cast<std::uint64_t>(bytes),
                                                             static_cast<std::uint64_t>(threads)) == 0)
                continue;
            if (static_cast<std::uint64_t>(bytes) > device.most_shared_per_block().count) continue;
            for (const std::int64_t blocks : candidates(selection, "blocks", candidate_blocks))
                shapes.push_back({blocks, threads, bytes});
        }
    return shapes;
}

std::string text_of(const Shape& shape) {
    std::string text = fmt::format("blocks {}, b {}", shape.blocks, shape.threads);
    if (shape.shared_bytes != 0) text += fmt::format(", S {}", shape.shared_bytes);
    return text;
}

Result<Shape> tuned(sim::Device& device, const sim::Launch& launch, const CoRankVariant& variant,
                    const Selection& selection, const std::function<void(const TuneProgress&)>& tuning) {
    const std::vector<Shape> shapes = shapes_to_try(device, variant, selection);
    if (shapes.empty())
        return Error{ErrorKind::bad_input, "no combination of b and S leaves room for a key and fits a block", "merge",
                     "give more S, or fewer threads"};
    Shape best;
    double least = 0;
    TuneProgress progress{0, shapes.size(), {}, {}};
    const auto tell = [&](std::string trying) {
        progress.trying = std::move(trying);
        if (tuning) tuning(progress);
    };
    for (const Shape& shape : shapes) {
        tell(text_of(shape));
        // A GPU's first launch also loads the kernel.
        for (int time = progress.tried == 0 ? 0 : 1; time < 2; ++time) {
            if (auto launched = launch_once(device, launch, variant, shape); !launched) return launched.error();
            if (auto done = device.synchronize(); !done) return done.error();
        }
        const Cost cost = cost_of_last(device);
        if (progress.tried++ != 0 && cost.value >= least) continue;
        best = shape;
        least = cost.value;
        progress.best =
            fmt::format("{}: {} {}", text_of(shape), grouped(static_cast<std::uint64_t>(cost.value)), cost.unit);
    }
    tell({});
    return best;
}

Result<Shape> chosen(const sim::Device& device, const CoRankVariant& variant, const Selection& selection) {
    const auto given = [&](const char* name) -> std::optional<std::int64_t> {
        const auto found = selection.parameters.find(name);
        if (found == selection.parameters.end()) return std::nullopt;
        return found->second;
    };
    Shape shape;
    shape.threads = given("b").value_or(128);
    std::uint64_t outputs = 0;
    if (variant.buffers != 0) {
        shape.shared_bytes = given("S").value_or(default_shared_bytes(variant, shape.threads));
        outputs = outputs_of_iteration(variant, static_cast<std::uint64_t>(shape.shared_bytes),
                                       static_cast<std::uint64_t>(shape.threads));
        if (outputs == 0)
            return Error{ErrorKind::bad_input, fmt::format("S = {} bytes leave no room for a key", shape.shared_bytes),
                         "merge",
                         fmt::format("{} with b = {} needs at least {}", variant.name, shape.threads,
                                     4 * (variant.buffers + (variant.half ? shape.threads : 1)))};
    }
    shape.blocks = given("blocks").value_or(default_blocks(device, variant, selection.n, outputs, shape.threads));
    return shape;
}

}  // namespace

std::int64_t default_shared_bytes(const CoRankVariant& variant, std::int64_t threads) {
    const auto bytes = [&](std::int64_t keys) {
        const std::int64_t words = keys * threads * variant.buffers + (variant.half ? threads : 1);
        return words * static_cast<std::int64_t>(sizeof(std::uint32_t));
    };
    std::int64_t keys = keys_a_thread;
    while (keys > 1 && bytes(keys) > most_shared_bytes) keys -= 2;
    return bytes(keys);
}

Result<void> launch_by_co_ranks(sim::Device& device, const sim::Launch& launch, const CoRankVariant& variant,
                                Selection& selection, const std::function<void(const TuneProgress&)>& tuning) {
    const bool tune = selection.parameter_or("tune", 0) != 0 && selection.n != 0;
    const auto shape = tune ? tuned(device, launch, variant, selection, tuning) : chosen(device, variant, selection);
    if (!shape) return shape.error();
    selection.parameters["blocks"] = shape->blocks;
    selection.parameters["b"] = shape->threads;
    if (variant.buffers != 0) selection.parameters["S"] = shape->shared_bytes;
    if (selection.n == 0) return {};
    return launch_once(device, launch, variant, *shape);
}

}  // namespace sassafras::workloads::merge
