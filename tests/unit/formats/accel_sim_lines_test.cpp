// Lines of Accel-Sim's traces. Origin of the examples: Accel-Sim's issues 5 (version 2's line, here without the block
// and warp that its post-processing takes off) and 152, "Accel-SIM Code Study"
// (github.com/apuaaChen/Accel-SIM-Code-Study, version 3), and the format that Accel-Sim's tracer and reader define.
#include <catch2/catch.hpp>

#include <string>

#include "sim/formats/accel_sim/instruction_line.hpp"

using namespace sassafras;
using namespace sassafras::sim::accel_sim;

namespace {

InstructionLine parsed(std::string_view text, int version = 5, bool source_lines = false) {
    InstructionLine line;
    const auto done = parse_instruction_line(text, {version, source_lines}, line);
    if (!done) FAIL(std::string(text) + ": " + done.error().message());
    return line;
}

std::string refused_text(std::string_view text, int version = 5, bool source_lines = false) {
    InstructionLine line;
    const auto done = parse_instruction_line(text, {version, source_lines}, line);
    return done ? "taken" : done.error().what;
}

constexpr TracedRegister r(std::uint8_t number) { return {TracedRegister::File::vector, number}; }

}  // namespace

TEST_CASE("an instruction without memory: Accel-Sim's issue 5") {
    const InstructionLine line = parsed("0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0", 3);
    CHECK(line.pc == 0);
    CHECK(line.mask == 0xffffffff);
    CHECK(line.opcode == "IMAD.MOV.U32");
    REQUIRE(line.destinations().size() == 1);
    CHECK(line.destinations()[0] == r(1));
    REQUIRE(line.sources().size() == 2);
    CHECK(line.sources()[1] == r(255));
    CHECK(line.width == 0);
    CHECK(line.instruction == "1 R1 IMAD.MOV.U32 2 R255 R255");
}

TEST_CASE("no lane executes: Accel-SIM Code Study and Accel-Sim's issue 152") {
    const InstructionLine shuffle = parsed("0010 00000000 0 SHFL.IDX 4 R255 R255 R255 R255 0 ", 3);
    CHECK(shuffle.mask == 0);
    CHECK(shuffle.destinations().empty());
    CHECK(shuffle.sources().size() == 4);
    const InstructionLine load = parsed("c3c0 00000000 1 R28 LD.E.64 1 R24 8 1 0x0 0 ", 4);
    CHECK(load.pc == 0xc3c0);
    CHECK(load.width == 8);
}

TEST_CASE("differences between lanes: Accel-SIM Code Study") {
    // Its line has 31 differences after the base: 32 lanes.
    const InstructionLine line = parsed(
        "1020 ffffffff 1 R24 LDG.E.128.CONSTANT.SYS 1 R44 16 2 0x7efe7b60c300 16 16 16 2000 16 16 16 976 16 16 16 2000 "
        "16 "
        "16 16 6096 16 16 16 4048 16 16 16 3024 16 16 16 976 16 16 16 ",
        3);
    CHECK(line.address[0] == 0x7efe7b60c300);
    CHECK(line.address[3] == 0x7efe7b60c300 + 48);
    CHECK(line.address[4] == 0x7efe7b60c300 + 48 + 2000);
    CHECK(line.address[31] == 0x7efe7b60c300 + 24 * 16 + 2000 + 976 + 2000 + 6096 + 4048 + 3024 + 976);
}

TEST_CASE("addresses of only some lanes, in each mode") {
    const InstructionLine list = parsed("0040 00000011 0 STG.E 2 R2 R5 4 0 0x0000000000001000 0x00000000000000ff 0 ");
    CHECK(list.address[0] == 0x1000);
    CHECK(list.address[4] == 0xff);
    const InstructionLine stride = parsed("0040 000000f0 1 R5 LDS 1 R2 4 1 0x40 -4 0 ");
    CHECK(stride.address[4] == 0x40);
    CHECK(stride.address[7] == 0x34);
    const InstructionLine differences = parsed("0040 80000101 1 R5 LDG.E 1 R2 4 2 0x7f0000000000 -16 4096 7 ");
    CHECK(differences.address[0] == 0x7f0000000000);
    CHECK(differences.address[8] == 0x7f0000000000 - 16);
    CHECK(differences.address[31] == 0x7f0000000000 - 16 + 4096);
    CHECK(differences.immediate == 7);
    CHECK(parsed("0040 00000001 1 R5 LDG.E 1 R2 4 2 0x10 0 ").address[0] == 0x10);
}

TEST_CASE("source lines and immediates") {
    const InstructionLine line = parsed("17 00a0 ffffffff 0 DEPBAR.LE 0 0 1 ", 5, true);
    CHECK(line.pc == 0xa0);
    CHECK(line.immediate == 1);
    CHECK(parsed("00a0 ffffffff 0 BAR.SYNC 0 0 -1").immediate == -1);
}

TEST_CASE("lanes before the guard, behind a line of version 5") {
    CHECK(parsed("0010 0000ffff 1 R4 MOV 0 0 0 ").active == 0xffff);  // nothing said: all that came execute
    const InstructionLine load = parsed("0010 0000000f 1 R4 LDG.E 1 R2 4 1 0x7f00 4 0 active=00ff00ff");
    CHECK(load.mask == 0xf);
    CHECK(load.active == 0xff00ff);
    CHECK(load.immediate == 0);
    const InstructionLine off = parsed("0010 00000000 0 BAR.SYNC 0 0 0 active=ffffffff ");
    CHECK(off.mask == 0);
    CHECK(off.active == ~0U);
    CHECK(parsed("17 0010 00000001 0 EXIT 0 0 0 active=3", 5, true).active == 3);

    CHECK(refused_text("0010 0000000f 0 EXIT 0 0 0 active=0000000e") ==
          "lanes of the mask (0000000f) are not among the active ones (0000000e)");
    for (const char* wrong :
         {"active=", "active=0x1f", "active=1ffffffff", "active=1f,", "active=-1", "active=lanes"}) {
        CAPTURE(wrong);
        CHECK(refused_text(std::string("0010 00000001 0 EXIT 0 0 0 ") + wrong) ==
              '"' + std::string(wrong) + "\" is no hexadecimal number of 32 bits");
    }
    CHECK(refused_text("0010 00000001 0 EXIT 0 0 0 Active=1") == "more than an instruction: \"Active=1\"");
    CHECK(refused_text("0010 00000001 0 EXIT 0 0 0 active = 1") == "more than an instruction: \"active\"");
    CHECK(refused_text("0010 00000001 0 EXIT 0 0 0 active=1 active=1") == "more than an instruction: \"active=1\"");
    CHECK(refused_text("0010 00000001 0 EXIT 0 0 active=1") == "no immediate, or one that is no decimal number");
    // Only what we export has it.
    CHECK(refused_text("0010 00000001 0 EXIT 0 0 0 active=1", 4) == "more than an instruction: \"active=1\"");
    CHECK(refused_text("0010 00000001 0 EXIT 0 0 0 NoVal active=1", 6) == "more than an instruction: \"active=1\"");
}

TEST_CASE("version 6: registers of every file, values of registers") {
    const InstructionLine line = parsed("0030 ffffffff 4 R20 R21 R22 R23 HMMA.16816.F32 3 R20 R24 R26 0 0 0 NoVal", 6);
    CHECK(line.destinations().size() == 4);
    const InstructionLine uniform = parsed("0030 ffffffff 2 R20 P0 IADD3 4 R20 UR4 UP1 P3 0 0 NoVal", 6);
    CHECK(uniform.destinations()[1] == TracedRegister{TracedRegister::File::predicate, 0});
    CHECK(uniform.sources()[1] == TracedRegister{TracedRegister::File::uniform, 4});
    CHECK(uniform.sources()[2] == TracedRegister{TracedRegister::File::uniform_predicate, 1});
    (void)parsed("0010 ffffffff 1 R4 LDG.E.128 1 R2 16 1 0x7f00 0 0 NoVal", 6);
    (void)parsed("0010 ffffffff 1 R4 MOV 1 R2 0 0 0 Val 1 0xff 1 0x0", 6);
    std::string values = "32";
    for (int lane = 0; lane < 32; ++lane) values += " 0x1";
    (void)parsed("0010 ffffffff 1 R4 MOV 1 R2 0 0 0 Val " + values + " 1 0x0", 6);
    CHECK(refused_text("0010 ffffffff 1 R4 MOV 1 R2 0 0 0 Val 2 0x0 0x1 1 0x0", 6) ==
          "a register has neither one value nor one a lane");
    CHECK(refused_text("0010 ffffffff 1 R4 MOV 1 R2 0 0 0", 6) == "neither Val nor NoVal follows the immediates");
    CHECK(refused_text("0010 ffffffff 0 UTMALDG.2D 0 128", 6) == "UTMALDG.2D is not modelled");
    CHECK(refused_text("0030 ffffffff 1 R20 IADD3 1 UR4 0 0") == "\"UR4\" is no source register of version 5");
}

TEST_CASE("what is malformed is refused") {
    CHECK(refused_text("") == "the pc is no hexadecimal number of 32 bits");
    CHECK(refused_text("zz ffffffff 0 EXIT 0 0 0") == "the pc is no hexadecimal number of 32 bits");
    CHECK(refused_text("0010 fffffffff 0 EXIT 0 0 0") == "the mask is no hexadecimal number of 32 bits");
    CHECK(refused_text("0010 ffffffff x EXIT 0 0 0") == "the number of destination registers is no number");
    CHECK(refused_text("0010 ffffffff 99 EXIT 0 0 0") == "99 destination registers; an instruction has at most 16");
    CHECK(refused_text("0010 ffffffff 1 EXIT 0 0 0") == "\"EXIT\" is no destination register of version 5");
    CHECK(refused_text("0010 ffffffff 1 R256 MOV 0 0 0") == "\"R256\" is no destination register of version 5");
    CHECK(refused_text("0010 ffffffff 0 0 0 0") == "\"0\" is no opcode");
    CHECK(refused_text("0010 ffffffff 0 EXIT") == "the number of source registers is no number");
    CHECK(refused_text("0010 ffffffff 0 EXIT 0") == "the width of the memory access is no number");
    CHECK(refused_text("0010 ffffffff 0 EXIT 0 0") == "no immediate, or one that is no decimal number");
    CHECK(refused_text("0010 ffffffff 0 EXIT 0 0 0x1") == "no immediate, or one that is no decimal number");
    CHECK(refused_text("0010 ffffffff 0 EXIT 0 0 0 0") == "more than an instruction: \"0\"");
    CHECK(refused_text("0010 00000003 1 R2 LDG.E 1 R2 4 3 0x0 0") == "the mode of the addresses is none of 0, 1 and 2");
    CHECK(refused_text("0010 00000003 1 R2 LDG.E 1 R2 4 0 0x10") ==
          "fewer addresses than lanes in the mask, or one that is no number");
    CHECK(refused_text("0010 00000003 1 R2 LDG.E 1 R2 4 1 base 4 0") ==
          "the base of the addresses is no hexadecimal number");
    CHECK(refused_text("0010 00000003 1 R2 LDG.E 1 R2 4 1 0x10 four 0") ==
          "the stride of the addresses is no decimal number");
    CHECK(refused_text("0010 00000005 1 R2 LDG.E 1 R2 4 1 0x10 4 0") ==
          "a stride (mode 1) over lanes that are not consecutive");
    // A difference too many, as readers before 2.0 expect in mode 2, leaves the immediate where nothing should be.
    CHECK(refused_text("0010 00000003 1 R2 LDG.E 1 R2 4 2 0x10 4 4 0") == "more than an instruction: \"0\"");
    CHECK(refused_text("0010 00000003 1 R2 LDG.E 1 R2 4 2 0x10 4") == "no immediate, or one that is no decimal number");
    CHECK(refused_text("line 0010 ffffffff 0 EXIT 0 0 0", 5, true) == "the source line is no number");
}
