// Chapter 5.
#include <algorithm>
#include <utility>

#include "validate/models/spt/formulas.hpp"
#include "validate/models/spt/own_method.hpp"
#include "validate/models/spt/room.hpp"

namespace sassafras::validate::spt {

namespace {

constexpr double registers_of_a_thread = 255;  // at most; beyond lies local memory (5.3.2)

}  // namespace

Algorithm magma_gemm(const Instance& instance, Matrices size, GemmTuning tuning, bool local_memory) {
    const double cores = instance.cores;
    const double tile = tuning.tile;
    const double depth = tuning.depth;
    const double products = size.n * size.m * size.k;
    const double needed_words = 2 * tile * depth + tile * tile;  // registers of a block
    Kernel kernel;
    kernel.name = "gemm";
    kernel.oversubscription = instance.register_words * tuning.threads / (cores * needed_words);
    kernel.lack = lack_of_room(instance, kernel.oversubscription, 2 * tile * depth);
    kernel.smaller = "N_TB or lambda";
    const double staged_ilp = 2 * tile * depth / tuning.threads;
    kernel.operations = {
        {"g", "", 2 * products / (cores * tile) + size.n * size.m / cores, staged_ilp},
        {"s", "", 4 * products / (cores * tile), staged_ilp},
        {"r", "", products / cores, 1},
        {"y", "", 2 * products / (cores * tile * tile * depth), 1},
    };
    const double registers = needed_words / tuning.threads;
    Algorithm algorithm{"gemm magma", {}, {}};
    if (local_memory && registers > registers_of_a_thread) {
        const double spilled = (registers - registers_of_a_thread) / registers;
        kernel.operations.insert(kernel.operations.begin() + 2,
                                 {"s", "local memory", products / cores * spilled, staged_ilp});
        algorithm.notes.emplace_back(
            "a thread needs more than 255 registers; the others count as shared memory (5.3.2)");
    }
    algorithm.notes.emplace_back(
        "A_s is printed as if each staged word were read once (5.2.2); all threads of a row or column read it");
    algorithm.kernels.push_back(std::move(kernel));
    return algorithm;
}

Algorithm naive_gemm(const Instance& instance, Matrices size) {
    const double products = size.n * size.m * size.k / instance.cores;
    const double all = size.n * size.m / instance.cores;
    const double resident = all > 0 ? std::min(instance.threads_per_core, all) : instance.threads_per_core;
    Kernel kernel{"gemm", 1, resident, {}};
    kernel.operations = {{"g", "operands", 2 * products}, {"g", "result", all}, {"r", "", products}};
    return {"gemm naive", {std::move(kernel)}, {"ours, by the thesis' method; caches are not modelled"}};
}

Algorithm register_tiled_gemm(const Instance& instance, Matrices size) {
    constexpr double columns = 16;  // of a block, all in a thread's registers; a thread a row
    constexpr double depth = 8;
    constexpr double words_a_wavefront = 2;  // a request of four words takes two, though all lanes read the same
    const double products = size.n * size.m * size.k / instance.cores;
    const double threads = size.n * size.m / (columns * instance.cores);
    // A batch of B is 8 x 16: a warp's words of it lie in blocks of 16 words.
    const double blocks_of_b = instance.warp_lanes / columns;
    Kernel kernel{"gemm", 1, bounded(instance, threads), {}};
    kernel.operations = {
        {"g", "A", products / columns, depth},
        {"g", "B", products / (columns * depth) * blocks_of_b, 1},
        {"g", "result", size.n * size.m / instance.cores, columns},
        {"s", "B", products / (columns * depth), 1},
        {"s", "operands", products / words_a_wavefront, 2 * words_a_wavefront},
        {"r", "", products, columns},
        {"y", "", 2 * products / (columns * depth), 1},
    };
    return {"gemm regtile", {std::move(kernel)}, {ours, "caches are not modelled"}};
}

}  // namespace sassafras::validate::spt
