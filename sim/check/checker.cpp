#include "sim/check/checker.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include <fmt/format.h>

#include "core/demangle.hpp"
#include "isa/sass/architecture.hpp"
#include "isa/sass/fields.hpp"
#include "sim/execute/address_space.hpp"
#include "sim/execute/warp_state.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint32_t lane_count = static_cast<std::uint32_t>(warp_size);
/// Kinds and places beyond this are not listed: a kernel that is wrong everywhere has said so by then.
constexpr std::size_t most_findings = 1000;

/// BAR R, R: what nvcc puts where BRA.DIV sends warps that are not converged, instead of the BAR that they leave out.
constexpr std::uint32_t barrier_in_register = 0x31d;

using Addresses = std::array<std::uint64_t, warp_size>;

/// Takes one access record off `words`; returns its mask.
std::uint32_t take_record(std::span<const std::uint64_t>& words, Addresses& address) {
    const auto mask = static_cast<std::uint32_t>(words[0]);
    const auto encoding = static_cast<WarpTrace::Encoding>(words[0] >> WarpTrace::encoding_shift);
    switch (encoding) {
        case WarpTrace::Encoding::affine:
            for (std::size_t lane = 0; lane < lane_count; ++lane) address[lane] = words[1] + words[2] * lane;
            break;
        case WarpTrace::Encoding::offsets32:
            for (std::size_t pair = 0; pair < lane_count / 2; ++pair) {
                address[2 * pair] = words[1] + static_cast<std::uint32_t>(words[2 + pair]);
                address[2 * pair + 1] = words[1] + (words[2 + pair] >> 32U);
            }
            break;
        case WarpTrace::Encoding::full:
            for (std::size_t lane = 0; lane < lane_count; ++lane) address[lane] = words[1 + lane];
            break;
    }
    words = words.subspan(WarpTrace::access_words(encoding));
    return mask;
}

/// 4,096
std::string grouped(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
    return text;
}

const char* action(HazardKind kind, const HazardSide& side, bool is_later) {
    if (side.atomic) return "Atomic";
    const bool writes = kind == HazardKind::write_after_write || (kind == HazardKind::write_after_read) == is_later;
    return writes ? "Write" : "Read";
}

}  // namespace

void Checker::begin(const isa::Program& program, const LaunchShape& shape, const isa::LineTable* lines) {
    program_ = &program;
    lines_ = lines;
    shape_ = shape;
    kernel_ = demangled(program.kernel.name);
    kernel_number_ =
        kernels_.try_emplace(program.kernel.name, static_cast<std::uint32_t>(kernels_.size())).first->second;
    sites_.clear();
    for (const isa::Instruction& instruction : program.instructions) sites_.push_back(checked_site(instruction));
    shared_piece_ = smallest_access(sites_, MemorySpace::shared);
    uses_.clear();
    blocks_.clear();
    grid_ = {};
    global_.start(smallest_access(sites_, MemorySpace::global));
}

void Checker::block_started(std::uint32_t slot, std::uint64_t block, std::uint32_t warps, std::uint32_t shared_end) {
    if (slot >= blocks_.size()) blocks_.resize(slot + 1);
    BlockState& state = blocks_[slot];
    state.block = block;
    state.shared_end = shared_end;
    state.undefined.clear();
    state.clock.start(warps);
    state.barriers.start(static_cast<std::uint32_t>(shape_.block.volume()));
    state.shared.start(warps, shared_end, shared_piece_);
}

void Checker::block_finished(std::uint32_t) {}

bool Checker::accessed(const ObservedAccess& access) {
    slot_ = access.at.slot;
    BlockState& block = blocks_[slot_];
    if (!block.undefined.empty() && block.undefined[access.at.warp].any()) {
        UndefinedValues& undefined = block.undefined[access.at.warp];
        const isa::RegisterUse& use = uses_[access.at.instruction];
        if (const std::uint32_t used = undefined.used_by_access(use, access.at.lanes); used != 0)
            report_used(undefined, used);
        undefined.define(use, access.at.lanes);
    }
    look_at(access, block);
    return !block.undefined.empty() && block.undefined[access.at.warp].any();
}

void Checker::look_at(const ObservedAccess& access, BlockState& block) {
    const CheckedSite& site = sites_[access.at.instruction];
    if (site.space == MemorySpace::local || site.space == MemorySpace::none) return;
    alignas(64) Addresses address;
    std::span<const std::uint64_t> words = access.records;
    WarpAccess part;
    part.kind = site.kind;
    part.strong = site.strong;
    part.instruction = access.at.instruction;
    part.block = static_cast<std::uint32_t>(block.block);
    part.warp = access.at.warp;
    part.width = site.width;
    part.address = address.data();
    part.stored = access.stored;
    part.lanes = take_record(words, address);
    if (program_->instructions[part.instruction].opcode == isa::Opcode::SYNCS) {
        access_barrier(block, access, part);
        return;
    }
    if (site.space == MemorySpace::global) {
        access_global(block, part);
    } else if (site.space == MemorySpace::shared) {
        access_shared(block, part, access.shared);
    } else {
        std::uint32_t shared = 0;
        std::uint32_t local = 0;
        for (std::uint32_t lane = 0; lane < lane_count; ++lane) {
            if (in_local_window(address[lane])) local |= 1U << lane;
            if (!in_shared_window(address[lane])) continue;
            shared |= 1U << lane;
            address[lane] -= shared_window;
        }
        const std::uint32_t lanes = part.lanes;
        part.lanes = lanes & ~shared & ~local;
        access_global(block, part);
        part.lanes = lanes & shared;
        access_shared(block, part, access.shared);
    }
    if (!site.copies_to_shared) return;
    part.kind = WarpAccess::Kind::copy;
    part.lanes = take_record(words, address);
    access_shared(block, part, access.shared);
}

void Checker::access_shared(BlockState& block, WarpAccess& access, const std::byte* memory) {
    if (access.lanes == 0) return;
    if (access.strong) acquire(block, access);
    block.shared.access(access, block.clock, memory, *this);
    if (access.strong) release(block, access, false);
}

void Checker::access_global(BlockState& block, WarpAccess& access) {
    if (access.lanes == 0) return;
    if (access.strong && access.kind != WarpAccess::Kind::write) acquire(block, access);
    global_.access(access, block.clock, grid_, *this);
    if (access.strong && access.kind != WarpAccess::Kind::read) release(block, access, true);
}

void Checker::access_barrier(BlockState& block, const ObservedAccess& access, WarpAccess& part) {
    const isa::Instruction& instruction = program_->instructions[part.instruction];
    const SyncsStep step = syncs_step(instruction);
    if (step == SyncsStep::other) return;
    block.shared.access(part, block.clock, access.shared, *this);
    std::uint32_t concerned = 0;
    if (step == SyncsStep::arrive) concerned = part.lanes;
    if (step == SyncsStep::wait) {
        const auto over = static_cast<std::uint8_t>(instruction.word.get(isa::fields::predicate_u));
        if (over != isa::predicate_true) concerned = part.lanes & access.predicates[over];
    }
    std::uint64_t last = ~std::uint64_t{0};
    for (std::uint32_t rest = concerned; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t barrier = part.address[lane];
        if (step == SyncsStep::arrive) {
            if (barrier != last) block.clock.release_all(part.warp, barrier);
            last = barrier;
            continue;
        }
        block.clock.acquire(part.warp, 1U << lane, barrier);
        block.shared.finish_copies(barrier);
    }
}

void Checker::copies_arrive(const ExecutionPlace& place, const std::uint32_t* barrier) {
    BlockState& block = blocks_[place.slot];
    std::uint32_t left = place.lanes;
    while (left != 0) {  // the lanes of one barrier after the other
        const std::uint32_t address = barrier[std::countr_zero(left)];
        std::uint32_t together = 0;
        for (std::uint32_t rest = left; rest != 0; rest &= rest - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
            if (barrier[lane] == address) together |= 1U << lane;
        }
        block.shared.arrive_with_copies(place.warp, together, address, block.clock.now());
        block.clock.release_all(place.warp, address);
        left &= ~together;
    }
}

void Checker::acquire(BlockState& block, const WarpAccess& access) {
    if (!block.clock.has_published() && !grid_.has_released()) return;
    for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        const std::uint64_t location = access.address[lane];
        block.clock.acquire(access.warp, 1U << lane, location);
        block.clock.learn(access.warp, grid_.released(location));
    }
}

void Checker::release(BlockState& block, const WarpAccess& access, bool is_global) {
    if (!is_global && !block.clock.has_fenced(access.warp)) return;
    const std::uint32_t fence = block.clock.device_fence(access.warp);
    const std::uint32_t now = is_global ? block.clock.advance() : 0;
    for (std::uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t location = access.address[static_cast<std::uint32_t>(std::countr_zero(rest))];
        block.clock.release(access.warp, location);
        if (is_global) grid_.release(access.block, fence, now, location);
    }
}

void Checker::ordered(const ExecutionPlace& place) {
    const isa::Instruction& instruction = program_->instructions[place.instruction];
    BlockState& block = blocks_[place.slot];
    switch (instruction.opcode) {
        case isa::Opcode::MEMBAR: {
            constexpr std::uint64_t scope_gpu = 2;
            block.clock.fence(place.warp, instruction.word.get(isa::fields::membar_scope) >= scope_gpu);
            break;
        }
        case isa::Opcode::LDGDEPBAR: block.shared.close_copies(place.warp); break;
        case isa::Opcode::DEPBAR:
            if (instruction.word.get(isa::fields::depbar_less_equal) != 0 &&
                instruction.word.get(isa::fields::depbar_scoreboard) == 0)
                block.shared.wait_for_copies(
                    place.warp, static_cast<std::uint32_t>(instruction.word.get(isa::fields::depbar_count)),
                    block.clock.now());
            break;
        default: break;
    }
}

void Checker::warp_synchronised(std::uint32_t slot, std::uint32_t warp, std::uint32_t lanes) {
    blocks_[slot].clock.synchronise_lanes(warp, lanes);
}

void Checker::warp_barrier_reached(const ExecutionPlace& place, const std::uint32_t* named) {
    std::uint32_t wrong = 0;
    for (std::uint32_t rest = place.lanes; rest != 0; rest &= rest - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
        if ((named[lane] >> lane & 1U) == 0) wrong |= 1U << lane;
    }
    if (wrong != 0) barrier_error(place, wrong, BarrierFault::arguments);
}

void Checker::barrier_reached(const ExecutionPlace& place, std::uint32_t barrier, std::uint32_t expected, bool waits) {
    BlockState& block = blocks_[place.slot];
    block.clock.arrive(place.warp, barrier, waits);
    const bool splits_block = block.barriers.reach(
        place, barrier, expected, waits, program_->instructions[place.instruction].key == barrier_in_register);
    if (place.lanes != place.alive)
        barrier_error(place, place.lanes, BarrierFault::divergent_warp);
    else if (splits_block)
        barrier_error(place, place.lanes, BarrierFault::divergent_block);
}

void Checker::barrier_completed(std::uint32_t slot, std::uint32_t barrier) {
    BlockState& block = blocks_[slot];
    block.clock.complete(barrier, block.barriers.is_of_block(barrier, shape_.block.volume()));
    const auto around = block.barriers.complete(barrier, *program_);
    // Where lanes of one warp come apart, some of them going around is the same fault.
    if (around && !known_.contains({kernel_number_, FindingTool::synccheck,
                                    static_cast<std::uint32_t>(BarrierFault::divergent_warp), around->instruction, 0}))
        barrier_error({slot, around->warp, around->instruction, around->lanes, 0}, around->lanes,
                      BarrierFault::divergent_block);
}

void Checker::exited(const ExecutionPlace& place) { blocks_[place.slot].barriers.exit(place); }

void Checker::deadlocked(const ExecutionPlace& place) {
    barrier_error(place, place.lanes, BarrierFault::divergent_block);
}

// ---- findings ------------------------------------------------------------------------------------------------------

FindingPlace Checker::place(std::uint32_t instruction, std::uint32_t thread, std::uint64_t block) const {
    FindingPlace place;
    place.pc = std::uint64_t{instruction} * isa::instruction_bytes;
    place.sass = isa::print(program_->instructions[instruction], place.pc);
    if (const isa::SourceLocation* const source = lines_ == nullptr ? nullptr : lines_->find(place.pc)) {
        place.file = source->file;
        place.line = source->line;
        for (const isa::InlinedCall& call : source->inlined)
            place.called_at.push_back(fmt::format("{}:{}", call.file, call.line));
    }
    const Dim3& threads = shape_.block;
    const Dim3& blocks = shape_.grid;
    place.thread = {thread % threads.x, thread / threads.x % threads.y, thread / threads.x / threads.y};
    place.block = {static_cast<std::uint32_t>(block % blocks.x),
                   static_cast<std::uint32_t>(block / blocks.x % blocks.y),
                   static_cast<std::uint32_t>(block / blocks.x / blocks.y)};
    return place;
}

Finding* Checker::add(FindingTool tool, std::uint32_t kind, std::uint32_t first, std::uint32_t second,
                      std::uint64_t count) {
    const auto [known, is_new] = known_.try_emplace({kernel_number_, tool, kind, first, second}, findings_.size());
    if (!is_new) {
        if (known->second < findings_.size()) findings_[known->second].count += count;
        return nullptr;
    }
    if (findings_.size() >= most_findings) {
        known->second = most_findings;
        return nullptr;
    }
    Finding finding;
    finding.tool = tool;
    finding.kernel = kernel_;
    finding.count = count;
    findings_.push_back(std::move(finding));
    return &findings_.back();
}

void Checker::hazard(const Hazard& hazard) {
    constexpr std::array<const char*, 3> names{"RAW", "WAR", "WAW"};
    const bool of_warp = hazard.earlier.block == hazard.later.block &&
                         hazard.earlier.thread / lane_count == hazard.later.thread / lane_count;
    const auto kind = static_cast<std::uint32_t>(hazard.kind);
    Finding* const finding =
        add(FindingTool::racecheck, kind | (of_warp ? 4U : 0U) | (hazard.shared ? 8U : 0U) | (hazard.copy ? 16U : 0U),
            hazard.earlier.instruction, hazard.later.instruction, hazard.bytes);
    if (finding == nullptr) return;
    // Racecheck's severity: an error where one instruction's lanes collide, or an asynchronous copy is not waited for.
    finding->is_warning = of_warp && !hazard.copy && hazard.earlier.instruction != hazard.later.instruction;
    finding->places = {place(hazard.earlier.instruction, hazard.earlier.thread, hazard.earlier.block),
                       place(hazard.later.instruction, hazard.later.thread, hazard.later.block)};
    finding->places[0].action = action(hazard.kind, hazard.earlier, false);
    finding->places[1].action = action(hazard.kind, hazard.later, true);
    const Dim3& block = finding->places[0].block;
    finding->what =
        fmt::format("{}: {}Potential {} hazard detected{} at __{}__ {:#x} in block ({},{},{}) :",
                    finding->is_warning ? "Warning" : "Error", finding->is_warning ? "(Warp Level Programming) " : "",
                    names[kind], hazard.copy ? " (invalid memcpy_async synchronization)" : "",
                    hazard.shared ? "shared" : "global", hazard.address, block.x, block.y, block.z);
}

void Checker::uninitialised(const UninitialisedRead& read) {
    if (sites_[read.instruction].kind != WarpAccess::Kind::read) {
        report(read);
        return;
    }
    if (uses_.empty())
        for (const isa::Instruction& instruction : program_->instructions) uses_.push_back(register_use(instruction));
    auto& undefined = blocks_[slot_].undefined;
    if (undefined.empty()) undefined.resize((shape_.block.volume() + lane_count - 1) / lane_count);
    undefined[read.thread / lane_count].load(read, program_->instructions[read.instruction].destination,
                                             read.thread % lane_count);
}

bool Checker::computing(const ObservedValues& values) {
    UndefinedValues& undefined = blocks_[values.at.slot].undefined[values.at.warp];
    const std::uint32_t used =
        undefined.compute(program_->instructions[values.at.instruction], uses_[values.at.instruction], values);
    if (used != 0) report_used(undefined, used);
    return undefined.any();
}

void Checker::branching(const ObservedValues& values) {
    const UndefinedValues& undefined = blocks_[values.at.slot].undefined[values.at.warp];
    if (values.at.instruction >= uses_.size()) return;  // the end of the code
    const std::uint32_t used = undefined.used_by_branch(uses_[values.at.instruction], values.at.lanes);
    if (used != 0) report_used(undefined, used);
}

void Checker::report_used(const UndefinedValues& undefined, std::uint32_t lanes) {
    for (; lanes != 0; lanes &= lanes - 1)
        report(undefined.origin(static_cast<std::uint32_t>(std::countr_zero(lanes))));
}

void Checker::report(const UninitialisedRead& read) {
    Finding* const finding = add(FindingTool::initcheck, 0, read.instruction, 0, 1);
    if (finding == nullptr) return;
    finding->what = fmt::format("Uninitialized __shared__ memory read of size {} bytes", read.bytes);
    finding->places = {place(read.instruction, read.thread, read.block)};
    finding->details = {fmt::format("Address {:#x}", read.address)};
}

void Checker::barrier_error(const ExecutionPlace& at, std::uint32_t lanes, BarrierFault fault) {
    Finding* const finding = add(FindingTool::synccheck, static_cast<std::uint32_t>(fault), at.instruction, 0,
                                 static_cast<std::uint64_t>(std::popcount(lanes)));
    if (finding == nullptr) return;
    constexpr std::array<const char*, 3> classes{"Divergent thread(s) in warp.", "Divergent thread(s) in block.",
                                                 "Invalid arguments."};
    finding->what = fmt::format("Barrier error detected. {}", classes[static_cast<std::size_t>(fault)]);
    finding->places = {place(at.instruction, at.warp * lane_count + static_cast<std::uint32_t>(std::countr_zero(lanes)),
                             blocks_[at.slot].block)};
}

void Checker::faulted(const ObservedAccess& access, const Fault& fault) {
    if (fault.reason != Fault::Reason::out_of_bounds && fault.reason != Fault::Reason::misaligned) return;
    const bool misaligned = fault.reason == Fault::Reason::misaligned;
    const BlockState& block = blocks_[access.at.slot];
    const auto is_bad = [&](std::uint64_t address) {
        const bool unaligned = (address & (fault.size - 1)) != 0;
        if (fault.space == Fault::Space::local) return address == fault.address;
        if (fault.space == Fault::Space::shared) {
            if (in_shared_window(address)) address -= shared_window;
            const std::uint64_t begin = isa::layout_of(program_->kernel.architecture).reserved_shared_bytes;
            const bool out = address < begin || address > block.shared_end || block.shared_end - address < fault.size;
            return misaligned ? unaligned && !out : out;
        }
        const bool out = memory_.translate(address, fault.size) == nullptr;
        return misaligned ? unaligned && !out : out;
    };
    // Of LDGSTS, the record of the space that faulted: global first.
    std::span<const std::uint64_t> words = access.records;
    Addresses address;
    std::uint32_t lanes = take_record(words, address);
    if (sites_[access.at.instruction].copies_to_shared && fault.space == Fault::Space::shared)
        lanes = take_record(words, address);
    std::uint64_t count = 0;
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
        count += is_bad(address[static_cast<std::size_t>(std::countr_zero(rest))]) ? 1U : 0U;
    Finding* const finding = add(FindingTool::memcheck, static_cast<std::uint32_t>(fault.reason), access.at.instruction,
                                 0, std::max<std::uint64_t>(count, 1));
    if (finding == nullptr) return;
    constexpr std::array<const char*, 4> spaces{"global", "shared", "local", "constant"};
    finding->what = fmt::format("Invalid __{}__ {} of size {} bytes", spaces[static_cast<std::size_t>(fault.space)],
                                fault.access, fault.size);
    finding->places = {place(access.at.instruction, fault.warp * lane_count + fault.lane, block.block)};
    finding->details = {
        fmt::format("Access to {:#x} is {}", fault.address, misaligned ? "misaligned" : "out of bounds")};
    if (fault.space != Fault::Space::global) return;
    const MemoryImage::Extent inside = memory_.find(fault.address);
    const MemoryImage::Extent nearest = inside.host != nullptr ? inside : memory_.nearest(fault.address);
    if (nearest.end == 0) return;
    const std::string where = inside.host != nullptr ? "inside"
                              : fault.address < nearest.begin
                                  ? grouped(nearest.begin - fault.address) + " bytes before"
                                  : grouped(fault.address - nearest.end + 1) + " bytes after";
    finding->details.push_back(fmt::format("and is {} the nearest allocation at {:#x} of size {} bytes", where,
                                           nearest.begin, grouped(nearest.end - nearest.begin)));
}

}  // namespace sassafras::sim
