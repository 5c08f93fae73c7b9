// Counts of the formulas that are ours, worked by hand from the sources of the kernels; contract_validate holds them
// against what the kernels do. P = 1024 cores, M = 64 Ki words, w = 32.
#include <catch2/catch.hpp>

#include "validate/models/spt/formulas.hpp"
#include "validate/models/spt/workload_formula.hpp"
#include "workloads/workload.hpp"

using namespace sassafras::validate::spt;

namespace {

Instance own_machine() {
    Instance instance = built_in_instances()[0];
    instance.cores = 1024;
    instance.shared_words = 65536;
    instance.register_words = 524288;
    instance.threads_per_core = 16;
    return instance;
}

double count(const Kernel& kernel, const std::string& symbol, const std::string& part) {
    double sum = 0;
    for (const OperationCount& operation : kernel.operations)
        if (operation.symbol == symbol && operation.part == part) sum += operation.count;
    return sum;
}

Algorithm formula_of_variant(const std::string& workload, const std::string& variant) {
    sassafras::workloads::WorkloadRequest request;
    request.name = workload;
    request.variant = variant;
    request.n = workload == "merge" ? 4096 : 512;
    const auto info = sassafras::workloads::find(workload);
    REQUIRE(info.ok());
    const auto selection = sassafras::workloads::select(*info, request);
    REQUIRE(selection.ok());
    auto formula = formula_of(workload, *selection, own_machine(), Reading::printed, {});
    REQUIRE(formula.ok());
    return std::move(formula).value();
}

}  // namespace

TEST_CASE("a variant's formula is that of its kind") {
    // A single buffer reads two words an output and writes one, a double buffer reads each once.
    for (const std::string prefix : {"", "lv-"}) {
        const Algorithm single = formula_of_variant("merge", prefix + "single-buffer");
        const Algorithm twofold = formula_of_variant("merge", prefix + "double-buffer");
        CHECK(count(single.kernels.at(0), "g", "load and store") == 3 * 4);
        CHECK(count(twofold.kernels.at(0), "g", "load and store") == 2 * 4);
    }
    const auto of = [](const std::string& workload, const std::string& variant) {
        return formula_of_variant(workload, variant).name;
    };
    CHECK(of("gemm", "parboil-base") == of("gemm", "naive"));
    CHECK(of("gemm", "parboil-regtile") == of("gemm", "regtile"));
    CHECK(of("stencil", "parboil-base") == of("stencil", "base"));
    CHECK(of("stencil", "parboil-tiled") == of("stencil", "tiled"));
}

TEST_CASE("GEMM with 16 results a thread") {
    const Algorithm gemm = register_tiled_gemm(own_machine(), {1024, 1024, 1024});  // nmk / P = 2^20
    const Kernel& kernel = gemm.kernels.at(0);
    CHECK(count(kernel, "g", "A") == 65536);          // nmk / 16
    CHECK(count(kernel, "g", "B") == 16384);          // a word for 128 products, a warp's in two blocks
    CHECK(count(kernel, "g", "result") == 1024);      // nm
    CHECK(count(kernel, "s", "B") == 8192);           // stored
    CHECK(count(kernel, "s", "operands") == 524288);  // 16 words for 16 products, two a wavefront
    CHECK(count(kernel, "r", "") == 1048576);
    CHECK(count(kernel, "y", "") == 16384);  // two a thread for 8 of k: 64 threads a core, 128 batches
    CHECK(kernel.oversubscription == 16);
}

TEST_CASE("coloured prefix sums") {
    const Algorithm scan = colored_prefix_sums(own_machine(), 1048576, 8, 512);
    REQUIRE(scan.kernels.size() == 2);
    const Kernel& pages = scan.kernels[0];
    CHECK(count(pages, "g", "words and colours") == 5120);
    CHECK(count(pages, "g", "carries") == 512);  // 1024 pages, 8 colours, w read and w written
    CHECK(count(pages, "g", "sums") == 128);     // 512 blocks, 8 colours
    CHECK(count(pages, "s", "sums") == 6144);
    CHECK(count(pages, "s", "pages") == 12288);
    CHECK(count(pages, "s", "counters") == 768 + 256);
    CHECK(pages.oversubscription == Approx(65536.0 / 2368 / 32));  // 2 pages of w (w + 1), 8 w counters, w threads
    CHECK(pages.launches == 2);
    CHECK(count(scan.kernels[1], "g", "") == 32);  // 512 sums of w lanes, read and written
    CHECK(scan.kernels[1].oversubscription == 1.0 / 32);
    // resident blocks where none are given: 0.8649 P / w
    CHECK(count(colored_prefix_sums(own_machine(), 1048576, 8, 0).kernels[1], "g", "") == Approx(2 * 27.0 * 32 / 1024));
    CHECK(count(colored_prefix_sums(own_machine(), 1024, 8, 0).kernels[1], "g", "") ==
          Approx(2 * 32.0 / 1024));  // a page
}

TEST_CASE("block sorts and merges of pairs") {
    BlockSort sort{1048576, false, 512, {}};
    sort.merge.per_thread = 15;
    const Algorithm shearsort = block_sort_and_merges(own_machine(), sort);
    REQUIRE(shearsort.kernels.size() == 2);
    const Kernel& lines = shearsort.kernels[0];
    CHECK(count(lines, "g", "base case") == 2048);
    CHECK(count(lines, "s", "base case") == 22528);   // 11 lines a key, a write and a read behind each
    CHECK(count(lines, "r", "base case") == 168960);  // 240 exchanges of two operations for 32 keys of a line
    CHECK(lines.oversubscription == 2);               // a word for each of w^2 keys, w threads
    const Kernel& merges = shearsort.kernels[1];
    CHECK(merges.launches == 10);  // 1024 to 2^20
    CHECK(count(merges, "g", "merge") == 20480);
    CHECK(count(merges, "g", "partition") == Approx(1024 * 32 * 155 / 1920.0));  // 11 + ... + 20 steps a tile
    CHECK(count(merges, "s", "search") == Approx(2048 * 3.1 * 11 / 15 * 10));
    CHECK(count(merges, "s", "merge") == Approx(2048 * 2.2 * 10));
    CHECK(count(merges, "y", "") == Approx(2048 / 15.0 * 10));
    CHECK(merges.oversubscription == Approx(64 / 15.0));

    sort.network = true;
    const Algorithm bitonic = block_sort_and_merges(own_machine(), sort);
    const Kernel& network = bitonic.kernels.at(0);
    CHECK(count(network, "g", "base case") == 2048);
    CHECK(count(network, "s", "base case") == 114688);  // 55 steps that read and write each key, and in and out
    CHECK(count(network, "y", "base case") == 28672);   // 56 a thread, two keys a thread
    CHECK(network.oversubscription == 16);
    sort.keys = 1024;
    CHECK(block_sort_and_merges(own_machine(), sort).kernels.size() == 1);
}

TEST_CASE("RK4 of the kinetic scheme") {
    // a chromosome a core, one step: 76 transitions are taken
    const Algorithm base = kinetic_scheme(own_machine(), {1024, 1, false, false, false});
    const Kernel& kernel = base.kernels.at(0);
    CHECK(count(kernel, "g", "rate constants") == 2 * 76 * 9);
    CHECK(count(kernel, "g", "result") == 16 * 16);
    CHECK(count(kernel, "s", "local memory") == 6 * 76 + 20 * 16 + 2 * 16);
    CHECK(count(kernel, "r", "") == 6 * 76 + 7 * 16);
    CHECK(kernel.oversubscription == 1);
    const Algorithm coalesced = kinetic_scheme(own_machine(), {1024, 1, true, false, false});
    CHECK(count(coalesced.kernels.at(0), "g", "rate constants") == 2 * 76);
    CHECK(count(coalesced.kernels.at(0), "g", "result") == 16);
    const Algorithm shared = kinetic_scheme(own_machine(), {1024, 1, true, true, false});
    CHECK(count(shared.kernels.at(0), "g", "rate constants") == 9);
    CHECK(count(shared.kernels.at(0), "s", "rate constants") == 9 + 2 * 76);
    const Algorithm registers = kinetic_scheme(own_machine(), {1024, 1, true, true, true});
    CHECK(count(registers.kernels.at(0), "s", "rate constants") == 9);
    CHECK(count(registers.kernels.at(0), "s", "local memory") == 0);
    CHECK(count(registers.kernels.at(0), "r", "") == 4 * 76 + 2 * 19 + 7 * 16);
}
