#include "sim/formats/accel_sim/warp_records.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "isa/sass/constant_load.hpp"
#include "sim/trace/address_windows.hpp"

namespace sassafras::sim::accel_sim {

namespace {

constexpr std::int64_t barriers = 16;

/// BAR with a number of threads: the tracer gives the last immediate, which then is that number, and the barrier's own
/// is lost. Numbers of threads are multiples of 32, numbers of barriers below 16.
bool is_thread_count(std::int64_t immediate) { return immediate >= barriers && immediate <= 1024; }

}  // namespace

WarpRecords::WarpRecords(const isa::Program& program, const KernelTraceHeader& header, std::uint32_t lanes,
                         WarpTrace& into)
    : program_(program), header_(header), into_(into), alive_(lanes) {}

void WarpRecords::flush() {
    if (open_.count != 0) into_.push_segment(open_);
    open_ = {};
}

void WarpRecords::end() {
    flush();
    into_.state = WarpTrace::State::exited;
}

Result<void> WarpRecords::add(const InstructionLine& line, std::uint32_t index) {
    if (may_extend_ && open_.count != 0 && open_.mask == line.active && open_.first + open_.count == index) {
        ++open_.count;
    } else {
        flush();
        open_ = {index, 1, line.active};
    }
    may_extend_ = true;
    const isa::Instruction& instruction = program_.instructions[index];
    switch (instruction.opcode) {
        case isa::Opcode::BAR: add_barrier(line); break;
        case isa::Opcode::NANOSLEEP:
            into_.push_value(line.mask == 0 ? WarpTrace::predicated_off
                                            : static_cast<std::uint64_t>(std::max<std::int64_t>(0, line.immediate)));
            break;
        case isa::Opcode::LDC:  // addresses that a trace has of it are left out
            if (isa::is_indexed_constant_load(instruction))
                into_.push_value(line.mask == 0 ? WarpTrace::predicated_off : 1);
            break;
        case isa::Opcode::EXIT:
        case isa::Opcode::KILL: alive_ &= ~line.mask; break;
        default: break;
    }
    const MemorySite site = memory_site(instruction);
    if (site.records == 0) return {};
    return add_access(line, site);
}

Result<void> WarpRecords::add_access(const InstructionLine& line, const MemorySite& site) {
    if (line.width == 0 && line.mask != 0)
        return Error{ErrorKind::bad_input, fmt::format("{} without addresses", line.opcode), "",
                     "the trace is damaged, or of another version than its header says"};
    std::array<std::uint64_t, warp_size> address{};
    for (std::size_t lane = 0; lane < warp_size; ++lane) {
        if ((line.mask >> lane & 1U) == 0) continue;
        address[lane] = translated(line.address[lane], site.space);
        const bool small = site.space == MemorySpace::shared || site.space == MemorySpace::local;
        if (small && address[lane] >= window_bytes)
            return Error{ErrorKind::bad_input,
                         fmt::format("address {:#x} of {} is neither an offset nor in the window that the header gives",
                                     line.address[lane], line.opcode),
                         "", "the trace is damaged"};
    }
    into_.push_access(line.mask, address.data());
    if (site.copies_to_shared) into_.push_access(0, address.data());  // where to, the trace does not say
    return {};
}

std::uint64_t WarpRecords::translated(std::uint64_t address, MemorySpace space) const {
    const bool in_shared = header_.shared_base != 0 && address - header_.shared_base < window_bytes;
    const bool in_local = header_.local_base != 0 && address - header_.local_base < window_bytes;
    switch (space) {
        case MemorySpace::shared: return in_shared ? address - header_.shared_base : address;
        case MemorySpace::local: return in_local ? address - header_.local_base : address;
        case MemorySpace::generic:
            if (in_shared) return address - header_.shared_base + shared_window;
            if (in_local) return address - header_.local_base + local_window;
            return address;
        case MemorySpace::none:
        case MemorySpace::global: break;
    }
    return address;
}

/// A warp counts once, with the last of its lanes that have not exited.
void WarpRecords::add_barrier(const InstructionLine& line) {
    may_extend_ = false;  // lanes that arrive apart are told from those that go on by where the next segment begins
    if (line.mask == 0) {
        into_.push_value(WarpTrace::predicated_off);
        return;
    }
    const bool counted = is_thread_count(line.immediate);
    const std::uint64_t number =
        counted || line.immediate < 0 || line.immediate >= barriers ? 0 : static_cast<std::uint64_t>(line.immediate);
    const std::uint64_t threads = counted ? static_cast<std::uint64_t>(line.immediate) : 0;
    std::uint32_t& arrived = arrived_[number];
    arrived |= line.mask;
    const bool complete = (arrived & alive_) == alive_;
    if (complete) arrived = 0;
    into_.push_value(number | threads << 8U | (complete ? 0 : WarpTrace::barrier_partly));
}

}  // namespace sassafras::sim::accel_sim
