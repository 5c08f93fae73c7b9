// What is derived from the instruction list: names, classes and forms of operations. What is expected is nvdisasm's.
#include <algorithm>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "isa/sass/fields.hpp"
#include "isa/sass/instruction.hpp"
#include "isa/sass/table_rows.hpp"

namespace {

using namespace sassafras::isa;

Instruction with_key(unsigned key, Architecture architecture = Architecture::sm_90) {
    Word128 word;
    word.low = key & 0xfffU;
    word.high = static_cast<std::uint64_t>(key >> 12U) << 27U;
    auto decoded = decode(word, architecture);
    REQUIRE(decoded.ok());
    return *decoded;
}

}  // namespace

TEST_CASE("each operation of the enumeration has an encoding", "[isa]") {
    for (std::uint16_t i = 1; i < static_cast<std::uint16_t>(Opcode::count_); ++i) {
        INFO(opcode_names[i]);
        CHECK(std::any_of(table::rows.begin(), table::rows.end(),
                          [&](const OpcodeRow& row) { return row.opcode == static_cast<Opcode>(i); }));
    }
}

TEST_CASE("operations are called what nvdisasm calls them", "[isa]") {
    CHECK(std::string(mnemonic(Opcode::FFMA)) == "FFMA");
    CHECK(std::string(mnemonic(Opcode::UCGABAR_ARV)) == "UCGABAR_ARV");
    CHECK(std::string(mnemonic(Opcode::RED)) == "REDG");
    CHECK(std::string(mnemonic(Opcode::HFMA2_MMA)) == "HFMA2.MMA");
    for (const Opcode product : {Opcode::IMAD, Opcode::IMAD_WIDE, Opcode::IMAD_HI})
        CHECK(std::string(mnemonic(product)) == "IMAD");
    for (const Opcode product : {Opcode::UIMAD, Opcode::UIMAD_WIDE, Opcode::UIMAD_HI})
        CHECK(std::string(mnemonic(product)) == "UIMAD");
    CHECK(std::string(mnemonic(Opcode::invalid)) == "invalid");
    CHECK(std::string(mnemonic(Opcode::count_)) == "invalid");
}

TEST_CASE("the operations that access memory are these", "[isa]") {
    const std::set<std::string> expected{"LDG",  "STG",    "LD",    "ST",   "LDS",   "STS",  "LDL",  "STL",   "LDSM",
                                         "STSM", "LDGSTS", "ATOMG", "ATOM", "ATOMS", "REDG", "STAS", "REDAS", "SYNCS"};
    std::set<std::string> found;
    for (std::uint16_t i = 0; i < static_cast<std::uint16_t>(Opcode::count_); ++i)
        if (is_memory_access(static_cast<Opcode>(i))) found.insert(mnemonic(static_cast<Opcode>(i)));
    CHECK(found == expected);
}

TEST_CASE("the uniform datapath has equivalents of operations on vectors", "[isa]") {
    CHECK(vector_equivalent(Opcode::UIADD3) == Opcode::IADD3);
    CHECK(vector_equivalent(Opcode::UIMAD_WIDE) == Opcode::IMAD_WIDE);
    CHECK(vector_equivalent(Opcode::UMOV) == Opcode::MOV);
    CHECK(vector_equivalent(Opcode::R2UR) == Opcode::invalid);
    CHECK(vector_equivalent(Opcode::IADD3) == Opcode::invalid);
}

TEST_CASE("forms tell encodings of one operation apart", "[isa]") {
    CHECK(with_key(0x0947).form == Form::plain);              // BRA `(target)
    CHECK(with_key(0x1547).form == Form::uniform_predicate);  // BRA UP0, `(target)
    CHECK(with_key(0x0943).form == Form::plain);              // CALL.ABS
    CHECK(with_key(0x0944).form == Form::relative);           // CALL.REL
    CHECK(with_key(0x0b1d).form == Form::plain);              // BAR 0x0
    CHECK(with_key(0x031d).form == Form::name_and_count);     // BAR R2, R2
    CHECK(with_key(0x1290).form == Form::plain);              // UIADD3
    CHECK(with_key(0x1497).form == Form::wide);               // UIADD3.64
    CHECK(with_key(0x0305).form == Form::plain);              // F2I
    CHECK(with_key(0x0311).form == Form::wide);               // F2I.F64
    CHECK(with_key(0x19a8).form == Form::plain);              // ATOMG.E.ADD
    CHECK(with_key(0x19a3).form == Form::floating);           // ATOMG.E.ADD.F32
    CHECK(with_key(0x03a9).form == Form::compare_and_swap);   // ATOMG.E.CAS
    CHECK(names_uniform_register(with_key(0x1981)));          // LDG desc[UR4][R2.64]
    CHECK_FALSE(names_uniform_register(with_key(0x0381)));
}
