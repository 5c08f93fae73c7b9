// At which GPC blocks begin to be dealt: expected values are an H200's, of small_blocks.csv.zst and dealt_beside.txt in
// validate/records/h200/probes.
#include <catch2/catch.hpp>

#include <vector>

#include "cudart/dealt_launches.hpp"

using namespace sassafras::cudart;
using sassafras::sim::DealtFrom;

namespace {

/// Blocks of 512 threads on 132 SMs.
KernelLoad places_of(double blocks) {
    KernelLoad load;
    load.sms = 132;
    load.blocks = blocks;
    load.resident = std::min(blocks, 4 * load.sms);
    load.block_takes = {1 / 32.0, 0.25, 0.2, 0};
    return load;
}

struct Gpu {
    DealtLaunches launches{8, 8};
    std::uint64_t last = 0;

    DealtFrom put(double blocks, const std::vector<std::uint64_t>& beside) {
        const DealtFrom from = launches.deal(places_of(blocks), beside);
        ++last;
        launches.put(last, beside.empty() ? last : beside.front());
        return from;
    }
};

}  // namespace

TEST_CASE("launches beside others are dealt from the next GPC on unless they get the first SMs") {
    Gpu gpu;
    // "reading 33x512 256 KiB", two streams three times: GPCs 2 and 3, 3 and 4, 4 and 5, the first with the first SMs.
    for (std::uint32_t turn = 0; turn < 5; ++turn) {
        CHECK(gpu.put(33, {}) == DealtFrom{turn, true});
        CHECK(gpu.put(33, {gpu.last}) == DealtFrom{turn + 1, false});
    }
    // Alone it stays where it is.
    CHECK(gpu.put(33, {}) == DealtFrom{5, true});
    CHECK(gpu.put(33, {}) == DealtFrom{5, true});
}

TEST_CASE("a launch gets the first SMs as soon as no others are emptier") {
    Gpu gpu;
    // "reading 33x512 256 KiB", five streams, the second time: 4, 5, 6 and 7, and 7 once the first has ended.
    CHECK(gpu.put(33, {}) == DealtFrom{0, true});
    CHECK(gpu.put(33, {1}) == DealtFrom{1, false});
    CHECK(gpu.put(33, {1, 2}) == DealtFrom{2, false});
    CHECK(gpu.put(33, {1, 2, 3}) == DealtFrom{3, false});
    CHECK(gpu.put(33, {2, 3, 4}) == DealtFrom{3, true});
    // All SMs have a block.
    CHECK(gpu.put(33, {2, 3, 4, 5}) == DealtFrom{3, true});
    // "arithmetic 66x512 3 us", five streams.
    Gpu half;
    CHECK(half.put(66, {}) == DealtFrom{0, true});
    CHECK(half.put(66, {1}) == DealtFrom{1, false});
    CHECK(half.put(66, {1, 2}) == DealtFrom{1, true});
    CHECK(half.put(66, {1, 2, 3}) == DealtFrom{2, false});
    CHECK(half.put(66, {1, 2, 3, 4}) == DealtFrom{2, true});
}

TEST_CASE("grids that leave no SM empty are dealt as others are") {
    // dealt_beside.txt, six streams of 100 blocks.
    Gpu gpu;
    CHECK(gpu.put(100, {}) == DealtFrom{0, true});
    CHECK(gpu.put(100, {1}) == DealtFrom{1, false});
    CHECK(gpu.put(100, {1, 2}) == DealtFrom{2, false});
    CHECK(gpu.put(100, {1, 2, 3}) == DealtFrom{3, false});
    CHECK(gpu.put(100, {1, 2, 3, 4}) == DealtFrom{3, true});
    CHECK(gpu.put(100, {1, 2, 3, 4, 5}) == DealtFrom{4, false});
    // 132 and 264 blocks beside 8, and beside 33 of which one behind them begins; 33 beside 132.
    Gpu full;
    CHECK(full.put(8, {}) == DealtFrom{0, true});
    CHECK(full.put(132, {1}) == DealtFrom{1, false});
    CHECK(full.put(264, {1}) == DealtFrom{2, false});
    CHECK(full.put(132, {}) == DealtFrom{2, true});
    CHECK(full.put(33, {4}) == DealtFrom{2, true});
    CHECK(full.put(33, {4, 5}) == DealtFrom{3, false});
}

TEST_CASE("launches that the first SMs have room for change nothing") {
    Gpu gpu;
    CHECK(gpu.put(33, {}) == DealtFrom{0, true});
    CHECK(gpu.put(33, {1}) == DealtFrom{1, false});
    // "storing 132x512 128 KiB"; and more blocks than the GPU holds.
    CHECK(gpu.put(132, {}) == DealtFrom{1, true});
    CHECK(gpu.put(132, {3}) == DealtFrom{1, true});
    CHECK(gpu.put(10000, {3, 4}) == DealtFrom{1, true});
    // "arithmetic 1x32 0.2 us".
    CHECK(gpu.put(1, {}) == DealtFrom{1, true});
    CHECK(gpu.put(1, {6}) == DealtFrom{1, true});
    // Copies and sets are among what runs.
    CHECK(gpu.put(33, {1000}) == DealtFrom{1, true});
}
