// Branch targets of words that nvcc made; the addresses are those that nvdisasm prints for them.
#include <catch2/catch.hpp>

#include "isa/program/targets.hpp"

using namespace sassafras;
using namespace sassafras::isa;

namespace {

Instruction instruction_of(std::uint64_t high, std::uint64_t low) {
    const auto instruction = decode({low, high});
    REQUIRE(instruction);
    return *instruction;
}

}  // namespace

TEST_CASE("relative branches") {
    CHECK(branch_target(instruction_of(0x000fea0003800000, 0x0000000000208947), 0x00c0) == 0x150);  // @!P0 BRA 0x150
    CHECK(branch_target(instruction_of(0x000fec0003800000, 0x00000000000c7947), 0x0120) == 0x160);  // BRA 0x160
    CHECK(branch_target(instruction_of(0x000fea000083ffff, 0xfffffffc00e08947), 0x0170) ==
          0x100);  // @!P0 BRA P1, 0x100
    CHECK(branch_target(instruction_of(0x000fc0000383ffff, 0xfffffffc00fc7947), 0x01c0) == 0x1c0);  // BRA to itself
    CHECK(branch_target(instruction_of(0x000fea000b800000, 0x0000001207e87947), 0x14b0) ==
          0x2860);  // BRA.DIV UR7, 0x2860
    CHECK(branch_target(instruction_of(0x001fea0003c00000, 0x00000000000c7944), 0x0090) ==
          0xd0);  // CALL.REL.NOINC 0xd0
    CHECK(branch_target(instruction_of(0x000fea0003c3ffff, 0xfffffffc00a87944), 0x0220) == 0xd0);  // backwards
}

TEST_CASE("indirect branches have a base, not a target") {
    const Instruction brx = instruction_of(0x000fea000383ffff, 0xfffffffc06bc7949);  // BRX R6 -0x110
    CHECK(is_indirect(brx));
    CHECK_FALSE(branch_target(brx, 0x100));
    CHECK(branch_base(brx, 0x100) == 0);  // so R6 holds the offset from the start of the code
    const Instruction ret = instruction_of(0x000fec0003c3ffff, 0xfffffffc14ac7950);  // RET.REL.NODEC R20
    CHECK(is_relative(ret));
    CHECK(branch_base(ret, 0x140) == 0);
    const Instruction call = instruction_of(0x003fea0003c00000, 0x0000000002007343);  // CALL.ABS.NOINC R2
    CHECK(is_indirect(call));
    CHECK_FALSE(is_relative(call));
    CHECK(branch_base(call, 0xc0) == 0);
}

TEST_CASE("reconvergence") {
    const Instruction bssy = instruction_of(0x000fe20003800000, 0x000001a000017945);  // BSSY B1, 0x250
    CHECK(reconvergence_point(bssy, 0xa0) == 0x250);
    CHECK(convergence_barrier(bssy) == 1);
    CHECK_FALSE(reconvergence_point(instruction_of(0x000fea0003800000, 0x0000000000017941), 0x240));  // BSYNC B1
    CHECK_FALSE(collective_end(instruction_of(0x000fea0003800000, 0x0000000000007948), 0));           // WARPSYNC.ALL
}

TEST_CASE("whether every thread acts") {
    CHECK(acts_always(instruction_of(0x000fec0003800000, 0x00000000000c7947)));        // BRA
    CHECK_FALSE(acts_always(instruction_of(0x000fea0003800000, 0x0000000000208947)));  // @!P0 BRA
    CHECK_FALSE(acts_always(instruction_of(0x000fea0000800000, 0x0000000000107947)));  // BRA P1
    CHECK_FALSE(acts_always(instruction_of(0x000fea000b800000, 0x0000001207e87947)));  // BRA.DIV UR7
    CHECK(acts_always(instruction_of(0x000fea0003800000, 0x000000000000794d)));        // EXIT
    CHECK_FALSE(acts_always(instruction_of(0x000fea0003800000, 0x000000000000094d)));  // @P0 EXIT
}
