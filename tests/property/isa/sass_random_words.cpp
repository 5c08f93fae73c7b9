// Any 128 bits are safe to decode, print and ask for registers; spans stay inside their files.
#include <random>

#include <catch2/catch.hpp>

#include "isa/program/program.hpp"
#include "isa/sass/table.hpp"

namespace {

using namespace sassafras::isa;

int file_size(RegisterSpan::File file) {
    switch (file) {
        case RegisterSpan::File::vector: return register_zero;
        case RegisterSpan::File::uniform: return uniform_register_zero;
        default: return predicate_true;
    }
}

void check_spans(const Instruction& instruction) {
    const RegisterUse use = register_use(instruction);
    REQUIRE(use.read_count <= use.reads.size());
    REQUIRE(use.write_count <= use.writes.size());
    for (std::size_t i = 0; i < use.read_count; ++i)
        REQUIRE(use.reads[i].first + use.reads[i].count <= file_size(use.reads[i].file));
    for (std::size_t i = 0; i < use.write_count; ++i)
        REQUIRE(use.writes[i].first + use.writes[i].count <= file_size(use.writes[i].file));
}

}  // namespace

TEST_CASE("random words never crash", "[property][isa]") {
    std::mt19937_64 random(20240607);
    std::size_t decoded = 0;
    for (int trial = 0; trial < 200000; ++trial) {
        const auto result = decode({random(), random()});
        if (!result.ok()) {
            REQUIRE_FALSE(result.error().what.empty());
            continue;
        }
        ++decoded;
        check_spans(*result);
        REQUIRE_FALSE(print(*result, 16 * static_cast<std::uint64_t>(trial)).empty());
    }
    CHECK(decoded > 1000);
}

TEST_CASE("every key of the table decodes to its own row, whatever the other bits", "[property][isa]") {
    std::mt19937_64 random(20240608);
    std::size_t keys = 0;
    for (unsigned key = 0; key < (1U << 13U); ++key) {
        const OpcodeRow* row = find_row(static_cast<std::uint16_t>(key));
        if (row == nullptr) continue;
        ++keys;
        REQUIRE(row->key == key);
        for (int trial = 0; trial < 50; ++trial) {
            Word128 word{random(), random()};
            word.low = (word.low & ~std::uint64_t{0xfff}) | (key & 0xfffU);
            word.high = (word.high & ~(std::uint64_t{1} << 27U)) | (static_cast<std::uint64_t>(key >> 12U) << 27U);
            const auto result = decode(word);
            REQUIRE(result.ok());
            REQUIRE(result->opcode == row->opcode);
            check_spans(*result);
            REQUIRE_FALSE(print(*result, 0).empty());
        }
    }
    CHECK(keys > 300);
}
