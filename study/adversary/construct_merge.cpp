#include <algorithm>
#include <bit>
#include <memory>

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "study/adversary/constructions.hpp"
#include "workloads/merge/co_rank.hpp"
#include "workloads/merge/launch_co_rank.hpp"
#include "workloads/merge/merge.hpp"
#include "workloads/selection.hpp"

namespace sassafras::study::adversary {
namespace {

constexpr std::uint64_t most_blocks = 1U << 20U;  ///< that merge takes as a parameter

Error refuse_shape(std::string what, std::string remedy) {
    return {ErrorKind::bad_input, std::move(what), "worst or best input of merge", std::move(remedy)};
}

/// Threads of a block and the outputs of each in an iteration.
struct Shape {
    std::uint32_t b = 0;
    std::uint32_t E = 0;
};

Result<Shape> shape_of(const workloads::merge::CoRankVariant& variant, workloads::Selection& selection) {
    const std::int64_t b = selection.parameter_or("b", 128);
    const std::int64_t bytes = selection.parameter_or("S", workloads::merge::default_shared_bytes(variant, b));
    const std::uint64_t outputs = workloads::merge::outputs_of_iteration(variant, static_cast<std::uint64_t>(bytes),
                                                                         static_cast<std::uint64_t>(b));
    const auto threads = static_cast<std::uint64_t>(b);
    if (threads % (2 * warp_lanes) != 0)
        return refuse_shape(fmt::format("b = {} threads", b), "warps go in pairs: a multiple of 64");
    const std::uint64_t E = outputs / threads;
    if (bytes > workloads::merge::most_shared_bytes)
        return refuse_shape(fmt::format("S = {} bytes are more than a block can have", bytes),
                            fmt::format("at most {}", workloads::merge::most_shared_bytes));
    if (E == 0 || outputs % threads != 0 || E > SortInput::greatest_E)
        return refuse_shape(fmt::format("S = {} bytes make iterations of {} outputs", bytes, outputs),
                            fmt::format("room for 1 to {} keys a thread", SortInput::greatest_E));
    return Shape{static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(E)};
}

}  // namespace

Result<Construction> construct_merge(const workloads::WorkloadRequest& request, Goal goal) {
    auto selection = workloads::select(workloads::merge::info(), request);
    if (!selection) return selection.error();
    const workloads::merge::CoRankVariant* const variant = workloads::merge::find_co_rank_variant(selection->variant);
    if (variant == nullptr || variant->buffers == 0 || variant->printed)
        return no_construction("merge", selection->variant);
    for (const char* chosen : {"A", "blocks", "tune"})
        if (selection->parameters.count(chosen) != 0)
            return refuse_shape(fmt::format("{} is chosen by the construction", chosen), "leave it out");
    const auto shape = shape_of(*variant, *selection);
    if (!shape) return shape.error();
    // A block has one iteration, which begins in bank 0 of both buffers.
    const std::uint64_t iteration = std::uint64_t{shape->E} * shape->b;
    const std::uint64_t blocks = std::max<std::uint64_t>(1, selection->n / iteration);
    if (blocks > most_blocks)
        return refuse_shape(
            fmt::format("{} keys are {} blocks of one iteration", grouped(selection->n), grouped(blocks)),
            fmt::format("at most {} blocks: fewer keys, or more of them an iteration (S)", grouped(most_blocks)));
    const WarpMerge warp =
        goal == Goal::worst ? worst_warp_merge(shape->E, warp_lanes) : best_warp_merge(shape->E, warp_lanes);

    Construction built;
    built.count = blocks * iteration;
    built.piece = 1;
    built.variant = selection->variant;
    selection->parameters["A"] = static_cast<std::int64_t>(built.count / 2);
    selection->parameters["blocks"] = static_cast<std::int64_t>(blocks);
    built.parameters.assign(selection->parameters.begin(), selection->parameters.end());
    built.what =
        fmt::format("{} input of merge {}, {} outputs a thread and iteration, b = {}, w = {}: two lists of {} keys",
                    goal == Goal::worst ? "worst" : "best", selection->variant, shape->E, shape->b, warp_lanes,
                    grouped(built.count / 2));
    if (built.count != selection->n)
        built.what +=
            fmt::format("; {} keys in place of {}, whole iterations", grouped(built.count), grouped(selection->n));
    const std::uint64_t warps = built.count / shape->E / warp_lanes;
    const std::uint64_t greatest = greatest_accesses_anywhere(shape->E, warp_lanes) / shape->E;  // of a read
    const auto part = [&](const char* name, const ReadsAhead& reads) {
        if (reads.requests != 0)  // a thread with one output reads nothing ahead
            built.parts.push_back({name, warps * reads.requests, warps * reads.accesses,
                                   warps * reads.requests * (goal == Goal::worst ? greatest : 1)});
    };
    part("first keys of the threads' parts", reads_of_heads(warp, shape->E, warp_lanes));
    if (variant->name.ends_with("-select")) {
        part("keys behind those taken", reads_ahead(warp, shape->E, warp_lanes));
    } else if (goal == Goal::best) {
        // All threads take equally many of one list, reading ahead, and then all of the other, whose first they read
        // again; or, E being odd, all of one list.
        const std::uint64_t reads = shape->E % 2 == 1 ? shape->E : shape->E - 1;
        part("keys behind those taken, and the rest", {reads, reads});
    } else {
        part("keys behind those taken, were they selected", reads_ahead(warp, shape->E, warp_lanes));
        built.bounded = false;
    }
    built.request += "; co-rank searches and writes are not counted";
    if (!built.bounded)
        built.request += fmt::format(
            "; {} merges by branches, which split a request and move others: what it costs is not predicted, the rows "
            "are what it costs where keys are selected ({}-select)",
            selection->variant, selection->variant);
    built.make = [places = places_of_two_warps(warp.paths.front()), half = built.count / 2](
                     std::uint64_t begin, std::span<std::uint32_t> numbers) {
        const std::uint64_t of_pair = places.first.size();
        for (std::uint64_t i = begin; i < begin + numbers.size(); ++i) {
            const std::uint64_t index = i < half ? i : i - half;
            const auto& of_list = i < half ? places.first : places.second;
            numbers[i - begin] = static_cast<std::uint32_t>(index / of_pair * 2 * of_pair + of_list[index % of_pair]);
        }
    };
    return built;
}

}  // namespace sassafras::study::adversary
