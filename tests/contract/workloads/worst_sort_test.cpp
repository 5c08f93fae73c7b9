// The worst input of the mergesort on the functional device: what the machine code's reads cost is what the host model
// counts and the construction predicts.
#include <algorithm>
#include <bit>

#include <catch2/catch.hpp>

#include "study/adversary/merge_reads.hpp"
#include "study/adversary/sort_input.hpp"
#include "tests/contract/workloads/sort_runs.hpp"
#include "tests/sanitized.hpp"
#include "workloads/inputs.hpp"

using namespace sassafras;
using namespace sassafras::test;
using namespace sassafras::study::adversary;

namespace {

/// The reads of a kernel's merges, by their order in the code: two heads, E - 1 successors (the last is not needed).
/// Each is executed by every warp once a round; so are E reads that hand the tile on, once.
MergeReads merge_reads_of(const sim::KernelResult& kernel, const SortShape& shape, std::uint64_t rounds) {
    std::vector<const sim::SourceRow*> rows;
    const std::uint64_t warps = kernel.grid.x * shape.b / shape.w * rounds;
    const auto searches = innermost_loops(kernel);
    REQUIRE(searches.size() == 1);
    for (const sim::SourceRow& row : kernel.source) {
        const bool searching = row.pc >= searches[0].first && row.pc <= searches[0].second;
        if (is_operation(row, "LDS") && !searching && row.inst_executed == warps && rows.size() < shape.E + 1)
            rows.push_back(&row);
    }
    REQUIRE(rows.size() == shape.E + 1);
    MergeReads reads;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i]->thread_inst_executed == shape.w * rows[i]->inst_executed);
        const SerialisedReads counted{rows[i]->inst_executed, rows[i]->shared_wavefronts};
        if (i < 2)
            reads.heads.add(counted);
        else
            reads.steps.push_back(counted);
    }
    return reads;
}

struct Counted {
    MergeReads block_sort;
    std::vector<MergeReads> rounds;
};

Counted count_on_device(const std::vector<std::uint32_t>& keys, const SortShape& shape) {
    const auto device = functional_device();
    workloads::WorkloadRequest request = sort_request("mgpu", keys.size(), {{"E", shape.E}, {"b", shape.b}});
    request.keys = keys;
    Counted counted;
    for (const sim::KernelResult& kernel : verified_sort(*device, request)) {
        if (is_called(kernel, "mgpu_blocksort"))
            counted.block_sort = merge_reads_of(kernel, shape, static_cast<std::uint64_t>(std::bit_width(shape.b) - 1));
        if (is_called(kernel, "mgpu_merge")) counted.rounds.push_back(merge_reads_of(kernel, shape, 1));
    }
    return counted;
}

void check_equal(const MergeReads& device, const MergeReads& model) {
    CHECK(device.heads == model.heads);
    REQUIRE(device.steps.size() + 1 == model.steps.size());
    for (std::size_t step = 0; step < device.steps.size(); ++step) {
        CAPTURE(step);
        CHECK(device.steps[step].requests == model.steps[step].requests);
        CHECK(device.steps[step].accesses == model.steps[step].accesses);
    }
}

/// Compares device and model, and returns the model's rounds.
std::vector<RoundReads> check_against_model(const std::vector<std::uint32_t>& keys, const SortShape& shape) {
    CAPTURE(keys.size(), shape.E, shape.b);
    const Counted counted = count_on_device(keys, shape);
    std::vector<std::uint32_t> sorted = keys;
    std::vector<RoundReads> model = count_merge_reads(sorted, shape);
    MergeReads in_blocks;
    std::size_t round = 0;
    for (; round < model.size() && model[round].run < shape.block_elements(); ++round)
        in_blocks.add(model[round].reads);
    if (!keys.empty()) check_equal(counted.block_sort, in_blocks);
    REQUIRE(counted.rounds.size() == model.size() - round);
    for (std::size_t i = 0; i < counted.rounds.size(); ++i) check_equal(counted.rounds[i], model[round + i].reads);
    return model;
}

}  // namespace

TEST_CASE("worst keys cost on the device what the construction predicts, in every round") {
    std::size_t index = 0;
    for (const SortShape& shape :
         {SortShape{15, 128, 32}, {15, 512, 32}, {17, 256, 32}, {11, 128, 32}, {31, 128, 32}, {16, 128, 32}}) {
        if (!is_tried(index++)) continue;
        const auto worst = SortInput::make(shape, 8 * shape.block_elements(), Goal::worst);
        REQUIRE(worst.ok());
        const auto rounds = check_against_model(worst->keys(), shape);
        const auto predicted = worst->rounds();
        REQUIRE(rounds.size() == predicted.size());
        for (std::size_t i = 0; i < rounds.size(); ++i) {
            const SerialisedReads reads = rounds[i].reads.all_steps();
            CAPTURE(shape.E, shape.b, rounds[i].run);
            CHECK(rounds[i].run == predicted[i].run);
            CHECK(reads.requests == predicted[i].steps.requests);
            CHECK(reads.accesses <= predicted[i].steps.bound);
            CHECK(reads.accesses == predicted[i].steps.accesses);
            if (rounds[i].run < shape.warp_elements()) continue;
            if (shape.E < 17)
                for (const SerialisedReads& step : rounds[i].reads.steps)
                    CHECK(step.accesses == shape.E * step.requests);
            // Figures of the literature: E a read for E < w/2, 288 a warp for E = 17, all there is for E = 16.
            const std::uint64_t warps = reads.requests / shape.E;
            if (shape.E < 17) CHECK(reads.accesses == warps * shape.E * shape.E);
            if (shape.E == 17) CHECK(reads.accesses == warps * 288);
            if (shape.E == 31) CHECK(reads.accesses == warps * 736);
        }
    }
}

TEST_CASE("the model counts what the device counts on any keys") {
    std::size_t index = 0;
    for (const SortShape& shape : {SortShape{15, 128, 32}, {17, 256, 32}, {16, 128, 32}})
        for (const char* kind : {"random", "sorted", "reverse", "few-distinct"}) {
            if (!is_tried(index++)) continue;
            const auto n = static_cast<std::uint64_t>(5 * shape.block_elements() + 77);
            const auto rounds = check_against_model(workloads::make_keys(kind, n, 3), shape);
            if (kind != std::string("sorted")) continue;
            for (const RoundReads& round : rounds) {  // E odd: no conflict; E = 16: all there can be
                CAPTURE(round.run);
                const SerialisedReads reads = round.reads.all_steps();
                CHECK(reads.accesses == reads.requests * (shape.E == 16 ? 16 : 1));
            }
        }
}

TEST_CASE("any number of keys: at least what is predicted", "[release]") {
    std::size_t index = 0;
    for (const SortShape& shape : {SortShape{15, 128, 32}, {17, 256, 32}})
        for (const std::uint64_t n : {0ULL, 1ULL, 479ULL, 480ULL, 1919ULL, 1921ULL, 5 * 1920ULL + 1000, 13000ULL}) {
            if (!is_tried(index++, 5)) continue;
            const auto worst = SortInput::make(shape, n, Goal::worst);
            REQUIRE(worst.ok());
            const auto rounds = check_against_model(worst->keys(), shape);
            const auto predicted = worst->rounds();
            REQUIRE((n == 0 || rounds.size() == predicted.size()));
            for (std::size_t i = 0; n != 0 && i < rounds.size(); ++i) {
                CAPTURE(n, shape.E, rounds[i].run);
                CHECK(rounds[i].reads.all_steps().requests == predicted[i].steps.requests);
                CHECK(rounds[i].reads.all_steps().accesses >= predicted[i].steps.accesses);
            }
        }
}

TEST_CASE("no random keys cost less than the best ones or more than the worst, in any round, for every E") {
    const auto made = [](const SortShape& shape, std::uint64_t n, Goal goal) {
        const auto input = SortInput::make(shape, n, goal);
        REQUIRE(input.ok());
        return input->keys();
    };
    std::size_t index = 0;
    // Of the device's shapes, what machine code counts is checked on the way; the other E are not compiled.
    for (const auto& [shape, compiled] : {std::pair{SortShape{4, 128, 32}, false},
                                          {{8, 128, 32}, false},
                                          {{11, 128, 32}, true},
                                          {{12, 128, 32}, false},
                                          {{15, 128, 32}, true},
                                          {{16, 128, 32}, true},
                                          {{17, 256, 32}, true},
                                          {{24, 128, 32}, false},
                                          {{31, 128, 32}, true},
                                          {{32, 128, 32}, false}}) {
        if (!is_tried(index++)) continue;
        const std::uint64_t n = 4 * shape.block_elements();
        std::vector<std::vector<RoundReads>> counted;
        for (std::vector<std::uint32_t> keys :
             {made(shape, n, Goal::best), workloads::make_keys("random", n, 5), made(shape, n, Goal::worst)})
            counted.push_back(compiled ? check_against_model(keys, shape) : count_merge_reads(keys, shape));
        for (std::size_t round = 0; round < counted[0].size(); ++round) {
            CAPTURE(shape.E, counted[0][round].run);
            const auto accesses = [&](std::size_t kind) { return counted[kind][round].reads.all_steps().accesses; };
            CHECK(accesses(0) < accesses(1));
            CHECK(accesses(1) < accesses(2));
        }
    }
}

TEST_CASE("all shared accesses of the sort: fewest on best keys, most on worst ones", "[release]") {
    std::size_t index = 0;
    for (const SortShape& shape : {SortShape{15, 128, 32}, {16, 128, 32}, {17, 256, 32}, {31, 128, 32}}) {
        if (!is_tried(index++)) continue;
        const std::uint64_t n = 8 * shape.block_elements();
        const auto wavefronts = [&](const std::vector<std::uint32_t>& keys) {
            const auto device = functional_device();
            workloads::WorkloadRequest request = sort_request("mgpu", n, {{"E", shape.E}, {"b", shape.b}});
            request.keys = keys;
            std::uint64_t all = 0;
            for (const sim::KernelResult& kernel : verified_sort(*device, request))
                for (const sim::SourceRow& row : kernel.source) all += row.shared_wavefronts;
            return all;
        };
        const auto best = SortInput::make(shape, n, Goal::best);
        const auto worst = SortInput::make(shape, n, Goal::worst);
        REQUIRE((best.ok() && worst.ok()));
        const std::uint64_t random = wavefronts(workloads::make_keys("random", n, 5));
        CAPTURE(shape.E);
        CHECK(wavefronts(best->keys()) < random);
        CHECK(random < wavefronts(worst->keys()));
    }
}
