// The words that stand for traced instructions: operation, unit, registers and accesses are those of the text.
#include <catch2/catch.hpp>

#include <set>
#include <string>

#include "isa/program/program.hpp"
#include "isa/sass/fields.hpp"
#include "sim/access/memory_site.hpp"
#include "sim/formats/accel_sim/exported_instruction.hpp"
#include "sim/formats/accel_sim/instruction_word.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::accel_sim;

namespace {

isa::Instruction word_for(const std::string& instruction, int version = 5, int immediate = 0) {
    const std::string text =
        "0000 00000000 " + instruction + " 0 " + std::to_string(immediate) + (version == 6 ? " NoVal" : "");
    InstructionLine line;
    if (const auto done = parse_instruction_line(text, {version, false}, line); !done) FAIL(done.error().message());
    const auto word = word_of(line);
    if (!word) FAIL(text + ": " + word.error().message());
    const auto decoded = isa::decode(*word);
    if (!decoded) FAIL(text + ": " + decoded.error().message());
    return *decoded;
}

std::string name_of(isa::RegisterSpan::File file) {
    switch (file) {
        case isa::RegisterSpan::File::vector: return "R";
        case isa::RegisterSpan::File::uniform: return "UR";
        case isa::RegisterSpan::File::predicate: return "P";
        case isa::RegisterSpan::File::uniform_predicate: return "UP";
    }
    return "";
}

template <class Spans>
std::set<std::string> names(const Spans& spans, std::size_t count) {
    std::set<std::string> found;
    for (std::size_t i = 0; i < count; ++i)
        for (int number = spans[i].first; number < spans[i].first + spans[i].count; ++number)
            found.insert(name_of(spans[i].file) + std::to_string(number));
    return found;
}
std::set<std::string> reads(const isa::Instruction& one) {
    const auto use = isa::register_use(one);
    return names(use.reads, use.read_count);
}
std::set<std::string> writes(const isa::Instruction& one) {
    const auto use = isa::register_use(one);
    return names(use.writes, use.write_count);
}
using Names = std::set<std::string>;

}  // namespace

TEST_CASE("registers of arithmetic, as wide as the operation says") {
    const auto ffma = word_for("1 R4 FFMA 3 R1 R2 R3");
    CHECK(ffma.opcode == isa::Opcode::FFMA);
    CHECK(ffma.pipe == isa::Pipe::fma);
    CHECK(reads(ffma) == Names{"R1", "R2", "R3"});
    CHECK(writes(ffma) == Names{"R4"});
    // A product by a constant: the two registers are the factor and the wide addend.
    const auto wide = word_for("1 R2 IMAD.WIDE 2 R3 R4");
    CHECK(wide.opcode == isa::Opcode::IMAD_WIDE);
    CHECK(reads(wide) == Names{"R3", "R4", "R5"});
    CHECK(writes(wide) == Names{"R2", "R3"});
    CHECK(reads(word_for("1 R6 DFMA 3 R8 R10 R12")) == Names{"R8", "R9", "R10", "R11", "R12", "R13"});
    CHECK(reads(word_for("1 R6 IADD3 3 R8 R9 R255")) == Names{"R8", "R9"});
    CHECK(reads(word_for("1 R6 MOV 0")).empty());
    CHECK(writes(word_for("0 ISETP.GE.AND 2 R1 R2")).empty());  // version 5 says nothing of predicates
    CHECK(writes(word_for("1 R2 F2F.F64.F32 1 R7")) == Names{"R2", "R3"});
    CHECK(reads(word_for("1 R2 F2F.F32.F64 1 R6")) == Names{"R6", "R7"});
    CHECK(reads(word_for("1 R2 F2I.F64.TRUNC 1 R6")) == Names{"R6", "R7"});
    CHECK(writes(word_for("1 R2 I2F.F64 1 R6")) == Names{"R2", "R3"});
    CHECK(reads(word_for("1 R4 HMMA.16816.F32 3 R8 R12 R4")) ==
          Names{"R8", "R9", "R10", "R11", "R12", "R13", "R4", "R5", "R6", "R7"});
}

TEST_CASE("names that only other architectures have") {
    CHECK(word_for("1 R4 FADD32I 1 R1").opcode == isa::Opcode::FADD);
    CHECK(word_for("1 R4 IMNMX 2 R1 R2").opcode == isa::Opcode::IMNMX);
    CHECK(word_for("0 RED.E.ADD.STRONG.GPU 2 R2 R4").opcode == isa::Opcode::RED);
    CHECK(word_for("0 REDG.E.ADD.STRONG.GPU 2 R2 R4").opcode == isa::Opcode::RED);
}

TEST_CASE("accesses: space, width, registers") {
    const auto site = [](const std::string& text) { return memory_site(word_for(text)); };
    CHECK(site("1 R4 LDG.E.128.CONSTANT.SYS 1 R2").width == 16);
    CHECK(site("1 R4 LDG.E.128.CONSTANT.SYS 1 R2").space == MemorySpace::global);
    CHECK(site("1 R4 LDG.E.U8 1 R2").width == 1);
    CHECK(site("1 R4 LDG.E.S16 1 R2").width == 2);
    CHECK(site("1 R4 LDS.U.64 1 R2").width == 8);
    CHECK(site("1 R4 LDS.U.64 1 R2").space == MemorySpace::shared);
    CHECK(site("0 STL.64 2 R1 R4").space == MemorySpace::local);
    CHECK(site("1 R28 LD.E.64 1 R24").space == MemorySpace::generic);
    CHECK(site("0 RED.E.ADD.F64.RN.STRONG.GPU 2 R2 R4").width == 8);
    CHECK(site("1 R0 ATOMS.POPC.INC.32 1 R2").kind == SharedAccessKind::count);
    CHECK(site("1 R0 LDSM.16.M88.4 1 R2").kind == SharedAccessKind::matrix_load);
    CHECK(site("0 LDGSTS.E.BYPASS.128 2 R6 R8").copies_to_shared);
    CHECK(site("0 LDGSTS.E.BYPASS.LTC128B.128 2 R6 R8").width == 16);
    for (const char* name : {"LDGSTS.E", "LDGSTS.E.BYPASS.LTC128B.128", "LDG.E.LTC64B.128.CONSTANT", "LDG.E.EF.U8"}) {
        const bool copies = std::string(name).starts_with("LDGSTS");
        const auto word =
            word_for(copies ? std::string("0 ") + name + " 2 R6 R8" : std::string("1 R4 ") + name + " 1 R2");
        const std::string text = isa::print(word, 0);
        CHECK(text.substr(0, text.find(' ')) == name);
    }
    CHECK(reads(word_for("1 R4 LDG.E.64 1 R2")) == Names{"R2", "R3"});
    CHECK(writes(word_for("1 R4 LDG.E.64 1 R2")) == Names{"R4", "R5"});
    CHECK(reads(word_for("0 STG.E.128 2 R2 R8")) == Names{"R2", "R3", "R8", "R9", "R10", "R11"});
    CHECK(reads(word_for("0 STS 2 R0 R255")) == Names{"R0"});
    CHECK(reads(word_for("0 LDGSTS.E.BYPASS.128 2 R6 R8")) == Names{"R6", "R8", "R9"});
    CHECK(reads(word_for("1 R0 ATOMG.E.CAS.STRONG.GPU 3 R2 R4 R5")) == Names{"R2", "R3", "R4", "R5"});
}

TEST_CASE("what is exported of an instruction is what it was made of") {
    for (const char* text :
         {"1 R4 FFMA 3 R1 R2 R3", "1 R4 LDG.E.64 1 R2", "0 STG.E 2 R2 R5", "0 LDGSTS.E.BYPASS.128 2 R6 R8", "0 EXIT 0",
          // A result to RZ: Accel-Sim's loads without a destination never complete.
          "1 R255 LDS 1 R3", "1 R255 ATOMG.E.ADD.STRONG.GPU 2 R2 R4"}) {
        CAPTURE(text);
        CHECK(exported(word_for(text), 16).text == std::string(text) + " ");
        CHECK(exported(word_for(text), 16).pc == "0010 ");
    }
    CHECK(exported(word_for("0 EXIT 0"), 0).ends_lanes);
    CHECK(!exported(word_for("0 BRA 0"), 0).ends_lanes);
}

TEST_CASE("barriers and copies") {
    CHECK(word_for("0 BAR.SYNC.DEFER_BLOCKING 1 R255").opcode == isa::Opcode::BAR);
    CHECK(reads(word_for("0 BAR.SYNC.DEFER_BLOCKING 1 R255")).empty());
    CHECK(word_for("0 BAR.ARV 0").word.get(isa::fields::barrier_mode) == 1);
    CHECK(word_for("0 MEMBAR.SC.GPU 0").word.get(isa::fields::membar_scope) == 2);
    CHECK(word_for("0 MEMBAR.ALL.CTA 0").word.get(isa::fields::membar_scope) == 0);
    const auto wait = word_for("0 DEPBAR.LE 0", 5, 3);
    CHECK(wait.word.get(isa::fields::depbar_count) == 3);
    // The copies' scoreboard is the one that DEPBAR waits for.
    CHECK(wait.word.get(isa::fields::depbar_scoreboard) == word_for("0 LDGDEPBAR 0").control.write_barrier);
}

TEST_CASE("no predicate is waited for that the trace does not name") {
    for (const char* text :
         {"1 R4 IADD3 3 R1 R2 R3", "1 R4 SEL 2 R1 R2", "0 ISETP.GE.AND 2 R1 R2", "0 BRA 0", "0 EXIT 0",
          "1 R4 LDG.E 1 R2", "1 R4 SHFL.IDX 3 R1 R2 R3", "0 BSSY 0", "0 BSYNC 0", "1 R4 VOTE.ANY 0", "0 PLOP3.LUT 0",
          "1 R4 LOP3.LUT 3 R1 R2 R3", "1 R4 HMMA.16816.F32 3 R8 R12 R4", "0 WARPSYNC 0", "0 BAR.SYNC 0",
          "1 R0 ATOMG.E.ADD 2 R2 R4", "0 CALL.REL.NOINC 1 R20"}) {
        CAPTURE(text);
        for (const std::string& name : reads(word_for(text))) CHECK(name.front() == 'R');
        for (const std::string& name : writes(word_for(text))) CHECK(name.front() == 'R');
    }
}

TEST_CASE("version 6 names predicates and uniform registers") {
    CHECK(writes(word_for("1 P2 ISETP.GE.AND 2 R1 R2", 6)) == Names{"P2"});
    CHECK(reads(word_for("0 BRA 1 P2", 6)) == Names{"P2"});
    const auto add = word_for("1 R4 IADD3 2 R1 UR6", 6);
    CHECK(reads(add) == Names{"R1", "UR6"});
    CHECK(writes(word_for("1 UR6 UIADD3 2 UR4 UR5", 6)) == Names{"UR6"});
}

TEST_CASE("operations without time or name are refused, not guessed") {
    const auto refused = [](const std::string& instruction) {
        const std::string text = "0000 00000000 " + instruction + " 0 0";  // the line's opcode points into it
        InstructionLine line;
        REQUIRE(parse_instruction_line(text, {5, false}, line));
        const auto word = word_of(line);
        REQUIRE(!word);
        CHECK(word.error().kind == ErrorKind::not_modelled);
        return word.error().what;
    };
    CHECK(refused("1 R4 XMAD.MRG 2 R1 R2") == "XMAD.MRG is no operation that the model knows");
    CHECK(refused("1 R4 TEX 2 R1 R2") == "TEX is not modelled");
    CHECK(refused("1 R24 HGMMA.64x64x16.F32 1 R24") == "HGMMA.64x64x16.F32 is not modelled");
}
