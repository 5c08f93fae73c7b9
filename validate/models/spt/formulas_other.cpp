// Merges, prefix sums and the stencil, which the thesis does not treat, counted as its section 4.8 says: blocks of w
// words in global memory, words in shared memory times beta, barriers a thread; register work that memory accesses
// dominate is left out.
#include <algorithm>
#include <cmath>
#include <utility>

#include "validate/models/spt/formulas.hpp"
#include "validate/models/spt/logarithms.hpp"
#include "validate/models/spt/own_method.hpp"
#include "validate/models/spt/room.hpp"

namespace sassafras::validate::spt {

Algorithm co_rank_merge(const Instance& instance, const MergeByCoRanks& merge) {
    const double cores = instance.cores;
    const double lanes = instance.warp_lanes;
    const double each = merge.keys / cores;
    const double searches = merge.half ? 1 : 2;
    constexpr double reads_a_step = 2;  // a[i] and b[j - 1]
    const double global_steps = reads_a_step * ceil_log2(merge.keys / 2);
    Kernel kernel;
    kernel.name = "merge";
    if (merge.buffers == 0) {
        kernel.oversubscription = bounded(instance, merge.keys / merge.per_thread / cores);
        // Neighbouring threads search diagonals E words apart, so what a warp reads in a step lies within w E words.
        const double blocks = std::min(lanes, merge.per_thread + 1);
        kernel.operations = {
            {"g", "search", each / merge.per_thread * searches * global_steps * blocks, blocks},
            {"g", "merge", 2 * each, 1},
        };
        return {"merge in global memory",
                {std::move(kernel)},
                {ours, "a block of w words that a warp merges from stays in cache until it is used up"}};
    }
    // Shared words an output: x of each array and x outputs (single), 2x of each array and x outputs (double).
    const double words_an_output = merge.buffers == 1 ? 3 : 5;
    const double loaded = merge.buffers == 1 ? 2 : 1;  // words loaded an output: a single buffer forgets what is left
    const double tile = merge.per_thread * merge.threads;
    kernel.oversubscription =
        bounded(instance, std::min(instance.shared_words / (words_an_output * merge.per_thread * cores),
                                   merge.blocks * merge.threads / cores));
    kernel.lack = lack_of_room(instance, instance.shared_words / (words_an_output * merge.per_thread * cores),
                               words_an_output * tile);
    kernel.smaller = "S";
    kernel.operations = {
        {"g", "search", merge.blocks * 2 * global_steps * lanes / cores, 1},
        {"g", "load and store", (loaded + 1) * each, merge.per_thread},
        {"s", "search", merge.beta * each / merge.per_thread * searches * reads_a_step * ceil_log2(tile), 1},
        // stored when loaded, read once when merged, written and read again on the way out
        {"s", "merge", (loaded + 1 + 2 * merge.beta) * each, 1},
        {"y", "", 3 * each / merge.per_thread, 1},
    };
    return {"merge by co-ranks", {std::move(kernel)}, {ours}};
}

Algorithm prefix_sums(const Instance& instance, ScanKind kind, double words, double threads) {
    const double cores = instance.cores;
    const double lanes = instance.warp_lanes;
    const double each = words / cores;
    if (kind == ScanKind::three_phase) {
        const double page = lanes * (lanes + 1);  // words of shared memory of a block of one warp
        Kernel kernel{
            "sums, their scan, pages", 3, bounded(instance, instance.shared_words * lanes / (page * cores)), {}};
        kernel.operations = {{"g", "", 3 * each, lanes}, {"s", "", 7 * each, 1}};
        return {"scan three-phase", {std::move(kernel)}, {ours}};
    }
    const double tile = 2 * threads;
    Kernel kernel;
    kernel.name = "scans and additions";
    kernel.oversubscription = bounded(instance, instance.shared_words / (2 * cores));
    // Words at the levels: n, n / 2b, ... each read and written; all but the last level's sums are added on afterwards.
    double scanned = 0;
    double added = 0;
    double levels = 0;
    for (double left = words; levels == 0 || left > 1; left = std::ceil(left / tile)) {
        scanned += left;
        if (left > tile) added += left;
        ++levels;
        if (left <= tile) break;
    }
    kernel.launches = 2 * levels - 1;
    double sweeps = 0;  // shared accesses of a tile
    for (double stride = 1; stride < tile; stride *= 2) {
        const double pairs = threads / stride;
        constexpr double accesses = 7;  // a pair: 3 on the way up, 4 on the way down
        const double conflicts = kind == ScanKind::unpadded ? std::min({2 * stride, lanes, std::max(pairs, 1.0)}) : 1;
        sweeps += accesses * conflicts * std::max(pairs, lanes);
    }
    const double tiles = scanned / tile;
    kernel.operations = {
        {"g", "scan", 2 * scanned / cores, 2},
        {"g", "add", 2 * added / cores, 2},
        {"s", "in and out", 2 * scanned / cores, 2},
        {"s", "sweeps", sweeps * tiles / cores, 1},
        {"y", "", 2 * ceil_log2(tile) * threads * tiles / cores, 1},
    };
    return {kind == ScanKind::unpadded ? "scan unpadded" : "scan padded",
            {std::move(kernel)},
            {ours, "a step of a sweep costs a warp's w accesses even where fewer lanes take part"}};
}

Algorithm colored_prefix_sums(const Instance& instance, double words, double colors, double blocks) {
    const double cores = instance.cores;
    const double lanes = instance.warp_lanes;
    const double each = words / cores;
    const double page = lanes * lanes;
    const double shared = 2 * lanes * (lanes + 1) + colors * lanes;  // a block: words, their colours, a counter a lane
    const double resident = bounded(
        instance, std::min(instance.shared_words * lanes / (shared * cores), std::ceil(words / page) * lanes / cores));
    if (blocks <= 0) blocks = std::max(1.0, std::floor(resident * cores / lanes));
    blocks = std::min(blocks, std::ceil(words / page));
    Kernel pages{"sums and pages", 2, resident, {}};
    pages.lack = lack_of_room(instance, instance.shared_words * lanes / (shared * cores), shared);
    pages.smaller = "number of colors";
    pages.operations = {
        {"g", "words and colours", 5 * each, lanes},
        // a warp reads and writes the carry of each colour: one word, so one block of w
        {"g", "carries", 2 * colors * each / lanes, 1},
        {"g", "sums", blocks * colors * lanes / cores, 1},
        {"s", "sums", 6 * each, 1},  // 2 stored; colour, word and the counter, which is written again
        {"s", "pages", 12 * each,
         1},  // 2 stored; 4 as above; colour, word, counter, both written again; 1 on the way out
        // counters: set to zero, read, written, for each page; set and read for each block in the first kernel
        {"s", "counters", 3 * colors * each / lanes + 2 * colors * blocks * lanes / cores, 1},
    };
    // A lane a colour goes through the blocks' sums one after another.
    const double lanes_of_colors = lanes * std::ceil(colors / lanes);
    Kernel offsets{"offsets", 1, lanes_of_colors / cores, {}};
    offsets.operations = {{"g", "", 2 * blocks * lanes_of_colors / cores, 2}};  // no read waits for a write
    return {"scan colored", {std::move(pages), std::move(offsets)}, {ours, "shuffles are left out"}};
}

Algorithm stencil(const Instance& instance, bool tiled, double points, double steps, double threads) {
    const double each = points * steps / instance.cores;
    constexpr double operations_a_point = 8;  // two products and six sums, one of them in a multiply-add, as counted
    Kernel kernel;
    kernel.name = "step";
    kernel.launches = steps;
    const double all = points / instance.cores;
    if (!tiled) {
        // Blocks of w words a warp: centre, y and z neighbours one each, x neighbours two each (they straddle), one
        // write.
        constexpr double blocks = 10;
        kernel.oversubscription = bounded(instance, all);
        kernel.operations = {{"g", "", blocks * each, 7}, {"r", "", (operations_a_point - 1) * each, 1}};
        return {"stencil base", {std::move(kernel)}, {ours, "no cache: each neighbour is an access of its own"}};
    }
    constexpr double tile_x = 64;
    constexpr double tile_y = 4;
    constexpr double tile = tile_x * tile_y;
    constexpr double border_rows = 2 * tile_x;
    constexpr double border_columns = 2 * tile_y;
    const double halo =
        (border_rows + border_columns * instance.warp_lanes) / tile;  // a column's words lie in a block each
    const double staged = 1 + (border_rows + border_columns) / tile;
    kernel.oversubscription = bounded(
        instance, std::min(all / 2, instance.shared_words * threads / ((tile_x + 2) * (tile_y + 2) * instance.cores)));
    kernel.operations = {
        {"g", "points", 2 * each, 2},
        {"g", "borders", halo * each, 1},
        {"s", "", (staged + 4) * each, 2},
        {"r", "", (operations_a_point - 1) * each, 2},
        {"y", "", each, 1},  // two barriers a plane, two points a thread
    };
    return {"stencil tiled", {std::move(kernel)}, {ours}};
}

}  // namespace sassafras::validate::spt
