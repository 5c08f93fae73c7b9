// Counts of the formulas beside values worked by hand from the text of Karsin's thesis. P, M and R are chosen so that
// quotients are short: P = 1024 cores, M = 64 Ki words, R = 512 Ki words.
#include <catch2/catch.hpp>

#include "validate/models/spt/formulas.hpp"
#include "validate/models/spt/logarithms.hpp"

using namespace sassafras::validate::spt;

namespace {

Instance machine() {
    Instance instance = built_in_instances()[0];
    instance.cores = 1024;
    instance.shared_words = 65536;
    instance.register_words = 524288;
    instance.threads_per_core = 16;
    return instance;
}

double count(const Algorithm& algorithm, const std::string& symbol, const std::string& part = "") {
    double sum = 0;
    for (const Kernel& kernel : algorithm.kernels)
        for (const OperationCount& operation : kernel.operations)
            if (operation.symbol == symbol && (part.empty() || operation.part == part)) sum += operation.count;
    return sum;
}

double ilp(const Algorithm& algorithm, const std::string& symbol) {
    for (const OperationCount& operation : algorithm.kernels.at(0).operations)
        if (operation.symbol == symbol) return operation.ilp;
    return 0;
}

}  // namespace

TEST_CASE("logarithms are rounded up exactly") {
    CHECK(ceil_log2(1) == 0);
    CHECK(ceil_log2(1024) == 10);
    CHECK(ceil_log2(1025) == 11);
    CHECK(ceil_log(8, 512) == 3);
    CHECK(ceil_log(3, 243) == 5);  // log(243) / log(3) is above 5 in floating point
    CHECK(ceil_log(3, 244) == 6);
    CHECK(ceil_log2(0.5) == 0);
}

TEST_CASE("MAGMA's GEMM (5.2)") {
    // n = m = k = 1024, N_TB = 128, lambda = 16, b = 256; nmk / P = 2^20
    const Algorithm gemm = magma_gemm(machine(), {1024, 1024, 1024}, {128, 16, 256}, true);
    CHECK(count(gemm, "g") == 2 * 1048576.0 / 128 + 1024);
    CHECK(count(gemm, "s") == 4 * 1048576.0 / 128);
    CHECK(count(gemm, "r") == 1048576);
    CHECK(count(gemm, "y") == 8);  // 2 * 2^20 / (128^2 * 16)
    // M_o = R b / (P (2 N_TB lambda + N_TB^2)) = 2^17 / 20480; M_I = 2 N_TB lambda / b = 16
    CHECK(gemm.kernels[0].oversubscription == Approx(6.4));
    CHECK(ilp(gemm, "g") == 16);
    CHECK(ilp(gemm, "s") == 16);
    CHECK(ilp(gemm, "r") == 1);
    // M as printed: 2 R lambda / (P (2 lambda + N_TB)) = 16384 / 160
    CHECK(gemm.kernels[0].oversubscription * ilp(gemm, "g") == Approx(102.4));
    CHECK(gemm.kernels.size() == 1);
    CHECK(gemm.kernels[0].launches == 1);
}

TEST_CASE("registers beyond 255 count as shared memory (5.3.2)") {
    // N_TB = 256: (65536 + 8192) / 256 = 288 registers, 33 of them in local memory
    const Matrices size{1024, 1024, 1024};
    CHECK(count(magma_gemm(machine(), size, {256, 16, 256}, true), "s", "local memory") ==
          Approx(1048576.0 * 33 / 288));
    CHECK(count(magma_gemm(machine(), size, {256, 16, 256}, false), "s", "local memory") == 0);
    CHECK(count(magma_gemm(machine(), size, {224, 16, 256}, true), "s", "local memory") == 0);  // 224 registers
}

TEST_CASE("searches in global memory (6.1)") {
    const Searches size{1 << 28, 1 << 20, 512};  // Q / P = 1024
    // ceil(log 2^28 / 32) + 1 = 24 steps, w = 32 blocks each
    CHECK(count(sorted_search(machine(), size), "g") == 1024.0 * 32 * 24);
    CHECK(ilp(sorted_search(machine(), size), "g") == 32);
    // M_TB = 2^14: 14 levels in shared memory, 14 below (A_g has one more than T_g); M / P = 64
    CHECK(count(bst_search(machine(), size, 16384, Reading::printed), "g") == 64 + 1024.0 * 32 * 14);
    CHECK(count(bst_search(machine(), size, 16384, Reading::reconstructed), "g") == 64 + 1024.0 * 32 * 15);
    CHECK(count(bst_search(machine(), size, 16384, Reading::printed), "s") == 64 + 1024.0 * 14);
    // log_33 2^14 = 2.78: 3 nodes; log_33 2^28 * 5 = 27.75: 28 steps
    CHECK(count(btree_search(machine(), size, 16384, Reading::printed), "g") == 64 + 1024.0 * 32 * 3);
    CHECK(count(btree_search(machine(), size, 16384, Reading::printed), "s") == 64 + 1024.0 * 28);
    // M b / (M_TB P) = 65536 * 512 / (16384 * 1024)
    CHECK(bst_search(machine(), size, 16384, Reading::printed).kernels[0].oversubscription == 2);
}

TEST_CASE("searches in shared memory (6.2)") {
    const Searches size{4096, 1 << 20, 256};  // Q / P = 1024
    CHECK(count(pbs(machine(), size, 1, Reading::printed), "s") == 1024 * 12);
    CHECK(count(pbs(machine(), size, 8, Reading::printed), "s") == 1024 * 12 * 8);
    CHECK(count(pbs_conflict_free(machine(), size, Reading::reconstructed), "s") == 1024 * (7 + 32));
    CHECK(count(pbs_conflict_limited(machine(), size, 1, Reading::printed), "s") == 1024 * 12);
    // the worst second stage takes w - 1 accesses (6.2.3): as many as stage 2 of PBS-CF, less one
    CHECK(count(pbs_conflict_limited(machine(), size, 31.0 / 5, Reading::printed), "s") == Approx(1024 * (7 + 31)));
    CHECK(count(pbs(machine(), size, 1, Reading::printed), "g") == 1024);
    CHECK(pbs(machine(), size, 1, Reading::printed).kernels[0].oversubscription ==
          4);  // M t / (N P) = 65536 * 256 / 2^22
}

TEST_CASE(
    "M_o of searches in shared memory is as printed, and only reconstructed at most what the hardware holds (6)") {
    // ALGOPARC, N = 1000, Q = 10^6, b = 256. M_o = M t / (N P) = 319488 * 256 / (1000 * 1664) = 49.152; t_s =
    // max(1 / 0.233, 85.84 / 49.152) = 4.292; T_s = 10^6 / 1664 * log2 1000 * t_s = 600.96 * 9.9658 * 4.2918 = 25,704
    const Instance& algoparc = built_in_instances()[0];
    REQUIRE(algoparc.name == "algoparc");
    const Searches size{1000, 1e6, 256};
    const auto printed = estimate(pbs(algoparc, size, 1, Reading::printed), algoparc);
    REQUIRE(printed.ok());
    CHECK(printed->terms.back().oversubscription == Approx(49.152));
    CHECK(printed->terms.back().operation_cycles == Approx(4.292).epsilon(1e-3));
    CHECK(printed->operation_cycles("s") == Approx(25705).epsilon(1e-4));
    // An SM of 128 cores holds 2,048 threads, 16 a core: 85.84 / 16 = 5.365; T_s = 600.96 * 9.9658 * 5.365 = 32,131
    const auto reconstructed = estimate(pbs(algoparc, size, 1, Reading::reconstructed), algoparc);
    REQUIRE(reconstructed.ok());
    CHECK(reconstructed->terms.back().oversubscription == 16);
    CHECK(reconstructed->terms.back().operation_cycles == Approx(5.365));
    CHECK(reconstructed->operation_cycles("s") == Approx(32131).epsilon(1e-4));
    // the five formulas of 6.1.2, 6.1.3 and 6.2 have the same M_o; of 1,000 words of a tree here
    const auto oversubscription = [&](Reading reading) {
        return std::vector<double>{
            bst_search(algoparc, {1 << 20, 1e6, 256}, 1000, reading).kernels[0].oversubscription,
            btree_search(algoparc, {1 << 20, 1e6, 256}, 1000, reading).kernels[0].oversubscription,
            pbs_conflict_free(algoparc, size, reading).kernels[0].oversubscription,
            pbs_conflict_limited(algoparc, size, 1, reading).kernels[0].oversubscription};
    };
    for (const double value : oversubscription(Reading::printed)) CHECK(value == Approx(49.152));
    for (const double value : oversubscription(Reading::reconstructed)) CHECK(value == 16);
}

TEST_CASE("PBS-CF as printed has L_g where L_s belongs (6.2.2)") {
    const Instance instance = machine();
    const Searches size{4096, 1 << 20, 64};  // M_o = 1: bound by latency
    const auto term = [&](Reading reading) {
        const auto result = estimate(pbs_conflict_free(instance, size, reading), instance);
        REQUIRE(result.ok());
        return result->terms.back();
    };
    CHECK(term(Reading::printed).operation_cycles == Approx(instance.find("g")->latency_cycles));
    CHECK(term(Reading::reconstructed).operation_cycles == Approx(instance.find("s")->latency_cycles));
}

TEST_CASE("beta of PBS on its worst queries") {
    CHECK(worst_pbs_beta(4096, 32) == Approx((32 * 7 + 5) / 12.0));  // w^2 divides N: w ways but for log w = 5 steps
    const double steps = std::log2(3000.0);
    const double bad = std::log2(3000.0 / 1024);
    CHECK(worst_pbs_beta(3000, 32) == Approx((32 * bad + steps - bad) / steps));
    CHECK(worst_pbs_beta(16, 32) == 1);
}

TEST_CASE("ModernGPU's mergesort (7.1.3)") {
    // N = 2^20, E = 16, b = 128: bE = 2^11, 9 rounds, 2 N / P = 2048
    const PairwiseSort sort{1 << 20, 16, 128, 3.1, 2.2};
    const Algorithm printed = mgpu_mergesort(machine(), sort, Reading::printed);
    CHECK(printed.kernels[0].launches == 10);
    CHECK(count(printed, "g", "merge") == 2048 * 10);
    // w (9^2 - 31) / (4 bE) = 32 * 50 / 8192
    CHECK(count(printed, "g", "partition") == Approx(2048 * 1600.0 / 8192));
    CHECK(count(printed, "s", "search") == Approx(2048 * 3.1 * 11 / 16));
    CHECK(count(printed, "s", "merge") == Approx(2048 * 2.2 * 16));  // ceil(log N / E) = 16
    CHECK(count(printed, "r") == 3 * 1024.0 * 16 / 2);
    CHECK(count(printed, "y") == 1024 * 10);
    CHECK(printed.kernels[0].oversubscription == 4);  // M / (P E)
    CHECK(ilp(printed, "g") == 2);
    const Algorithm other = mgpu_mergesort(machine(), sort, Reading::reconstructed);
    CHECK(other.kernels[0].oversubscription == 16);
    CHECK(count(other, "y") == 2 * 1024.0 / 16 * 10);
    CHECK(count(other, "s") == count(printed, "s"));
}

TEST_CASE("Koike and Sadakane's mergesort (7.2)") {
    // N = 2^20, K = 8: log_8 2^15 = 5 rounds; N / P = 1024
    const Algorithm printed = koike_sadakane_mergesort(machine(), {1 << 20, 8}, Reading::printed);
    CHECK(printed.kernels[0].launches == 6);
    CHECK(count(printed, "g") == 2048 * 6);
    // 4 N / P (log w ceil(log N) + log^2 w / 2)
    CHECK(count(printed, "s") == 4096 * (5 * 20 + 12.5));
    CHECK(printed.kernels[0].oversubscription == Approx(64.0 / 30));  // M / (4 K P - 2 P)
    // 4 N / P log w ceil(log K) rounds + 2 N / P log^2 w
    const Algorithm summed = koike_sadakane_mergesort(machine(), {1 << 20, 8}, Reading::reconstructed);
    CHECK(count(summed, "s") == 4096 * 5 * 3 * 5 + 2048 * 25);
}

TEST_CASE("GPU-MMS (7.3)") {
    // N = 2^19, K = 8: log_8 2^9 = 3 rounds; N / P = 512
    const Algorithm printed = gpu_mms(machine(), {1 << 19, 8}, Reading::printed);
    CHECK(printed.kernels[0].launches == 4);
    CHECK(count(printed, "g") == 1024 * 4);
    CHECK(count(printed, "s") == 2048 * 14);  // 4 N / P ceil(log N / w)
    CHECK(count(printed, "r") ==
          Approx(6 * 512 * (9 * 5 + 125.0 / 3)));  // 6 N / P (ceil(log N / w^2) log w + log^3 w / 3)
    CHECK(count(printed, "y") == 0);
    CHECK(ilp(printed, "s") == 3);
    CHECK(ilp(printed, "g") == 1);
    CHECK(printed.kernels[0].oversubscription == Approx(64.0 / 15));  // M / (2 K P - P)
    // where K^rounds = N / w^2 both readings are one
    CHECK(count(gpu_mms(machine(), {1 << 19, 8}, Reading::reconstructed), "s") == count(printed, "s"));
    CHECK(count(gpu_mms(machine(), {1 << 20, 8}, Reading::reconstructed), "s") == 4096 * (5 + 12));
}

TEST_CASE("merges, prefix sums and the stencil, counted by the same method") {
    // E = 8, n = 2^20: 2 searches of 2 * 19 reads a thread, 9 blocks a warp each; n / P = 1024
    const Algorithm merge = co_rank_merge(machine(), {1 << 20, 8, 128, 0, 0, false, 1});
    CHECK(count(merge, "g", "search") == 1024.0 / 8 * 2 * 38 * 9);
    CHECK(count(merge, "g", "merge") == 2048);
    const MergeByCoRanks one{1 << 20, 16, 128, 64, 1, false, 1};
    const MergeByCoRanks half{1 << 20, 16, 128, 64, 1, true, 1};
    const MergeByCoRanks two{1 << 20, 16, 128, 64, 2, false, 1};
    CHECK(count(co_rank_merge(machine(), one), "g", "load and store") == 3 * 1024);
    CHECK(count(co_rank_merge(machine(), two), "g", "load and store") == 2 * 1024);
    CHECK(count(co_rank_merge(machine(), one), "s", "search") == 1024.0 / 16 * 2 * 2 * 11);
    CHECK(count(co_rank_merge(machine(), half), "s", "search") == 1024.0 / 16 * 1 * 2 * 11);
    // three phases: 3 words a word in global memory, 7 in shared memory (workloads/scan/README.md)
    const Algorithm phases = prefix_sums(machine(), ScanKind::three_phase, 1 << 20, 32);
    CHECK(count(phases, "g") == 3 * 1024);
    CHECK(count(phases, "s") == 7 * 1024);
    CHECK(phases.kernels[0].launches == 3);
    // one tile of 2b = 64 words: 6 strides of 7 accesses, a warp each; unpadded conflicts 2, 4, 8, 4, 2, 1
    const Algorithm padded = prefix_sums(machine(), ScanKind::padded, 64, 32);
    CHECK(count(padded, "s", "sweeps") == Approx(7 * 6 * 32 / 1024.0));
    CHECK(count(prefix_sums(machine(), ScanKind::unpadded, 64, 32), "s", "sweeps") == Approx(7 * 21 * 32 / 1024.0));
    CHECK(padded.kernels[0].launches == 1);
    CHECK(prefix_sums(machine(), ScanKind::padded, 4096, 32).kernels[0].launches == 3);
    // base: 7 reads, of which the two along x straddle blocks, and a write
    CHECK(count(stencil(machine(), false, 1 << 20, 2, 256), "g") == 2 * 10 * 1024);
    CHECK(count(stencil(machine(), true, 1 << 20, 2, 128), "g") <
          count(stencil(machine(), false, 1 << 20, 2, 256), "g") / 2);
    CHECK(stencil(machine(), true, 1 << 20, 2, 128).kernels[0].launches == 2);
}

TEST_CASE("counts are per core: one core does all the work") {
    Instance one = machine();
    one.cores = 1;
    const auto whole = count(magma_gemm(one, {64, 64, 64}, {32, 8, 64}, false), "r");
    CHECK(whole == 64.0 * 64 * 64);
    CHECK(count(pbs(one, {1024, 100, 32}, 1, Reading::printed), "s") == 100 * 10);
    CHECK(count(sorted_search(one, {1024, 100, 32}), "g") == 100 * 32 * 6);
}

TEST_CASE("what the machine has no room for is refused") {
    const auto fault = [](const Algorithm& algorithm, const Instance& instance) {
        const auto made = estimate(algorithm, instance);
        REQUIRE_FALSE(made.ok());
        CHECK_FALSE(made.error().where.empty());
        return made.error().what + "; " + made.error().remedy;
    };
    const Instance& algoparc =
        built_in_instances()[0];  // 319,488 words of shared memory, 851,968 registers, 1,664 cores
    const Instance& gibson = built_in_instances()[1];
    // R b / (P (2 N_TB lambda + N_TB^2)): 2.29 at 224, 0.97 at 352
    CHECK(estimate(magma_gemm(algoparc, {1e4, 1e4, 1e4}, {224, 16, 256}, true), algoparc).ok());
    CHECK(fault(magma_gemm(algoparc, {1e4, 1e4, 1e4}, {352, 16, 256}, true), algoparc) ==
          "algoparc holds 0.97 threads a core, less than one (M_o < 1); choose a smaller N_TB or lambda");
    // M / (2 K P - P): 192 / 127 and 85.3 / 127
    CHECK(estimate(gpu_mms(algoparc, {1e8, 64}, Reading::printed), algoparc).ok());
    CHECK(fault(gpu_mms(gibson, {1e8, 64}, Reading::printed), gibson) ==
          "gibson holds 0.672 threads a core, less than one (M_o < 1); choose a smaller K");
    CHECK(fault(koike_sadakane_mergesort(algoparc, {1e8, 64}, Reading::printed), algoparc).ends_with("smaller K"));
    // 24,576 words an SM
    CHECK(estimate(bst_search(algoparc, {1e6, 1e6, 1024}, 24576, Reading::printed), algoparc).ok());
    CHECK(fault(bst_search(algoparc, {1e6, 1e6, 1024}, 24577, Reading::printed), algoparc) ==
          "a block needs 24577 words of shared memory, an SM of algoparc has 24576; choose a smaller M_TB, or more "
          "threads b");
    // M b / (N P) = 192 * 64 / 20000
    CHECK(fault(pbs(algoparc, {20000, 1e6, 64}, 1, Reading::reconstructed), algoparc)
              .starts_with("algoparc holds 0.614 threads a core"));
    CHECK(fault(mgpu_mergesort(algoparc, {1e8, 200, 128}, Reading::printed), algoparc).ends_with("smaller E or b"));
}
