#include <memory>

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "study/adversary/constructions.hpp"
#include "workloads/selection.hpp"
#include "workloads/sort/compiled.hpp"
#include "workloads/sort/sort.hpp"

namespace sassafras::study::adversary {

namespace {

struct Chosen {
    SortShape shape;
    bool compiled = false;
};

/// The shape that runs, or the one of E and b given if none of that is compiled.
Result<Chosen> choose_shape(workloads::Selection& selection, std::uint32_t w) {
    const auto E = selection.parameters.find("E");
    const auto b = selection.parameters.find("b");
    const bool given =
        selection.parameters.size() == 2 && E != selection.parameters.end() && b != selection.parameters.end();
    SortShape shape;
    if (given) shape = {static_cast<std::uint32_t>(E->second), static_cast<std::uint32_t>(b->second), w};
    const auto plan = workloads::sort::plan(selection);
    if (!plan) {
        if (!given || selection.variant != "mgpu") return plan.error();
        return Chosen{shape, false};
    }
    using workloads::sort::Algorithm;
    const bool serial = plan->algorithm == Algorithm::mgpu || plan->algorithm == Algorithm::mgpu_words ||
                        plan->algorithm == Algorithm::recorded;
    if (!serial || plan->order != workloads::sort::Order::u32) return no_construction("sort", selection.variant);
    return Chosen{{plan->E, plan->b, w}, w == 32};
}

}  // namespace

Result<Construction> construct_sort(const workloads::WorkloadRequest& request, Goal goal, std::uint32_t w) {
    auto selection = workloads::select(workloads::sort::info(), request);
    if (!selection) return selection.error();
    const auto chosen = choose_shape(*selection, w);
    if (!chosen) return chosen.error();
    const SortShape& shape = chosen->shape;
    auto input = SortInput::make(shape, selection->n, goal);
    if (!input) return input.error();

    Construction built;
    built.count = selection->n;
    built.piece = shape.warp_elements();
    if (chosen->compiled) built.variant = selection->variant;
    built.parameters = {{"E", shape.E}, {"b", shape.b}};
    const std::uint64_t tile = shape.block_elements();
    std::uint64_t fills = tile;
    while (fills < built.count) fills *= 2;
    built.what =
        fmt::format("{} input of pairwise mergesort, E = {}, b = {}, w = {}: {} keys, a permutation of 0, 1, ...",
                    goal == Goal::worst ? "worst" : "best", shape.E, shape.b, shape.w, grouped(built.count));
    if (fills != built.count && goal == Goal::worst)
        built.what += fmt::format("; only {} keys would fill every round", grouped(fills));
    if (fills != built.count && goal == Goal::best && shape.E % 2 == 0)
        built.what += fmt::format(
            "; only {} keys would fill every round: reads of warps that are not full are bounded, not predicted, and "
            "no proof says that random keys cost no less",
            grouped(fills));
    for (const RoundPrediction& round : input->rounds()) {
        const auto part = [&](const char* reads, const ReadCost& cost) {
            if (cost.requests != 0)  // a thread with one element reads no successor
                built.parts.push_back({fmt::format("merge of lists of {}: {}", grouped(round.run), reads),
                                       cost.requests, cost.accesses, cost.bound});
        };
        part("heads", round.heads);
        part("reads", round.successors);
    }
    built.request =
        "a request is one read by a warp, for all of its lanes: in a merge the first keys of the threads' two parts "
        "(heads), then E - 1 keys behind those taken (reads); partition searches and writes are not counted";
    built.make = [shared = std::make_shared<SortInput>(std::move(*input))](
                     std::uint64_t begin, std::span<std::uint32_t> numbers) { shared->keys(begin, numbers); };
    return built;
}

}  // namespace sassafras::study::adversary
