// What goes into a warp's trace comes out of it, in each of its four encodings.
#include <catch2/catch.hpp>

#include <array>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "sim/trace/warp_trace.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

using Addresses = std::array<std::uint64_t, warp_size>;
constexpr std::uint32_t full_mask = 0xffffffffU;

template <class Function>
Addresses addresses(Function&& address_of) {
    Addresses result{};
    for (std::uint64_t lane = 0; lane < warp_size; ++lane) result[lane] = static_cast<std::uint64_t>(address_of(lane));
    return result;
}

AccessRecord round_trip(std::uint32_t mask, const Addresses& in) {
    WarpTrace trace;
    trace.push_access(mask, in.data());
    AccessRecord out;
    trace.pop_access(out);
    REQUIRE(out.mask == mask);
    for (std::size_t lane = 0; lane < warp_size; ++lane)
        if ((mask >> lane & 1U) != 0) REQUIRE(out.address[lane] == in[lane]);
    if (out.affine)
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            REQUIRE(out.address[lane] == out.address[0] + lane * static_cast<std::uint64_t>(out.stride));
    return out;
}

}  // namespace

TEST_CASE("constant strides are affine, upward, downward and zero") {
    for (const std::int64_t stride : {0, 1, 4, 128, -4, -4096}) {
        const auto in = addresses(
            [stride](std::uint64_t lane) { return 0x7f00'0000'0000U + lane * static_cast<std::uint64_t>(stride); });
        const AccessRecord out = round_trip(full_mask, in);
        CHECK(out.affine);
        CHECK(out.stride == stride);
    }
}

TEST_CASE("offsets within 64 KiB, 4 GiB and beyond come back as they were, each in its form") {
    const auto form = [](const Addresses& in) {
        WarpTrace trace;
        trace.push_access(full_mask, in.data());
        const auto words = trace.pop_access_words();
        CHECK(words.size() == WarpTrace::access_words(WarpTrace::encoding_of(words)));
        return WarpTrace::encoding_of(words);
    };
    auto in = addresses([](std::uint64_t lane) { return 0x7f00'0000'0000U + lane * lane * 4; });
    CHECK_FALSE(round_trip(full_mask, in).affine);
    const std::array<std::pair<std::uint64_t, WarpTrace::Encoding>, 4> edges = {{
        {0xffff, WarpTrace::Encoding::offsets16},
        {0x1'0000, WarpTrace::Encoding::offsets32},
        {0xffff'ffff, WarpTrace::Encoding::offsets32},
        {0x1'0000'0000, WarpTrace::Encoding::full},
    }};
    for (const auto& [distance, encoding] : edges) {
        CAPTURE(distance);
        in[17] = in[0] + distance;
        round_trip(full_mask, in);
        CHECK(form(in) == encoding);
    }
    const auto scattered = addresses([](std::uint64_t lane) { return lane * lane * 0x1234'5678'9abcU + 3; });
    CHECK_FALSE(round_trip(full_mask, scattered).affine);
    CHECK(form(scattered) == WarpTrace::Encoding::full);
}

TEST_CASE("lanes outside the mask do not matter") {
    const auto regular = addresses([](std::uint64_t lane) { return 0x1000U + lane * 8; });
    for (const std::uint32_t mask : {0x1U, 0x80000000U, 0x55555555U, 0xf0f00f0fU, 0x00018000U, 0x80000001U}) {
        auto in = regular;
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            if ((mask >> lane & 1U) == 0) in[lane] = 0xdead'beef'0000'0000U + lane * lane;
        CHECK(round_trip(mask, in).affine);
    }
}

TEST_CASE("two lanes whose distance no whole stride gives are not affine") {
    auto in = addresses([](std::uint64_t) { return std::uint64_t{0}; });
    in[0] = 0x1000;
    in[3] = 0x1004;
    CHECK_FALSE(round_trip(0b1001, in).affine);
}

TEST_CASE("an access of no lane has a record with an empty mask") {
    const auto in = addresses([](std::uint64_t lane) { return lane * 977; });
    CHECK(round_trip(0, in).mask == 0);
}

TEST_CASE("records, values and segments keep their order across encodings") {
    WarpTrace trace;
    const auto affine = addresses([](std::uint64_t lane) { return 64 + lane * 4; });
    const auto near = addresses([](std::uint64_t lane) { return 64 + lane * lane; });
    const auto far = addresses([](std::uint64_t lane) { return lane * lane << 40U; });
    trace.push_access(full_mask, affine.data());
    trace.push_value(17);
    trace.push_access(full_mask, far.data());
    trace.push_access(0x0000ffffU, near.data());
    trace.push_value(WarpTrace::predicated_off);
    trace.push_access(full_mask, near.data());
    AccessRecord out;
    trace.pop_access(out);
    CHECK(out.address == affine);
    CHECK(trace.pop_value() == 17);
    trace.pop_access(out);
    CHECK(out.address == far);
    trace.pop_access(out);
    CHECK(out.mask == 0x0000ffffU);
    CHECK(trace.pop_value() == WarpTrace::predicated_off);
    trace.pop_access(out);
    CHECK(out.address == near);
    CHECK_THROWS_AS(trace.pop_value(), InvariantViolation);
    CHECK_THROWS_AS(trace.pop_access(out), InvariantViolation);
}

TEST_CASE("buffered counts instructions of segments that were not popped") {
    WarpTrace trace;
    CHECK_FALSE(trace.has_segment());
    trace.push_segment({.first = 0, .count = 5, .mask = full_mask});
    trace.push_segment({.first = 9, .count = 2, .mask = 0xff});
    CHECK(trace.buffered() == 7);
    const Segment first = trace.pop_segment();
    CHECK(first.count == 5);
    CHECK(trace.buffered() == 2);
    const Segment second = trace.pop_segment();
    CHECK(second.first == 9);
    CHECK(second.mask == 0xff);
    CHECK(trace.buffered() == 0);
    CHECK_FALSE(trace.has_segment());
    trace.state = WarpTrace::State::exited;
    trace.clear();
    CHECK(trace.state == WarpTrace::State::running);
}

TEST_CASE("any addresses under any mask come back", "[property]") {
    Random random(2026);
    std::size_t affine = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const std::uint32_t mask =
            random.next_u32() & (random.below(2) == 0 ? full_mask : random.next_u32() & random.next_u32());
        const std::uint64_t base = random.next_u64() >> 16U;
        const std::uint64_t spread = std::uint64_t{1} << (2 + random.below(44));
        const std::uint64_t stride = random.below(1024) - 512;
        const bool regular = random.below(2) == 0;
        const auto in =
            addresses([&](std::uint64_t lane) { return regular ? base + lane * stride : base + random.below(spread); });
        CAPTURE(trial, mask, regular);
        const AccessRecord out = round_trip(mask, in);
        if (regular) REQUIRE(out.affine);
        affine += out.affine ? 1U : 0U;
    }
    CHECK(affine < 2000);
}

TEST_CASE("a consumer that is always a little behind does not make the buffers grow") {
    WarpTrace trace;
    AccessRecord out;
    const auto scattered = addresses([](std::uint64_t lane) { return lane * lane * 0x1234'5678'9abcU + 3; });
    const auto produce = [&] {
        trace.push_segment({.first = 0, .count = 2, .mask = full_mask});
        trace.push_access(full_mask, scattered.data());
        trace.push_value(7);
    };
    for (int ahead = 0; ahead < 8; ++ahead) produce();
    for (int step = 0; step < 100'000; ++step) {
        produce();
        trace.pop_segment();
        trace.pop_access(out);
        REQUIRE(out.address == scattered);
        REQUIRE(trace.pop_value() == 7);
    }
    CHECK(trace.buffered() == 16);
    CHECK(trace.allocated_bytes() < 16'384);
}

TEST_CASE("a trace of which nothing is buffered goes on in buffers of others") {
    WarpTrace first;
    WarpTrace second;
    WarpTrace::Buffers buffers;
    for (std::uint32_t i = 0; i < 100; ++i) first.push_segment({i, 1, 1});
    for (std::uint64_t i = 0; i < 100; ++i) first.push_value(i);
    CHECK_THROWS(first.exchange(buffers));
    for (int i = 0; i < 100; ++i) {
        (void)first.pop_segment();
        (void)first.pop_value();
    }
    const std::size_t bytes = first.allocated_bytes();
    first.exchange(buffers);
    CHECK(first.allocated_bytes() == 0);
    second.exchange(buffers);
    CHECK(second.allocated_bytes() == bytes);
    for (WarpTrace* trace : {&first, &second}) {
        trace->push_segment({7, 2, 3});
        trace->push_value(9);
        CHECK(trace->pop_segment().first == 7);
        CHECK(trace->pop_value() == 9);
    }
    CHECK(first.buffered() == 0);
}
