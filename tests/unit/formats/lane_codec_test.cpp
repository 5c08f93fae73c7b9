// Each form of scattered lanes: it is recognised, it costs what it should, and it comes back.
#include <catch2/catch.hpp>

#include <numeric>
#include <vector>

#include "core/random.hpp"
#include "sim/formats/trace_file/lane_codec.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

constexpr std::uint32_t full = 0xffffffffU;

struct Step {
    std::uint32_t site = 0;
    std::uint32_t mask = full;
    LaneWords lanes{};
    std::uint32_t width = 4;
};

struct Outcome {
    LaneMode mode{};
    std::size_t bytes = 0;
};

std::size_t size_of(const FrameColumns<ColumnWriter>& columns) {
    return std::accumulate(columns.begin(), columns.end(), std::size_t{0},
                           [](std::size_t sum, const ColumnWriter& column) { return sum + column.size(); });
}

/// Encodes the steps as one warp's, checks that they come back, and says how each was told.
std::vector<Outcome> round_trip(const std::vector<Step>& steps) {
    LaneCodec encoder(4);
    LaneCodec decoder(4);
    FrameColumns<ColumnWriter> written;
    std::vector<Outcome> outcomes;
    encoder.begin_warp();
    for (const Step& step : steps) {
        const std::size_t before = size_of(written);
        const LaneMode mode = encoder.encode(step.site, step.mask, step.lanes, step.width, 1, written);
        outcomes.push_back({mode, size_of(written) - before});
    }
    FrameColumns<ColumnReader> read;
    for (std::size_t i = 0; i < read.size(); ++i) read[i] = ColumnReader(written[i].bytes());
    decoder.begin_warp();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        CAPTURE(i);
        LaneWords lanes{};
        decoder.decode(outcomes[i].mode, steps[i].site, steps[i].mask, lanes, steps[i].width, 1, read);
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            if ((steps[i].mask >> lane & 1U) != 0) REQUIRE(lanes[lane] == steps[i].lanes[lane]);
    }
    for (const ColumnReader& column : read) REQUIRE((column.left() == 0 && !column.failed()));
    return outcomes;
}

LaneWords random_lanes(Random& random, std::uint32_t below, std::uint32_t unit) {
    LaneWords lanes{};
    for (std::uint32_t& lane : lanes) lane = static_cast<std::uint32_t>(random.below(below)) * unit;
    return lanes;
}

LaneWords plus(LaneWords lanes, std::uint32_t addend) {
    for (std::uint32_t& lane : lanes) lane += addend;
    return lanes;
}

}  // namespace

TEST_CASE("An access that follows the one before at the distance of the last time costs nothing") {
    Random random(1);
    const LaneWords first = random_lanes(random, 1000, 64);
    const LaneWords second = random_lanes(random, 1000, 64);
    const auto told =
        round_trip({{0, full, first}, {1, full, plus(first, 16)}, {0, full, second}, {1, full, plus(second, 16)}});
    CHECK(told[3].mode == LaneMode::follows);
    CHECK(told[3].bytes == 0);
}

TEST_CASE("An access that mirrors the one before costs nothing") {
    Random random(2);
    const LaneWords sums = plus(random_lanes(random, 1000, 4), 8000);
    const auto mirrored = [&](LaneWords lanes) {
        for (std::size_t lane = 0; lane < warp_size; ++lane) lanes[lane] = sums[lane] - lanes[lane];
        return lanes;
    };
    const LaneWords first = random_lanes(random, 1000, 4);
    const LaneWords second = random_lanes(random, 1000, 4);
    const auto told =
        round_trip({{0, full, first}, {1, full, mirrored(first)}, {0, full, second}, {1, full, mirrored(second)}});
    CHECK(told[3].mode == LaneMode::mirrors);
    CHECK(told[3].bytes == 0);
}

TEST_CASE("Lanes that each merge two streams cost a bit a lane, wherever the instruction is") {
    Random random(3);
    LaneWords a = random_lanes(random, 1000, 4);
    LaneWords b = plus(random_lanes(random, 1000, 4), 8000);
    std::vector<Step> steps{{0, full, a}, {1, full, b}};
    for (std::uint32_t i = 0; i < 20; ++i) {
        Step step{2 + i % 2, full, {}};
        for (std::size_t lane = 0; lane < warp_size; ++lane) {
            std::uint32_t& stream = random.below(2) == 0 ? a[lane] : b[lane];
            step.lanes[lane] = stream += 4;
        }
        steps.push_back(step);
    }
    const auto told = round_trip(steps);
    for (std::size_t i = 2; i < told.size(); ++i) {
        CAPTURE(i);
        CHECK(told[i].mode == LaneMode::streams);
        CHECK(told[i].bytes == 4);
    }
}

TEST_CASE("A few lanes off their streams cost 4 bytes each") {
    Random random(4);
    const LaneWords first = random_lanes(random, 1000, 4);
    LaneWords second = plus(first, 4);
    second[3] = 77;
    second[30] = 0xfffffff0U;
    const auto told = round_trip({{0, full, first}, {1, full, second}});
    CHECK(told[1].mode == LaneMode::streams_and_rest);
    CHECK(told[1].bytes == 8 + 2 * 4);
}

TEST_CASE("Other lanes cost their differences, in units of the width") {
    LaneWords base{};
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) base[lane] = 0x10000 + lane * lane * 16;
    const auto changed = [&](std::int64_t least, std::int64_t most) {
        LaneWords lanes = base;
        for (std::uint32_t lane = 0; lane < warp_size; ++lane)
            lanes[lane] += static_cast<std::uint32_t>(lane % 2 == 0 ? least : most);
        return lanes;
    };
    struct Case {
        std::int64_t least, most;
        std::uint32_t mask, width;
        LaneMode mode;
        std::size_t bytes;
    };
    for (const Case& wanted :
         {Case{-128 * 8, 127 * 8, full, 8, LaneMode::differences8, 32},
          Case{-128 * 8, 128 * 8, full, 8, LaneMode::differences16, 64},
          Case{-129 * 8, 127 * 8, 0xffffU, 8, LaneMode::differences16, 32},
          Case{-32768 * 4, 32767 * 4, full, 4, LaneMode::differences16, 64},
          Case{-32768 * 4, 32768 * 4, full, 4, LaneMode::differences32, 128},
          Case{-3, 9, full, 4, LaneMode::differences32, 128}, Case{-3, 9, 0x5U, 1, LaneMode::differences8, 2}}) {
        CAPTURE(wanted.least, wanted.most, wanted.mask, wanted.width);
        const auto told = round_trip(
            {{0, full, base, wanted.width}, {0, wanted.mask, changed(wanted.least, wanted.most), wanted.width}});
        CHECK(told[1].mode == wanted.mode);
        CHECK(told[1].bytes == wanted.bytes);
    }
}
