// A trace of Accel-Sim that was changed anywhere is refused with its name, or read; nothing else. And addresses come
// out as they went in, in each mode.
#include <catch2/catch.hpp>

#include <bit>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "core/random.hpp"
#include "sim/formats/accel_sim/kernel_export.hpp"
#include "sim/formats/accel_sim/kernel_import.hpp"
#include "sim/formats/trace_file/file_trace_source.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::accel_sim;

namespace {

const std::string whole =
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 64\n-nregs = 16\n-binary version = 80\n"
    "-shmem base_addr = 0x00007f8125000000\n-local mem base_addr = 0x00007f8123000000\n-accelsim tracer version = 5\n"
    "-enable lineinfo = 0\n#traces format\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 9\n"
    "0000 ffffffff 1 R1 IMAD.MOV.U32 0 0 0 \n"
    "0010 ffffffff 1 R4 LDG.E.64 1 R2 8 1 0x7f0000000000 8 0 \n"
    "0020 0000000f 0 STS 2 R0 R4 4 0 0x0 0x4 0x8 0xc 0 \n"
    "0030 00000101 0 STG.E 2 R2 R5 4 2 0x7f0000000000 -16 0 \n"
    "0040 ffffffff 0 LDGSTS.E.BYPASS.128 2 R6 R8 16 1 0x7f0000001000 16 0 \n"
    "0050 ffffffff 0 LDGDEPBAR 0 0 0 \n"
    "0060 ffffffff 0 DEPBAR.LE 0 0 1 \n"
    "0070 ffffffff 0 BAR.SYNC 0 0 0 \n"
    "0080 ffffffff 0 EXIT 0 0 0 \n#END_TB\n";

}  // namespace

TEST_CASE("a damaged trace is refused or read") {
    std::string folder = (std::filesystem::temp_directory_path() / "sassafras-accel-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    int refused = 0;
    constexpr int times = 4000;
    for (std::uint64_t seed = 0; seed < times; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        std::string text = whole;
        for (std::uint64_t change = random.below(3); seed != 0 && change < 3; ++change) {
            const std::size_t at = random.below(text.size());
            constexpr std::string_view characters = "0123456789abcfRxLE.,=- #\n";
            switch (random.below(4)) {
                case 0: text[at] = static_cast<char>(random.below(256)); break;
                case 1: text[at] = characters[random.below(characters.size())]; break;
                case 2: text.erase(at, 1 + random.below(40)); break;
                default: text.insert(at, text.substr(random.below(text.size()), random.below(60)));
            }
        }
        ImportFindings findings;
        const auto open = [&text]() -> Result<LineReader> {
            return LineReader(std::make_unique<std::istringstream>(text), "k.traceg", false);
        };
        const auto launch = import_kernel(open, folder, 0, findings);
        if (seed == 0) REQUIRE(launch);
        if (launch) {
            std::filesystem::remove(folder + "/" + launch->file);
            continue;
        }
        ++refused;
        REQUIRE(!launch.error().what.empty());
        REQUIRE(launch.error().where.find("k.traceg, ") == 0);
    }
    std::filesystem::remove_all(folder);
    CHECK(refused > times / 4);
    CHECK(refused < times);
}

TEST_CASE("addresses come out as they went in") {
    for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const std::uint64_t mode = random.below(3);
        std::uint32_t mask = random.next_u32();
        if (mode == 1)
            mask = static_cast<std::uint32_t>((std::uint64_t{1} << (1 + random.below(32))) - 1) << random.below(32);
        const auto stride = static_cast<std::int64_t>(random.below(2048)) - 1024;
        std::array<std::uint64_t, warp_size> address{};
        std::ostringstream text;
        text << "0010 " << std::hex << mask << " 1 R4 LDG.E 1 R2 4 " << mode << " ";
        std::uint64_t last = 0;
        bool first = true;
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1, first = false) {
            auto& here = address[static_cast<std::size_t>(std::countr_zero(rest))];
            const std::uint64_t step = mode == 2 ? random.next_u64() >> 20U : static_cast<std::uint64_t>(stride);
            here = first ? random.next_u64() >> 16U : mode == 0 ? random.next_u64() : last + step;
            if (mode == 0 || first) text << "0x" << std::hex << here << " ";
            if (mode == 2 && !first) text << std::dec << static_cast<std::int64_t>(here - last) << " ";
            last = here;
        }
        if (mode != 0 && mask == 0) text << "0x0 ";
        if (mode == 1) text << std::dec << stride << " ";
        text << std::dec << 5 << " ";
        InstructionLine line;
        const auto done = parse_instruction_line(text.str(), {5, false}, line);
        if (!done) FAIL(text.str() + ": " + done.error().message());
        REQUIRE(line.mask == mask);
        REQUIRE(line.immediate == 5);
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            if ((mask >> lane & 1U) != 0) REQUIRE(line.address[lane] == address[lane]);
    }
}

namespace {

/// One warp as we export it: lanes leave at guarded EXITs, the others come to what follows; of those that come to an
/// access, a barrier or a pause any execute it, none included.
std::string random_warp(Random& random) {
    std::ostringstream text;
    std::uint32_t pc = 0;
    const auto line = [&](std::uint32_t mask, std::uint32_t active, const std::string& rest) {
        text << fmt::format("{:04x} {:08x} {} {}\n", pc, mask, rest,
                            mask == active ? "" : fmt::format("active={:08x}", active));
        pc += 16;
    };
    const auto address = [&] { return random.below(1U << 30U) * 4; };
    std::uint32_t alive = ~0U;
    for (std::uint64_t left = 1 + random.below(60); left != 0; --left) {
        const std::uint32_t active = random.below(3) == 0 ? alive & random.next_u32() : alive;
        const std::uint32_t mask = random.below(4) == 0 ? 0 : active & random.next_u32();
        // Lanes that follow one another are a base and a stride, others a list.
        const std::uint32_t run = mask == 0 ? 0 : mask >> static_cast<unsigned>(std::countr_zero(mask));
        std::string list = "0 ";
        for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) list += fmt::format("0x{:016x} ", address());
        if ((run & (run + 1)) == 0)
            list = fmt::format("1 0x{:x} {} ", mask == 0 ? 0 : address(), std::popcount(mask) < 2 ? 0 : 4);
        switch (random.below(6)) {
            case 0: line(active, active, "1 R4 MOV 0 0 0"); break;
            case 1: line(mask, active, "1 R4 LDG.E 1 R2 4 " + list + "0"); break;
            case 2: line(mask, active, "0 LDGSTS.E 2 R6 R8 4 " + list + "0"); break;
            case 3: line(random.below(2) == 0 ? 0 : active, active, "0 BAR.SYNC 0 0 0"); break;
            case 4: line(random.below(2) == 0 ? 0 : active, active, "0 NANOSLEEP 0 0 0"); break;
            default: line(mask & ~1U, active, "0 EXIT 0 0 0"); alive &= ~(mask & ~1U);
        }
    }
    line(alive, alive, "0 EXIT 0 0 0");
    return fmt::format("warp = 0\ninsts = {}\n{}", pc / 16, text.str());
}

}  // namespace

TEST_CASE("what we exported comes out again as it was, with the lanes before and after each guard") {
    std::string folder = (std::filesystem::temp_directory_path() / "sassafras-accel-XXXXXX").string();
    REQUIRE(mkdtemp(folder.data()) != nullptr);
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const std::string warp = random_warp(random);
        const std::string text = whole.substr(0, whole.find("warp = 0")) + warp + "#END_TB\n";
        ImportFindings findings;
        const auto open = [&text]() -> Result<LineReader> {
            return LineReader(std::make_unique<std::istringstream>(text), "k.traceg", false);
        };
        const auto launch = import_kernel(open, folder, 0, findings);
        if (!launch) FAIL(launch.error().message());
        auto reader = TraceFileReader::open(folder + "/" + launch->file);
        std::filesystem::remove(folder + "/" + launch->file);  // the reader has it
        REQUIRE(reader);
        FileTraceSource source(std::move(*reader));
        std::ostringstream out;
        REQUIRE(export_kernel(source, 1, [&out](std::string_view more) { out << more; }));
        const std::string again = out.str();
        const std::size_t begin = again.find("warp = 0");
        REQUIRE(begin != std::string::npos);
        CHECK(again.substr(begin, again.find("\n#END_TB") - begin) == warp);
    }
    std::filesystem::remove_all(folder);
}
