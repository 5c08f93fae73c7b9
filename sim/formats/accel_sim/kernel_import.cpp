#include "sim/formats/accel_sim/kernel_import.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "isa/program/program.hpp"
#include "sim/access/payload_sites.hpp"
#include "sim/formats/accel_sim/traced_program.hpp"
#include "sim/formats/accel_sim/warp_records.hpp"
#include "sim/formats/trace_file/trace_file_writer.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim::accel_sim {

namespace {

/// Instructions of a warp in one part of a block, as `trace capture` writes them: what replay has in memory of a warp.
constexpr std::uint64_t quantum = 2048;
constexpr std::uint32_t local_granule = 16;

/// The first reading.
class FirstReading {
  public:
    explicit FirstReading(ImportFindings& findings) : findings_(findings) {}

    Result<void> read(KernelTraceReader& reader) {
        InstructionLine line;
        for (;;) {
            auto block = reader.next_block();
            if (!block) return block.error();
            if (!*block) break;
            for (;;) {
                auto warp = reader.next_warp();
                if (!warp) return warp.error();
                if (!*warp) break;
                for (;;) {
                    auto more = reader.next_instruction(line);
                    if (!more) return more.error();
                    if (!*more) break;
                    if (auto done = program.add(line); !done)
                        return reader.fault(done.error().what, done.error().kind, done.error().remedy);
                    note(line, reader.header());
                }
            }
        }
        program.finish();
        findings_.reused_addresses = findings_.reused_addresses || program.reuses_addresses();
        return {};
    }

    TracedProgram program;
    std::uint64_t local_bytes = 0;  ///< a thread
    std::uint32_t barriers = 0;

  private:
    void note(const InstructionLine& line, const KernelTraceHeader& header) {
        const std::string_view name = line.opcode.substr(0, line.opcode.find('.'));
        const auto is = [&](std::initializer_list<std::string_view> names) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        if (name == "LDGSTS") findings_.copies_to_shared = true;
        if (is({"S2R", "CS2R", "S2UR"})) findings_.special_registers = true;
        if (is({"LD", "ST", "ATOM"}) && (header.shared_base == 0 || header.local_base == 0))
            findings_.generic_without_windows = true;
        if (is({"CCTL", "CCTLL", "QSPC", "LDC", "ULDC"}) && line.width != 0) findings_.ignored_addresses = true;
        if (name == "BAR") {
            if (line.immediate >= 16) findings_.barrier_counts = true;
            const bool named = line.immediate >= 0 && line.immediate < 16;
            barriers = std::max(barriers, named ? static_cast<std::uint32_t>(line.immediate) + 1 : 1);
        }
        if (is({"LDL", "STL"}))
            for (std::uint32_t rest = line.mask; rest != 0; rest &= rest - 1)
                note_local(line.address[static_cast<std::size_t>(std::countr_zero(rest))], header.local_base);
    }
    void note_local(std::uint64_t address, std::uint64_t base) {
        if (base != 0 && address - base < window_bytes) address -= base;
        if (address < window_bytes) local_bytes = std::max(local_bytes, (address / local_granule + 1) * local_granule);
    }

    ImportFindings& findings_;
};

/// Moves up to `quantum` instructions with their payloads; `rest` is what is left of a segment that was cut.
void take_part(WarpTrace& from, Segment& rest, const PayloadSites& sites, WarpTrace& to) {
    std::uint64_t room = quantum;
    while (room != 0 && (rest.count != 0 || from.has_segment())) {
        if (rest.count == 0) rest = from.pop_segment();
        Segment part = rest;
        part.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(room, rest.count));
        rest.first += part.count;
        rest.count -= part.count;
        room -= part.count;
        to.push_segment(part);
        for (std::uint32_t site = sites.begin(part); site < sites.end(part); ++site) {
            if (!sites[site].is_access) {
                to.push_value(from.pop_value());
                continue;
            }
            const auto words = from.pop_access_words();
            const auto room_there = to.push_access_words(words.size());
            std::copy(words.begin(), words.end(), room_there.begin());
        }
    }
    if (rest.count == 0 && !from.has_segment()) to.state = WarpTrace::State::exited;
}

/// The second reading.
class SecondReading {
  public:
    SecondReading(const isa::Program& program, const TracedProgram& traced, TraceFileWriter& writer,
                  const PayloadSites& sites)
        : program_(program), traced_(traced), writer_(writer), sites_(sites) {}

    Result<void> read(KernelTraceReader& reader) {
        for (;;) {
            auto block = reader.next_block();
            if (!block) return block.error();
            if (!*block) return {};
            std::vector<WarpTrace> warps(reader.header().warps_per_block());
            for (;;) {
                auto warp = reader.next_warp();
                if (!warp) return warp.error();
                if (!*warp) break;
                if (auto done = read_warp(reader, **warp, warps[**warp]); !done) return done;
            }
            if (auto done = write(**block, warps); !done) return done;
        }
    }

  private:
    Result<void> read_warp(KernelTraceReader& reader, std::uint32_t warp, WarpTrace& into) {
        const std::uint64_t threads = reader.header().block.volume() - std::uint64_t{warp} * warp_size;
        const std::uint32_t lanes = threads >= warp_size ? ~0U : (1U << threads) - 1;
        WarpRecords records(program_, reader.header(), lanes, into);
        InstructionLine line;
        for (;;) {
            auto more = reader.next_instruction(line);
            if (!more) return more.error();
            if (!*more) break;
            if ((line.active & ~lanes) != 0)
                return reader.fault(fmt::format("the mask has lanes that a warp of {} threads has not", threads));
            if (auto done = records.add(line, traced_.index_of(line)); !done)
                return reader.fault(done.error().what, done.error().kind, done.error().remedy);
        }
        records.end();
        return {};
    }

    Result<void> write(std::uint64_t index, std::vector<WarpTrace>& warps) {
        BlockTrace part;
        part.block_index = index;
        part.warps.resize(warps.size());
        std::vector<Segment> rests(warps.size());
        for (bool ends = false; !ends;) {
            ends = true;
            for (std::size_t warp = 0; warp < warps.size(); ++warp) {
                WarpTrace& into = part.warps[warp];
                if (into.state != WarpTrace::State::exited) take_part(warps[warp], rests[warp], sites_, into);
                ends = ends && into.state == WarpTrace::State::exited;
            }
            if (auto done = writer_.add(part); !done) return done;
        }
        return {};
    }

    const isa::Program& program_;
    const TracedProgram& traced_;
    TraceFileWriter& writer_;
    const PayloadSites& sites_;
};

Result<KernelTraceReader> open_trace(const OpenLines& open) {
    auto lines = open();
    if (!lines) return lines.error();
    return KernelTraceReader::open(std::move(*lines));
}

}  // namespace

Result<TracedLaunch> import_kernel(const OpenLines& open, const std::string& folder, std::size_t launch,
                                   ImportFindings& findings) {
    auto first = open_trace(open);
    if (!first) return first.error();
    const KernelTraceHeader trace = first->header();
    FirstReading reading(findings);
    if (auto done = reading.read(*first); !done) return done.error();
    findings.versions.insert(trace.format.version);
    findings.binaries.insert(trace.binary_version);

    TraceHeader header;
    header.kernel.name = trace.name.empty() ? "kernel" : trace.name;
    header.kernel.code = reading.program.code();
    header.kernel.registers_per_thread = trace.registers;
    header.kernel.local_per_thread = Bytes{reading.local_bytes};
    header.kernel.barrier_count = reading.barriers;
    header.shape = {trace.grid, trace.block, Bytes{trace.shared_bytes}};
    const auto program = isa::build_program(header.kernel);
    if (!program) return program.error();
    const PayloadSites sites(*program);

    TracedLaunch traced;
    traced.file = trace_file_name(launch, header.kernel.name);
    TraceFileWriter writer(folder + "/" + traced.file, sites);
    if (auto done = writer.open(header); !done) return done.error();
    auto second = open_trace(open);
    if (!second) return second.error();
    SecondReading records(*program, reading.program, writer, sites);
    if (auto done = records.read(*second); !done) return done.error();
    if (auto done = writer.close(); !done) return done.error();
    traced.kernel = header.kernel.name;
    traced.warp_instructions = writer.index().warp_instructions;
    traced.bytes = writer.bytes();
    traced.checksum = writer.checksum();
    return traced;
}

std::vector<std::string> ImportFindings::cannot_tell() const {
    std::vector<std::string> list{
        "control codes: an instruction waits for the vector registers that it reads or writes, not for what the "
        "compiler "
        "says",
        "guard predicates: masks are those after the guard, unless the line says which lanes came to it, as exports of "
        "sassafras do; a load that is predicated off in all lanes has no address",
        "constants: which operands are constants and where they lie; none misses in the constant cache",
        "transfers: copies from the host, which leave L2 warm, take no time and are left out"};
    if (versions.empty() || *versions.begin() < 6)
        list.emplace_back(
            "predicates and uniform registers: nothing waits for them, so branches and uniform operands come too "
            "early");
    if (copies_to_shared)
        list.emplace_back("LDGSTS: where it stores in shared memory; those stores take no wavefronts");
    if (barrier_counts)
        list.emplace_back(
            "BAR with a number of threads: which barrier it is; all such barriers of a block count as one, number 0");
    if (generic_without_windows)
        list.emplace_back("LD, ST, ATOM: the header has no windows, so generic addresses count as global memory");
    if (special_registers)
        list.emplace_back(
            "S2R and CS2R: which register, so S2R counts no wavefront; what a clock gave, the program of the trace has "
            "used");
    if (reused_addresses)
        list.emplace_back(
            "several functions of the kernel have the same pcs; those that came later are placed behind the kernel's "
            "end");
    if (ignored_addresses) list.emplace_back("addresses of CCTL, QSPC and LDC are left out");
    return list;
}

}  // namespace sassafras::sim::accel_sim
