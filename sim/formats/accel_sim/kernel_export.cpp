#include "sim/formats/accel_sim/kernel_export.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/formats/accel_sim/exported_instruction.hpp"
#include "sim/formats/accel_sim/instruction_line.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim::accel_sim {

namespace {

/// Accel-Sim takes a generic address for shared memory if it is from the base of that window up to the local one's: the
/// local window has to lie behind.
constexpr std::uint64_t exported_shared_window = shared_window;
constexpr std::uint64_t exported_local_window = shared_window + window_bytes;

std::uint64_t exported_address(std::uint64_t address, MemorySpace space) {
    if (space != MemorySpace::generic || !in_local_window(address)) return address;
    return address - local_window + exported_local_window;
}

/// The stride, if the lanes are consecutive and one step apart. Its reader stops at the first lane that is not there.
std::optional<std::int64_t> stride_of(const AccessRecord& access, MemorySpace space) {
    if (access.mask == 0) return 0;
    const auto first = static_cast<std::size_t>(std::countr_zero(access.mask));
    const std::uint32_t run = access.mask >> first;
    if ((run & (run + 1)) != 0) return std::nullopt;
    const auto lanes = static_cast<std::size_t>(std::popcount(access.mask));
    if (lanes == 1) return 0;
    const auto at = [&](std::size_t lane) { return exported_address(access.address[first + lane], space); };
    const auto stride = static_cast<std::int64_t>(at(1) - at(0));
    for (std::size_t lane = 2; lane < lanes; ++lane)
        if (static_cast<std::int64_t>(at(lane) - at(lane - 1)) != stride) return std::nullopt;
    if (stride != static_cast<std::int32_t>(stride)) return std::nullopt;
    return stride;
}

class Writer {
  public:
    Writer(TraceSource& source, const ExportedText& write) : source_(source), write_(write) {
        const auto& instructions = source.program().instructions;
        for (std::size_t i = 0; i < instructions.size(); ++i)
            instructions_.push_back(exported(instructions[i], i * isa::instruction_bytes));
    }

    void header(std::uint64_t id) {
        const isa::Kernel& kernel = source_.program().kernel;
        const LaunchShape& shape = source_.shape();
        text_ = fmt::format(
            "-kernel name = {}\n-kernel id = {}\n-grid dim = ({},{},{})\n-block dim = ({},{},{})\n-shmem = {}\n-nregs "
            "= {}\n"
            "-binary version = {}\n-cuda stream id = 0\n-shmem base_addr = {:#018x}\n-local mem base_addr = {:#018x}\n"
            "-nvbit version = none\n-accelsim tracer version = {}\n-enable lineinfo = 0\n\n"
            "#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
            "[adrrescompress?] [mem_addresses] immediate "
            "[active=mask before the guard]\n\n",
            kernel.name, id, shape.grid.x, shape.grid.y, shape.grid.z, shape.block.x, shape.block.y, shape.block.z,
            kernel.static_shared.count + shape.dynamic_shared.count, kernel.registers_per_thread,
            isa::layout_of(kernel.architecture).sm, exported_shared_window, exported_local_window, exported_version);
        flush();
    }

    Result<void> block(std::uint64_t index) {
        auto started = source_.start(index);
        if (!started) return started.error();
        BlockTrace& block = **started;
        if (auto done = source_.advance(block, std::numeric_limits<std::uint64_t>::max()); !done) return done;
        const Dim3& grid = source_.shape().grid;
        text_ += fmt::format("\n#BEGIN_TB\n\nthread block = {},{},{}\n", index % grid.x, index / grid.x % grid.y,
                             index / grid.x / grid.y);
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
            WarpTrace& trace = block.warps[warp];
            if (trace.state != WarpTrace::State::exited)
                return Error{ErrorKind::not_modelled, "the kernel waits for a clock", "",
                             "export what trace capture wrote: there the clock is answered"};
            text_ += fmt::format("\nwarp = {}\ninsts = {}\n", warp, trace.buffered());
            segments(trace);
        }
        text_ += "\n#END_TB\n";
        flush();
        source_.finish(block);
        return {};
    }

  private:
    /// All of a warp. A lane that comes to an EXIT and is seen later has not left: the records have no guards, but what
    /// follows tells this one's. Accel-Sim ends each lane of an EXIT's mask, and no lane may end twice.
    void segments(WarpTrace& trace) {
        segments_.clear();
        while (trace.has_segment()) segments_.push_back({trace.pop_segment(), 0});
        std::uint32_t later = 0;
        for (std::size_t i = segments_.size(); i-- > 0;) {
            segments_[i].seen_later = later;
            later |= segments_[i].segment.mask;
        }
        for (const auto& [segment, seen_later] : segments_) {
            for (std::uint32_t i = 0; i < segment.count; ++i) {
                const std::uint32_t stay = i + 1 < segment.count ? segment.mask : seen_later;
                instruction(trace, instructions_[segment.first + i], segment.mask, stay);
            }
            constexpr std::size_t much = std::size_t{1} << 20U;
            if (text_.size() > much) flush();
        }
    }

    /// `active` lanes come to it, of which those of `stay` execute more afterwards.
    void instruction(WarpTrace& trace, const ExportedInstruction& instruction, std::uint32_t active,
                     std::uint32_t stay) {
        std::uint32_t mask = instruction.ends_lanes ? active & ~stay : active;
        std::int64_t immediate = instruction.immediate;
        if (instruction.is_indexed_constant && trace.pop_value() == WarpTrace::predicated_off) mask = 0;
        if (instruction.is_barrier || instruction.is_sleep) {
            const std::uint64_t value = trace.pop_value();
            if (value == WarpTrace::predicated_off) {
                mask = 0;
            } else if (instruction.is_sleep) {
                immediate = static_cast<std::int64_t>(value);
            } else {
                // The last immediate of BAR: the number of threads if it has one, else the barrier's own.
                const auto threads = static_cast<std::int64_t>(value >> 8U & 0xfffU);
                immediate = threads != 0 ? threads : static_cast<std::int64_t>(value & 0xfU);
            }
        }
        const bool has_addresses = instruction.site.records != 0;
        if (has_addresses) {
            trace.pop_access(access_);
            mask = access_.mask;
        }
        text_ += fmt::format("{}{:08x} {}", instruction.pc, mask, instruction.text);
        if (has_addresses)
            addresses(instruction.site);
        else
            text_ += "0 ";
        for (int more = 1; more < instruction.site.records; ++more) trace.pop_access(access_);
        if (mask == active)
            text_ += fmt::format("{} \n", immediate);
        else
            text_ += fmt::format("{} active={:08x}\n", immediate, active);
    }

    void addresses(const MemorySite& site) {
        text_ += fmt::format("{} ", std::max<std::uint32_t>(1, site.width));
        if (const auto stride = stride_of(access_, site.space)) {
            const std::uint64_t base =
                access_.mask == 0
                    ? 0
                    : exported_address(access_.address[static_cast<std::size_t>(std::countr_zero(access_.mask))],
                                       site.space);
            text_ += fmt::format("1 0x{:x} {} ", base, *stride);
            return;
        }
        text_ += "0 ";
        for (std::uint32_t rest = access_.mask; rest != 0; rest &= rest - 1)
            text_ += fmt::format(
                "0x{:016x} ",
                exported_address(access_.address[static_cast<std::size_t>(std::countr_zero(rest))], site.space));
    }

    void flush() {
        write_(text_);
        text_.clear();
    }

    struct FollowedSegment {
        Segment segment;
        std::uint32_t seen_later = 0;  ///< lanes that execute something behind it
    };

    TraceSource& source_;
    const ExportedText& write_;
    std::vector<FollowedSegment> segments_;
    std::vector<ExportedInstruction> instructions_;
    std::string text_;
    AccessRecord access_;
};

}  // namespace

Result<void> export_kernel(TraceSource& source, std::uint64_t id, const ExportedText& write) {
    Writer writer(source, write);
    writer.header(id);
    const std::uint64_t blocks = source.shape().grid.volume();
    for (std::uint64_t block = 0; block < blocks; ++block)
        if (auto done = writer.block(block); !done) return done;
    return {};
}

}  // namespace sassafras::sim::accel_sim
