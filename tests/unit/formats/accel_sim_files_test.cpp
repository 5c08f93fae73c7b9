// kernelslist.g and .traceg files: what is read, and that each fault is refused with file and line. The header is that
// of "Accel-SIM Code Study" (github.com/apuaaChen/Accel-SIM-Code-Study), with a smaller grid.
#include <catch2/catch.hpp>

#include <lzma.h>

#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "sim/formats/accel_sim/kernel_import.hpp"
#include "sim/formats/accel_sim/kernels_list.hpp"
#include "sim/formats/trace_file/file_trace_source.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::accel_sim;

namespace {

const std::string header =
    "-kernel name = KERNEL_NAME\n"
    "-kernel id = 1\n"
    "-grid dim = (2,1,1)\n"
    "-block dim = (48,1,1)\n"
    "-shmem = 0\n"
    "-nregs = 48\n"
    "-binary version = 70\n"
    "-cuda stream id = 0\n"
    "-shmem base_addr = 0x00007efeb0000000\n"
    "-local mem base_addr = 0x00007efeb2000000\n"
    "-nvbit version = 1.5\n"
    "-accelsim tracer version = 3\n"
    "\n"
    "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] "
    "[mem_addresses]\n"
    "\n";

std::string block(const std::string& at, const std::string& first,
                  const std::string& second = "0060 0000ffff 0 EXIT 0 0\n") {
    const auto warp = [](int number, const std::string& lines) {
        return "\nwarp = " + std::to_string(number) +
               "\ninsts = " + std::to_string(std::count(lines.begin(), lines.end(), '\n')) + "\n" + lines;
    };
    return "\n#BEGIN_TB\n\nthread block = " + at + "\n" + warp(0, first) + warp(1, second) + "\n#END_TB\n";
}

const std::string body =
    "0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 \n"
    "0010 00000000 0 SHFL.IDX 4 R255 R255 R255 R255 0 \n"
    "0020 ffffffff 1 R2 LDG.E 1 R44 4 1 0x7efe7b60c300 4 \n"
    "0030 0000ffff 0 STS 2 R0 R2 4 1 0x7efeb0000010 8 \n"
    "0040 ffffffff 1 R6 LD.E.64 1 R24 8 1 0x7efeb0000100 8 \n"
    "0050 ffffffff 0 BAR.SYNC 0 0 \n"
    "0060 ffffffff 0 EXIT 0 0 \n";
const std::string exits = "0060 ffffffff 0 EXIT 0 0\n";
const std::string whole = header + block("0,0,0", body) + block("1,0,0", exits);

OpenLines lines_of(std::string text) {
    return [text = std::move(text)]() -> Result<LineReader> {
        return LineReader(std::make_unique<std::istringstream>(text), "kernel-1.traceg", false);
    };
}

class Scratch {
  public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "sassafras-accel-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) FAIL("no temporary folder");
        path = name;
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() { std::filesystem::remove_all(path); }
    std::string path;
};

std::string refused_folder(const std::string& text) {
    const Scratch scratch;
    ImportFindings findings;
    const auto launch = import_kernel(lines_of(text), scratch.path, 0, findings);
    return launch ? "taken" : launch.error().what + " [" + launch.error().where + "]";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

std::vector<std::uint8_t> compressed(const std::string& text) {
    std::vector<std::uint8_t> bytes(lzma_stream_buffer_bound(text.size()));
    std::size_t used = 0;
    REQUIRE(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()),
                                    text.size(), bytes.data(), &used, bytes.size()) == LZMA_OK);
    bytes.resize(used);
    return bytes;
}

LineReader xz_lines(const std::vector<std::uint8_t>& bytes) {
    return {std::make_unique<std::istringstream>(std::string(bytes.begin(), bytes.end())), "k.traceg.xz", true};
}

KernelsList list_of(const std::string& text) {
    auto list = read_kernels_list({std::make_unique<std::istringstream>(text), "run/kernelslist.g", false});
    if (!list) FAIL(list.error().message());
    return *list;
}
std::string list_refused(const std::string& text) {
    const auto list = read_kernels_list({std::make_unique<std::istringstream>(text), "run/kernelslist.g", false});
    return list ? "taken" : list.error().what + " [" + list.error().where + "]";
}

/// The only kernel of `text`, imported and opened.
std::unique_ptr<FileTraceSource> imported(const std::string& text, const Scratch& scratch, ImportFindings& findings) {
    const auto launch = import_kernel(lines_of(text), scratch.path, 0, findings);
    if (!launch) FAIL(launch.error().message());
    auto reader = TraceFileReader::open(scratch.path + "/" + launch->file);
    REQUIRE(reader);
    return std::make_unique<FileTraceSource>(std::move(*reader));
}

WarpTrace& first_warp(TraceSource& source) {
    const auto started = source.start(0);
    REQUIRE(started);
    return (**started).warps[0];
}

}  // namespace

TEST_CASE("a list of kernels: Accel-SIM Code Study") {
    const KernelsList list = list_of(
        "MemcpyHtoD,0x00007efe7b500000,2052\nMemcpyHtoD,0x00007efe7b500a00,262144\nkernel-1.traceg\n\nMemcpyDtoH,0x0,"
        "4\n"
        "kernel-2.traceg.xz");
    CHECK(list.copies == 2);
    CHECK(list.traces == std::vector<std::string>{"run/kernel-1.traceg", "run/kernel-2.traceg.xz"});
    CHECK(list_refused("MemcpyHtoD,0x0\n") ==
          "a copy that is not MemcpyHtoD,0x<address>,<bytes> [run/kernelslist.g, line 1]");
    CHECK(list_refused("\nkernel-1.trace\n") ==
          "\"kernel-1.trace\" is no .traceg or .traceg.xz [run/kernelslist.g, line 2]");
    CHECK(list_refused("kernel-1.tracez\n") == "traces of the form .tracez are not read [run/kernelslist.g, line 1]");
    CHECK(list_refused("") == "the list names no kernel [run/kernelslist.g]");
}

TEST_CASE("the records of a trace") {
    const Scratch scratch;
    ImportFindings findings;
    const auto launch = import_kernel(lines_of(whole), scratch.path, 0, findings);
    if (!launch) FAIL(launch.error().message());
    CHECK(launch->warp_instructions == 7 + 1 + 1 + 1);
    CHECK(launch->kernel == "KERNEL_NAME");
    auto reader = TraceFileReader::open(scratch.path + "/" + launch->file);
    if (!reader) FAIL(reader.error().message());
    CHECK(reader->header().kernel.registers_per_thread == 48);
    CHECK(reader->program().instructions[2].opcode == isa::Opcode::LDG);
    FileTraceSource source(std::move(*reader));
    const auto started = source.start(0);
    REQUIRE(started);
    WarpTrace& warp = (**started).warps[0];
    REQUIRE(warp.state == WarpTrace::State::exited);
    // Masks part the instructions into segments; BAR ends one.
    const auto next = [&](std::uint32_t first, std::uint32_t count, std::uint32_t mask) {
        const Segment segment = warp.pop_segment();
        CHECK(segment.first == first);
        CHECK(segment.count == count);
        CHECK(segment.mask == mask);
    };
    AccessRecord access;
    next(0, 1, ~0U);
    next(1, 1, 0);
    next(2, 1, ~0U);
    warp.pop_access(access);
    CHECK(access.address[31] == 0x7efe7b60c300 + 124);
    next(3, 1, 0xffff);
    warp.pop_access(access);
    CHECK(access.mask == 0xffff);
    CHECK(access.address[1] == 0x18);  // an offset: the header says where the window is
    next(4, 2, ~0U);
    warp.pop_access(access);
    CHECK(lanes_by_space(MemorySpace::generic, access).shared == ~0U);
    CHECK(warp.pop_value() == 0);  // barrier 0, all threads
    next(6, 1, ~0U);
    CHECK(!warp.has_segment());
}

TEST_CASE("lanes that come to a barrier apart arrive with the last of them") {
    const std::string apart =
        "0000 0000000f 0 BAR.SYNC 0 0\n0010 fffff000 0 EXIT 0 0\n0000 00000ff0 0 BAR.SYNC 0 0\n"
        "0010 00000fff 0 EXIT 0 0\n";
    const Scratch scratch;
    ImportFindings findings;
    const auto source = imported(header + block("0,0,0", apart, "0010 0000ffff 0 EXIT 0 0\n") +
                                     block("1,0,0", "0010 ffffffff 0 EXIT 0 0\n", "0010 0000ffff 0 EXIT 0 0\n"),
                                 scratch, findings);
    WarpTrace& warp = first_warp(*source);
    CHECK(warp.pop_value() == WarpTrace::barrier_partly);
    CHECK(warp.pop_value() == 0);
}

TEST_CASE("lanes before a guard come to an instruction, those after it execute") {
    const std::string guarded =
        "0000 ffffffff 1 R1 MOV 0 0 0\n0010 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0 0 active=ffffffff\n"
        "0020 0000000f 1 R5 LDG.E 1 R2 4 1 0x7f00 4 0 active=ffffffff\n0030 00000000 0 BAR.SYNC 0 0 0 active=ffffffff\n"
        "0040 ffff0000 0 EXIT 0 0 0 active=ffffffff\n0050 0000ffff 0 BAR.SYNC 0 0 0\n0060 0000ffff 0 EXIT 0 0 0\n";
    const auto text = [&](const std::string& second) {
        return replaced(header, "version = 3", "version = 5") + block("0,0,0", guarded, second) +
               block("1,0,0", "0060 ffffffff 0 EXIT 0 0 0\n", "0060 0000ffff 0 EXIT 0 0 0\n");
    };
    const Scratch scratch;
    ImportFindings findings;
    const auto source = imported(text("0060 0000ffff 0 EXIT 0 0 0\n"), scratch, findings);
    WarpTrace& warp = first_warp(*source);
    std::vector<std::uint32_t> masks;
    while (warp.has_segment()) {
        const Segment segment = warp.pop_segment();
        masks.insert(masks.end(), segment.count, segment.mask);
    }
    CHECK(masks == std::vector<std::uint32_t>{~0U, ~0U, ~0U, ~0U, ~0U, 0xffff, 0xffff});
    AccessRecord access;
    warp.pop_access(access);
    CHECK(access.mask == 0);
    warp.pop_access(access);
    CHECK(access.mask == 0xf);
    CHECK(warp.pop_value() == WarpTrace::predicated_off);
    CHECK(warp.pop_value() == 0);  // whole: the upper half has left

    const std::size_t lines = 2 + static_cast<std::size_t>(std::count(header.begin(), header.end(), '\n'));
    CHECK(refused_folder(text("0060 0000ffff 0 EXIT 0 0 0 active=0001ffff\n")) ==
          "the mask has lanes that a warp of 16 threads has not [kernel-1.traceg, line " + std::to_string(lines + 16) +
              "]");
    CHECK(refused_folder(text("0060 0000ffff 0 EXIT 0 0 0 active=00007fff\n")) ==
          "lanes of the mask (0000ffff) are not among the active ones (00007fff) [kernel-1.traceg, line " +
              std::to_string(lines + 16) + "]");
}

TEST_CASE("two functions with the same pcs are two instructions") {
    const std::string two =
        "0000 ffffffff 1 R1 MOV 0 0\n0010 ffffffff 0 CALL.REL.NOINC 0 0\n0000 ffffffff 1 R2 FADD 2 R3 R4 0\n"
        "0020 ffffffff 0 EXIT 0 0\n";
    const Scratch scratch;
    ImportFindings findings;
    const auto launch =
        import_kernel(lines_of(header + block("0,0,0", two, "0020 0000ffff 0 EXIT 0 0\n") +
                               block("1,0,0", "0020 ffffffff 0 EXIT 0 0\n", "0020 0000ffff 0 EXIT 0 0\n")),
                      scratch.path, 0, findings);
    if (!launch) FAIL(launch.error().message());
    CHECK(findings.reused_addresses);
    auto reader = TraceFileReader::open(scratch.path + "/" + launch->file);
    REQUIRE(reader);
    CHECK(reader->program().instructions[0].opcode == isa::Opcode::MOV);
    CHECK(reader->program().instructions[3].opcode == isa::Opcode::FADD);
}

TEST_CASE("a malformed trace is refused with file and line") {
    CHECK(refused_folder(whole) == "taken");
    CHECK(refused_folder(replaced(whole, "-grid dim = (2,1,1)", "-grid dim = 2,1,1")) ==
          "\"grid dim = 2,1,1\" is not (x,y,z) [kernel-1.traceg, line 3]");
    CHECK(refused_folder(replaced(whole, "-nregs = 48", "-nregs = many")) ==
          "\"nregs = many\" is not a number of registers [kernel-1.traceg, line 6]");
    CHECK(refused_folder(replaced(whole, "version = 3", "version = 2")) ==
          "version 2 of the tracer is not read [kernel-1.traceg, line 14]");
    CHECK(refused_folder(replaced(whole, "version = 3", "version = 7")) ==
          "version 7 of the tracer is not read [kernel-1.traceg, line 14]");
    CHECK(refused_folder(replaced(whole, "-accelsim tracer version = 3\n", "")) ==
          "the header does not say \"-accelsim tracer version = ...\" [kernel-1.traceg, line 13]");
    CHECK(refused_folder(replaced(whole, "binary version = 70", "binary version = 61")) ==
          "binary version 61: code for GPUs before sm_70 is not read [kernel-1.traceg, line 14]");
    CHECK(refused_folder(replaced(whole, "(48,1,1)", "(48,100,100)")).starts_with("no GPU takes more than"));
    CHECK(refused_folder(replaced(whole, "#traces", "traces")) ==
          "a line of the header that begins with neither - nor # [kernel-1.traceg, line 14]");
    CHECK(refused_folder(header) ==
          "the file ends here; expected #BEGIN_TB (0 of 2 blocks have come) [kernel-1.traceg, line 15]");
    CHECK(refused_folder(header + block("0,0,0", body)) ==
          "the file ends here; expected #BEGIN_TB (1 of 2 blocks have come) [kernel-1.traceg, line 35]");
    CHECK(refused_folder(whole + "more\n").starts_with("more after the last block of the grid"));
    CHECK(refused_folder(replaced(whole, "= 1,0,0", "= 0,0,0")).starts_with("this block has come before"));
    CHECK(refused_folder(replaced(whole, "= 1,0,0", "= 2,0,0")) ==
          "the grid of (2,1,1) blocks has no such block [kernel-1.traceg, line 39]");
    CHECK(refused_folder(replaced(whole, "warp = 1", "warp = 2")) ==
          "a block of 48 threads has 2 warps [kernel-1.traceg, line 31]");
    CHECK(
        refused_folder(replaced(whole, "warp = 1", "warp = 0")).starts_with("this warp of the block has come before"));
    CHECK(refused_folder(replaced(whole, "insts = 7", "insts = 8")).starts_with("the warp has 1 fewer instructions"));
    CHECK(refused_folder(replaced(whole, "insts = 7", "insts = 6")).starts_with("expected warp = w, or #END_TB"));
    CHECK(refused_folder(replaced(whole, "#END_TB", "")).starts_with("expected warp = w, or #END_TB"));
    CHECK(refused_folder(replaced(whole, "0000ffff 0 EXIT", "ffffffff 0 EXIT")) ==
          "the mask has lanes that a warp of 16 threads has not [kernel-1.traceg, line 33]");
    CHECK(
        refused_folder(replaced(whole, "0020 ffffffff", "0028 ffffffff")).starts_with("pc 0x28 is no multiple of 16"));
    CHECK(refused_folder(replaced(whole, "LDG.E 1", "XMAD 1")) ==
          "XMAD is no operation that the model knows [kernel-1.traceg, line 25]");
    CHECK(refused_folder(replaced(whole, "4 1 0x7efe7b60c300 4", "0")) ==
          "LDG.E without addresses [kernel-1.traceg, line 25]");
    CHECK(refused_folder(replaced(whole, "0x7efeb0000010", "0x7efe00000010"))
              .starts_with("address 0x7efe00000010 of STS is neither an offset nor in the window"));
    CHECK(refused_folder(whole.substr(0, whole.find("LDG.E"))).starts_with("\"\" is no"));  // cut inside a line
}

TEST_CASE("compressed traces, whole, in parts and damaged") {
    // Longer than the buffer of lines, so that it is filled more than once.
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += std::to_string(i) + "\n";
    auto bytes = compressed(text);
    const std::size_t one = bytes.size();
    const auto more = compressed("the end");
    bytes.insert(bytes.end(), more.begin(), more.end());  // xz files may be put one behind the other
    LineReader lines = xz_lines(bytes);
    for (int i = 0; i < 100'000; ++i) {
        const auto line = lines.next();
        REQUIRE(line);
        REQUIRE(**line == std::to_string(i));
    }
    REQUIRE(**lines.next() == "the end");
    REQUIRE(!*lines.next());
    CHECK(lines.line() == 100'001);

    const auto fails = [](const std::vector<std::uint8_t>& damaged) {
        LineReader reader = xz_lines(damaged);
        for (;;) {
            const auto line = reader.next();
            if (!line) return line.error().what;
            if (!*line) return std::string("taken");
        }
    };
    auto cut = bytes;
    cut.resize(one / 2);
    CHECK(fails(cut) == "the compressed data is damaged, cut short or no xz");
    auto flipped = bytes;
    flipped[one / 2] ^= 0x10U;
    CHECK(fails(flipped) == "the compressed data is damaged, cut short or no xz");
    CHECK(fails({'n', 'o', ' ', 'x', 'z'}) == "the compressed data is damaged, cut short or no xz");
}

TEST_CASE("a line without end is refused") {
    LineReader lines(std::make_unique<std::istringstream>(std::string(1U << 18U, 'x')), "f", false);
    const auto line = lines.next();
    REQUIRE(!line);
    CHECK(line.error().where == "f, line 1");
}
