// register_use(): spans of wide operands, slots for ports, predicates and uniform registers.
#include <algorithm>

#include <catch2/catch.hpp>

#include "isa/sass/instruction.hpp"

namespace {

using namespace sassafras::isa;
using File = RegisterSpan::File;

RegisterUse use_of(std::uint64_t low, std::uint64_t high) {
    auto result = decode(Word128{low, high});
    REQUIRE(result.ok());
    return register_use(*result);
}

bool reads(const RegisterUse& use, File file, int first, int count, int slot = 0) {
    return std::any_of(use.reads.begin(), use.reads.begin() + use.read_count, [&](const RegisterSpan& span) {
        return span.file == file && span.first == first && span.count == count && span.slot == slot;
    });
}

bool writes(const RegisterUse& use, File file, int first, int count) {
    return std::any_of(use.writes.begin(), use.writes.begin() + use.write_count, [&](const RegisterSpan& span) {
        return span.file == file && span.first == first && span.count == count;
    });
}

}  // namespace

TEST_CASE("a load reads its address pair and descriptor and writes its width", "[isa]") {
    // @!P0 LDG.E.CONSTANT R6, desc[UR8][R18.64+0x80]
    const RegisterUse narrow = use_of(0x0000800812068981, 0x000ea2000c1e9900);
    CHECK(reads(narrow, File::predicate, 0, 1));
    CHECK(reads(narrow, File::vector, 18, 2, 0));
    CHECK(reads(narrow, File::uniform, 8, 2));
    CHECK(writes(narrow, File::vector, 6, 1));
    CHECK(narrow.write_count == 1);
    // LD.E.128 R8, desc[UR4][R2.64]
    const RegisterUse wide = use_of(0x0000000402087980, 0x001eaa000c101d00);
    CHECK(writes(wide, File::vector, 8, 4));
}

TEST_CASE("FP32 sources have their slots, RZ and PT are left out", "[isa]") {
    // FMUL R5, R4, R5
    const RegisterUse use = use_of(0x0000000504057220, 0x001fe40000400000);
    CHECK(use.read_count == 2);
    CHECK(reads(use, File::vector, 4, 1, 0));
    CHECK(reads(use, File::vector, 5, 1, 1));
    CHECK(writes(use, File::vector, 5, 1));
    // FADD R5, RZ, UR6
    const RegisterUse uniform = use_of(0x00000006ff057e21, 0x000fe20008000000);
    CHECK(uniform.read_count == 1);
    CHECK(reads(uniform, File::uniform, 6, 1));
}

TEST_CASE("comparisons write predicates and read the accumulated one", "[isa]") {
    // FSETP.LT.AND P0, PT, R4, R5, P0
    const RegisterUse use = use_of(0x000000050400720b, 0x001fc80000701000);
    CHECK(use.write_count == 1);
    CHECK(writes(use, File::predicate, 0, 1));
    CHECK(reads(use, File::predicate, 0, 1));
}

TEST_CASE("a double takes register pairs", "[isa]") {
    // DADD R6, |R2|, R4: the second register lies in the C slot
    const RegisterUse use = use_of(0x0000000002067229, 0x008fce0000000204);
    CHECK(reads(use, File::vector, 2, 2, 0));
    CHECK(reads(use, File::vector, 4, 2, 2));
    CHECK(writes(use, File::vector, 6, 2));
}
