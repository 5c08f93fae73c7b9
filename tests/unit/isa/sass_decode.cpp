// decode(): fields, operands, operand forms, guards and control codes, on words built bit by bit from the encoding's
// description.
#include <catch2/catch.hpp>

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"
#include "isa/sass/table.hpp"

namespace {

using namespace sassafras::isa;

constexpr Word128 with(Word128 word, Field field, std::uint64_t value) {
    for (int bit = 0; bit < field.width; ++bit) {
        const int at = field.first + bit;
        const std::uint64_t mask = std::uint64_t{1} << (at % 64);
        std::uint64_t& half = at < 64 ? word.low : word.high;
        half = ((value >> bit) & 1U) != 0 ? half | mask : half & ~mask;
    }
    return word;
}

constexpr Word128 keyed(std::uint16_t key) {
    return with(with(with({}, fields::opcode_low, key & 0xfffU), fields::opcode_high, key >> 12U),
                fields::guard_predicate, predicate_true);
}

Instruction decoded(const Word128& word) {
    auto result = decode(word);
    REQUIRE(result.ok());
    return *result;
}

}  // namespace

TEST_CASE("fields read the bits they name, across the halves", "[isa]") {
    STATIC_REQUIRE(with({}, fields::branch_target_low, 0xffffffffffffU).get(fields::branch_target_low) ==
                   0xffffffffffffU);
    STATIC_REQUIRE(with({}, Field{60, 8}, 0xa5).low >> 60U == 0x5);
    STATIC_REQUIRE(with({}, Field{60, 8}, 0xa5).high == 0xa);
    STATIC_REQUIRE(Word128{0, 0x800}.bit(75));
    STATIC_REQUIRE(with({}, fields::memory_offset, 0xfffff0).signed_bits(40, 24) == -16);
}

TEST_CASE("every field round-trips without touching its neighbours", "[isa]") {
    for (int first = 0; first < 128; ++first) {
        for (int width = 1; width <= 16 && first + width <= 128; ++width) {
            const Field field{first, width};
            const std::uint64_t all = (std::uint64_t{1} << width) - 1;
            const Word128 set = with({}, field, all);
            REQUIRE(set.get(field) == all);
            const Word128 cleared = with({~std::uint64_t{0}, ~std::uint64_t{0}}, field, 0);
            REQUIRE(cleared.get(field) == 0);
            if (first > 0) REQUIRE_FALSE(set.bit(first - 1));
            if (first + width < 128) REQUIRE_FALSE(set.bit(first + width));
        }
    }
}

TEST_CASE("three-source forms put each logical source where the form says", "[isa]") {
    Word128 word = with(with(with(with({}, fields::register_a, 4), fields::register_b, 5), fields::register_c, 6),
                        fields::destination, 7);
    const auto form = [&](std::uint16_t nibble) {
        Word128 w = keyed(static_cast<std::uint16_t>(nibble | 0x024U));
        w.low |= word.low & ~std::uint64_t{0xffff};
        w.high |= word.high;
        return decoded(w);
    };
    const Instruction rrr = form(0x0200);
    CHECK(rrr.opcode == Opcode::IMAD);
    CHECK(rrr.pipe == Pipe::fma);
    CHECK(rrr.destination == 7);
    CHECK(rrr.a.reg == 4);
    CHECK(rrr.b.reg == 5);
    CHECK(rrr.c.reg == 6);
    const Instruction rri = form(0x0400);
    CHECK(rri.b.reg == 6);
    CHECK(rri.c.kind == OperandKind::immediate);
    CHECK(rri.c.value == 5);
    const Instruction rir = form(0x0800);
    CHECK(rir.b.kind == OperandKind::immediate);
    CHECK(rir.c.reg == 6);
    const Instruction rur = form(0x1c00);
    CHECK(rur.b.kind == OperandKind::uniform_reg);
    CHECK(rur.b.reg == 5);
    const Instruction rru = form(0x1e00);
    CHECK(rru.b.reg == 6);
    CHECK(rru.c.kind == OperandKind::uniform_reg);
}

TEST_CASE("signs follow the physical slot", "[isa]") {
    const Instruction rrr = decoded(with(keyed(0x223), fields::negate_c, 1));
    CHECK(rrr.c.negate);
    CHECK_FALSE(rrr.b.negate);
    const Instruction rru = decoded(with(keyed(0x1e23), fields::negate_c, 1));
    CHECK(rru.b.negate);
    CHECK_FALSE(rru.c.negate);
    const Instruction lop3 = decoded(with(keyed(0x212), fields::lop3_table, 0xff));
    CHECK_FALSE(lop3.a.negate);
    CHECK_FALSE(lop3.c.negate);
}

TEST_CASE("guards: vector, negated, uniform; R2UR has a vector guard", "[isa]") {
    const Instruction plain = decoded(keyed(0x210));
    CHECK(plain.guard.always());
    const Instruction negated = decoded(with(with(keyed(0x210), fields::guard_predicate, 3), fields::guard_negate, 1));
    CHECK(negated.guard.predicate == 3);
    CHECK(negated.guard.negate);
    CHECK_FALSE(negated.guard.uniform);
    CHECK(decoded(keyed(0x1290)).guard.uniform);
    CHECK_FALSE(decoded(keyed(0x02ca)).guard.uniform);
}

TEST_CASE("control code fields", "[isa]") {
    Word128 word = keyed(0x210);
    word = with(word, {105, 4}, 11);
    word = with(word, {109, 1}, 1);
    word = with(word, {110, 3}, 2);
    word = with(word, {113, 3}, 5);
    word = with(word, {116, 6}, 0x21);
    word = with(word, {122, 4}, 3);
    const ControlCode code = decoded(word).control;
    CHECK(code.stall == 11);
    CHECK(code.stay);
    CHECK(code.write_barrier == 2);
    CHECK(code.read_barrier == 5);
    CHECK(code.wait_mask == 0x21);
    CHECK(code.reuse == 3);
}

TEST_CASE("branch displacement is 56 signed bits in units of 4 bytes", "[isa]") {
    // Backwards by 16 bytes from the next pc: a branch to itself.
    Word128 self =
        with(with(keyed(0x947), fields::branch_target_low, 0xffffffffffffU), fields::branch_target_high, 0xfc);
    CHECK(fields::branch_displacement(self) == -16);
    Word128 forward = with(with(keyed(0x947), fields::branch_target_low, 3), fields::branch_target_high, 0x74);
    CHECK(fields::branch_displacement(forward) == 0x374 * 4);
}

TEST_CASE("an unknown key is an error that names the word", "[isa]") {
    const auto result = decode(Word128{0x0000000000007fff, 0x0123});
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().kind == sassafras::ErrorKind::not_modelled);
    CHECK(result.error().where == "0x00000000000001230000000000007fff");
}
