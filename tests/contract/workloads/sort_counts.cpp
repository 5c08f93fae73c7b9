// What the algorithms promise of their accesses, counted by the functional device: bank conflicts, coalescing, accesses
// an element.
#include <bit>

#include <catch2/catch.hpp>

#include "tests/contract/workloads/sort_runs.hpp"
#include "tests/sanitized.hpp"
#include "tests/sass_text.hpp"
#include "workloads/inputs.hpp"

using namespace sassafras;
using namespace sassafras::test;

namespace {

void check_free_of_conflicts(const std::vector<sim::KernelResult>& kernels, std::string_view prefix) {
    std::uint64_t executed = 0;
    for (const sim::KernelResult& kernel : kernels) {
        if (!is_called(kernel, prefix)) continue;
        for (const sim::SourceRow& row : kernel.source) {
            if (is_shared(row)) executed += row.inst_executed;
            CAPTURE(kernel.name, row.pc, sassafras::source_rows::sass(row));
            CHECK(row.shared_wavefronts == row.shared_wavefronts_ideal);
        }
    }
    CHECK(executed > 0);
}

/// A warp's lanes read or write neighbouring elements: at most one sector beyond what they fill, at either end.
void check_coalesced(const sim::KernelResult& kernel, std::uint64_t bytes) {
    for (const sim::SourceRow& row : kernel.source) {
        if (!is_global(row)) continue;
        CAPTURE(kernel.name, row.pc, sassafras::source_rows::sass(row), row.inst_executed, row.thread_inst_executed,
                row.global_sectors);
        CHECK(row.global_sectors <= row.thread_inst_executed * bytes / 32 + 2 * row.inst_executed);
    }
}

}  // namespace

TEST_CASE("mms, koike-sadakane, shearsort and bitonic meet no bank conflict on any input", "[release]") {
    const auto device = functional_device();
    // Pairwise: two kinds of elements for each input and fan-in, so that each fan-in sorts each kind from three inputs.
    const std::vector<Parameters> kinds{{}, {{"key_bits", 64}}, {{"values", 1}}, {{"comparator", 1}}};
    std::size_t index = 0;
    for (const std::string& input : workloads::key_input_kinds()) {
        const std::size_t number = index++;
        if (!is_tried(number)) continue;
        std::size_t kind = number;
        for (const std::int64_t K : {2, 8, 32}) {
            for (const std::size_t of : {kind % kinds.size(), (kind + 2) % kinds.size()}) {
                Parameters parameters = kinds[of];
                parameters["K"] = K;
                parameters["blocks"] = 5;
                // Ten runs of w^2: four rounds of pairs, two of eight, a part of a round of 32.
                const auto kernels = verified_sort(*device, sort_request("mms", 9973, parameters, input));
                check_free_of_conflicts(kernels, "");
            }
            ++kind;
        }
        check_free_of_conflicts(verified_sort(*device, sort_request("koike-sadakane", 9973, {}, input)), "");
        check_free_of_conflicts(
            verified_sort(*device, sort_request("koike-sadakane", 9973, {{"K", 4}, {"blocks", 5}}, input)), "");
        check_free_of_conflicts(verified_sort(*device, sort_request("shearsort", 5003, {}, input)), "shearsort");
        check_free_of_conflicts(verified_sort(*device, sort_request("shearsort", 5003, {{"key_bits", 64}}, input)),
                                "shearsort");
        check_free_of_conflicts(verified_sort(*device, sort_request("bitonic", 5003, {}, input)), "bitonic");
    }
}

TEST_CASE("cf-merge with E odd: all but the search of the merge path is free of bank conflicts on any input") {
    const auto device = functional_device();
    std::size_t index = 0;
    for (const std::string& input : workloads::key_input_kinds())
        for (const Parameters& parameters : {Parameters{{"E", 11}, {"b", 128}},
                                             {{"E", 15}, {"b", 128}},
                                             {{"E", 15}, {"b", 512}},
                                             {{"E", 17}, {"b", 256}},
                                             {{"E", 31}, {"b", 128}},
                                             {{"key_bits", 64}, {"E", 11}, {"b", 256}},
                                             {{"key_bits", 64}, {"E", 17}, {"b", 256}}}) {
            if (!is_tried(index++)) continue;
            const auto E = static_cast<std::uint64_t>(parameters.at("E"));
            const auto b = static_cast<std::uint64_t>(parameters.at("b"));
            for (const sim::KernelResult& kernel :
                 verified_sort(*device, sort_request("cf-merge", 5 * E * b + 77, parameters, input))) {
                if (!is_called(kernel, "cf_")) continue;
                const auto loops = innermost_loops(kernel);
                REQUIRE(loops.size() == 1);  // the search
                std::uint64_t gathered = 0;  // LDS outside of it
                std::uint64_t searched = 0;
                for (const sim::SourceRow& row : kernel.source) {
                    if (!is_shared(row)) continue;
                    const bool in_search = row.pc >= loops[0].first && row.pc <= loops[0].second;
                    if (in_search) {
                        CHECK(is_operation(row, "LDS"));
                        ++searched;
                        continue;
                    }
                    CAPTURE(kernel.name, row.pc, sassafras::source_rows::sass(row));
                    CHECK(row.shared_wavefronts == row.shared_wavefronts_ideal);
                    if (is_operation(row, "LDS")) ++gathered;
                }
                CHECK(searched == 2);
                CHECK(gathered >= 2 * E);  // the gather, and the tile on its way out
            }
        }
}

TEST_CASE("cf-merge with E even, which has a factor in common with the banks, does conflict") {
    const auto device = functional_device();
    std::uint64_t conflicts = 0;
    for (const sim::KernelResult& kernel :
         verified_sort(*device, sort_request("cf-merge", 10000, {{"E", 16}, {"b", 128}}))) {
        if (!is_called(kernel, "cf_merge")) continue;
        const auto loops = innermost_loops(kernel);
        REQUIRE(loops.size() == 1);
        for (const sim::SourceRow& row : kernel.source)
            if (row.pc > loops[0].second) conflicts += row.shared_wavefronts - row.shared_wavefronts_ideal;
    }
    CHECK(conflicts > 10000);
}

TEST_CASE("serial merging of random keys: reads conflict as an independent simulation says") {
    const auto device = functional_device();
    // shared/reference: 3.42 +- 0.02 wavefronts a read at E = 15 and E = 17, mean over all merges of pairs, from a
    // simulation of the access pattern alone.
    for (const auto& [E, b] : {std::pair{15, 128}, {17, 256}}) {
        std::uint64_t wavefronts = 0;
        std::uint64_t reads = 0;
        const std::uint64_t n = static_cast<std::uint64_t>(E * b) * 32;
        for (const sim::KernelResult& kernel : verified_sort(*device, sort_request("mgpu", n, {{"E", E}, {"b", b}}))) {
            if (!is_called(kernel, "mgpu_merge")) continue;
            const auto loops = innermost_loops(kernel);
            REQUIRE(loops.size() == 1);
            for (const sim::SourceRow& row : kernel.source) {
                // Between the search and the barrier before the tile is stored.
                if (!is_operation(row, "LDS") || row.pc <= loops[0].second ||
                    row.shared_wavefronts == row.shared_wavefronts_ideal)
                    continue;
                wavefronts += row.shared_wavefronts;
                reads += row.inst_executed;
            }
        }
        CHECK(static_cast<double>(wavefronts) / static_cast<double>(reads) == Approx(3.42).margin(0.05));
    }
}

TEST_CASE("mms reads and writes global memory coalesced") {
    const auto device = functional_device();
    for (const std::string& input : workloads::key_input_kinds())
        for (const auto& [elements, bytes] : {std::pair<Parameters, std::uint64_t>{{}, 4}, {{{"key_bits", 64}}, 8}}) {
            Parameters parameters = elements;
            parameters["blocks"] = 9;
            for (const sim::KernelResult& kernel :
                 verified_sort(*device, sort_request("mms", 36864, parameters, input))) {
                if (is_called(kernel, "mms_partition")) continue;
                check_coalesced(kernel, bytes);
                // Writes begin where sectors begin, too.
                for (const sim::SourceRow& row : kernel.source)
                    if (is_operation(row, "STG")) CHECK(row.global_sectors * 32 == row.thread_inst_executed * bytes);
            }
        }
}

TEST_CASE("mms: accesses an element") {
    const auto device = functional_device();
    for (const std::uint64_t K : {2U, 4U, 8U, 16U}) {
        // One round that merges K runs of w^2 by one warp, so that what builds a heap is counted, too.
        const std::uint64_t n = K * 1024;
        const std::uint64_t levels = static_cast<std::uint64_t>(std::countr_zero(K));
        const auto kernels =
            verified_sort(*device, sort_request("mms", n, {{"K", static_cast<std::int64_t>(K)}, {"blocks", 1}}));
        REQUIRE(kernels.size() == 2);
        // Thesis 7.3.1: A_g = 2 N, A_s = 4 N log w = 20 N. Here 11 phases, each of which writes and reads all; see
        // README.md.
        CHECK(accesses(kernels, "shearsort", "LDG") == n);
        CHECK(accesses(kernels, "shearsort", "STG") == n);
        CHECK(accesses(kernels, "shearsort", "LDS") == 11 * n);
        CHECK(accesses(kernels, "shearsort", "STS") == 11 * n);

        CHECK(accesses(kernels, "mms_merge", "STG") == n);
        CHECK(sectors(kernels, "mms_merge", "LDG") == n / 8);
        CHECK(sectors(kernels, "mms_merge", "STG") == n / 8);
        // Thesis 7.3.2: A_s = 4 w log K for w outputs: two nodes read and two written on each level. Beside these, each
        // level reads two last elements, each block of outputs is read once from the root and written once to a leaf.
        std::uint64_t heights = 0;  // of all inner nodes
        for (std::uint64_t level = 0; level < levels; ++level)
            heights += (std::uint64_t{1} << level) * (levels - level);
        const std::uint64_t outputs = n / 32;
        CHECK(accesses(kernels, "mms_merge", "LDS") == 32 * (outputs + 4 * levels * (outputs - 1) + 4 * heights));
        CHECK(accesses(kernels, "mms_merge", "STS") ==
              32 * ((2 * levels + 1) * (outputs - 1) + 2 * heights + 2 * K - 1));
    }
}

TEST_CASE("koike-sadakane: accesses an element") {
    const auto device = functional_device();
    for (const std::uint64_t K : {2U, 8U, 32U}) {
        const std::uint64_t n = K * 32;  // one round; of 32 runs, or fewer, a block of the base case
        const std::uint64_t levels = static_cast<std::uint64_t>(std::countr_zero(K));
        const auto kernels = verified_sort(
            *device, sort_request("koike-sadakane", n, {{"K", static_cast<std::int64_t>(K)}, {"blocks", 1}}));
        REQUIRE(kernels.size() == 2);
        CHECK(sectors(kernels, "koike_sadakane_base", "LDG") == n / 8);
        CHECK(sectors(kernels, "koike_sadakane_base", "STG") == n / 8);
        if (n == 1024) {
            // Thesis 7.2.2: 2 N log^2 w = 50 N. The network has log w (log w + 1) / 2 = 15 steps, each reads and writes
            // every key once.
            CHECK(accesses(kernels, "koike_sadakane_base", "LDS") == 16 * n);
            CHECK(accesses(kernels, "koike_sadakane_base", "STS") == 16 * n);
        }
        CHECK(sectors(kernels, "koike_sadakane_merge", "LDG") == n / 8);
        CHECK(sectors(kernels, "koike_sadakane_merge", "STG") == n / 8);
        // Thesis: 4 w log w log K for w outputs. A level sorts 4w keys in log 4w = 7 steps, each reads and writes them
        // all: 28 and 28 a lane; and moves w keys up and w within the node, having looked at two last keys.
        std::uint64_t heights = 0;
        for (std::uint64_t level = 0; level < levels; ++level)
            heights += (std::uint64_t{1} << level) * (levels - level);
        const std::uint64_t outputs = n / 32;
        const std::uint64_t merges = levels * (outputs - 1) + 2 * heights;
        const std::uint64_t refills = outputs - 1 + 2 * (2 * K - 1);
        CHECK(accesses(kernels, "koike_sadakane_merge", "LDS") ==
              32 * (outputs + (outputs - 1) + (28 + 2 + 2) * merges));
        CHECK(accesses(kernels, "koike_sadakane_merge", "STS") == 32 * (refills + (outputs - 1) + (28 + 2) * merges));
    }
}

TEST_CASE("mgpu and cf-merge: accesses an element") {
    const auto device = functional_device();
    for (const std::string variant : {"mgpu", "cf-merge"})
        for (const auto& [E, b] : {std::pair<std::uint64_t, std::uint64_t>{11, 128}, {15, 128}, {17, 256}, {31, 128}}) {
            const std::uint64_t n = 8 * E * b;
            const auto kernels = verified_sort(
                *device,
                sort_request(variant, n, {{"E", static_cast<std::int64_t>(E)}, {"b", static_cast<std::int64_t>(b)}}));
            REQUIRE(kernels.size() == 1 + 2 * 3);
            const std::string sorts = variant == "mgpu" ? "mgpu_blocksort" : "cf_blocksort";
            const std::string merges = variant == "mgpu" ? "mgpu_merge" : "cf_merge";
            // Thesis 7.1.2: A_g = 2 N for the base case and for each of the log2(N / bE) rounds.
            CHECK(accesses(kernels, sorts, "LDG") == n);
            CHECK(accesses(kernels, sorts, "STG") == n);
            CHECK(accesses(kernels, merges, "STG") == 3 * n);
            const std::uint64_t partitions = 3 * 2 * 8 * b;  // each thread reads up to two
            CHECK(accesses(kernels, merges, "LDG") >= 3 * n);
            CHECK(accesses(kernels, merges, "LDG") <= 3 * n + partitions);
            // A_s = 2 N (read, write) for each of log2 b levels in the base case. Here each element also comes in and
            // goes out through shared memory (2 reads, 2 writes), and searches and heads add up to 2 (ceil(log2 bE) +
            // 1) + 2 reads a thread and level; before a gather, a lane a warp writes a word.
            const std::uint64_t threads = n / E;
            const auto levels = static_cast<std::uint64_t>(std::countr_zero(b));
            const std::uint64_t extra = 2 * (static_cast<std::uint64_t>(std::bit_width(E * b)) + 1) + 2;
            CHECK(accesses(kernels, sorts, "STS") >= (levels + 2) * n);
            CHECK(accesses(kernels, sorts, "STS") <= (levels + 2) * n + levels * threads);
            CHECK(accesses(kernels, sorts, "LDS") >=
                  (levels + 2) * n - levels * threads);  // the last successor is not needed
            CHECK(accesses(kernels, sorts, "LDS") <= (levels + 2) * n + levels * threads * extra);
            // And 2 N for a round: here 4 N, because elements go in and out through shared memory, coalesced.
            CHECK(accesses(kernels, merges, "STS") >= 3 * 2 * n);
            CHECK(accesses(kernels, merges, "STS") <= 3 * (2 * n + threads));
            CHECK(accesses(kernels, merges, "LDS") >= 3 * (2 * n - threads));
            CHECK(accesses(kernels, merges, "LDS") <= 3 * (2 * n + threads * extra));
        }
}
