// Where local memory lies, against an H200 (validate/records/h200/probes/local_map.txt).
#include <catch2/catch.hpp>

#include "sim/timing/sm/local_layout.hpp"

using namespace sassafras;
using namespace sassafras::sim;

TEST_CASE("local memory: a slot has stack and reserve of its lanes, slots and SMs follow one another") {
    constexpr std::uint64_t reserve = window_bytes - stack_top;
    CHECK(reserve == 576);
    const std::uint64_t frame = stack_top - 256;  // where a frame of 256 bytes begins
    const LocalLayout sm_0(0, 64, 1024 + reserve);
    const LocalLayout sm_5(5, 64, 1024 + reserve);
    CHECK(sm_0.place(0, 0, frame) - local_memory_begin == 24'576);
    CHECK(sm_0.place(7, 0, frame) - sm_0.place(0, 0, frame) == 7 * 51'200);
    CHECK((sm_5.place(0, 0, frame) - local_memory_begin) % (1U << 20U) == 679'936);
    CHECK(sm_0.place(0, 0, stack_top - 512) - local_memory_begin == 16'384);
    const LocalLayout large(0, 64, 4096 + reserve);
    CHECK(large.place(1, 0, stack_top - 4096) - large.place(0, 0, stack_top - 4096) == 149'504);
    CHECK(large.place(0, 0, stack_top - 4096) == local_memory_begin);
}

TEST_CASE("local memory: words of lanes lie side by side, the bytes of a word together") {
    const LocalLayout layout(3, 64, 1600);
    const std::uint64_t line = layout.place(2, 0, stack_top - 64);
    CHECK(line % 128 == 0);
    CHECK(layout.place(2, 31, stack_top - 64) == line + 31 * 4);
    CHECK(layout.place(2, 4, stack_top - 61) == line + 4 * 4 + 3);
    CHECK(layout.place(2, 0, stack_top - 60) == line + 128);
    CHECK(layout.place(2, 0, stack_top - 64, 1) == line + 128);
}

TEST_CASE("local memory: a stack that is deeper than its slot meets no other") {
    const LocalLayout layout(0, 64, 1600);
    const LocalLayout next(1, 64, 1600);
    const std::uint64_t deep = window_bytes - 1600 - 4;
    CHECK(layout.place(1, 0, deep) != layout.place(0, 0, window_bytes - 4));
    CHECK(layout.place(1, 0, deep) >= deep_local_memory_begin);
    CHECK(layout.place(63, 31, deep) < next.place(0, 0, deep));
}
