#include "sim/execute/concurrent/concurrent_advance.hpp"

#include <algorithm>

#include "isa/sass/communication.hpp"
#include "sim/execute/block_run.hpp"
#include "sim/execute/concurrent/conflicts.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint32_t longest_penalty = 1024;
constexpr std::size_t most_local_words = std::size_t{1} << 18U;  // of a block: images of more would cost too much

bool waits_for_time(const MicroOp& op) {
    return op.control == Control::clock || op.control == Control::sleep || op.control == Control::turn;
}

std::span<AccessLog> logs_of(ConcurrentMemory& memory, std::size_t parts) { return {memory.logs.data(), parts}; }

}  // namespace

bool ConcurrentAdvance::suits(const Launch& launch) {
    const auto& instructions = launch.program->instructions;
    const std::size_t local_words = launch.uses_local ? launch.local_words_of_warp() : 0;
    const std::size_t warps = (launch.request.shape.block.volume() + warp_size - 1) / warp_size;
    return local_words * warps <= most_local_words &&
           std::none_of(instructions.begin(), instructions.end(), isa::reads_what_others_write) &&
           std::none_of(launch.ops.begin(), launch.ops.end(), waits_for_time);
}

bool ConcurrentAdvance::begin(std::span<const AdvancePart> parts) {
    if (in_order_ != 0) {
        --in_order_;
        return false;
    }
    if (!memory_.owners.usable() || parts.size() >= LineOwners::most_parts) return false;
    const std::string& kernel = launch_.program->kernel.name;
    if (!regions_) {
        regions_ = std::make_unique<Regions>(*launch_.memory);
        for (std::size_t i = 0; i < regions_->size(); ++i)
            if (memory_.read_and_changed.contains({kernel, (*regions_)[i].extent.begin}))
                (*regions_)[i].first_changed = ConcurrentMemory::before_all;
    }
    parts_ = parts;
    conflict_ = false;
    const std::uint32_t epoch = ++memory_.epoch;
    if (memory_.logs.size() < parts.size()) {
        memory_.logs.resize(parts.size());
        memory_.states.resize(parts.size());
    }
    first_snapshot_.clear();
    std::size_t blocks = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        memory_.logs[part].begin(memory_.owners, *regions_, epoch, static_cast<std::uint32_t>(part),
                                 launch_.ops.size());
        first_snapshot_.push_back(blocks);
        blocks += parts[part].blocks.size();
    }
    if (memory_.snapshots.size() < blocks) memory_.snapshots.resize(blocks);
    return true;
}

void ConcurrentAdvance::watch(Block& block, AccessLog* log, Fault* fault) const {
    for (Warp& warp : block.state) {
        warp.log = log;
        warp.fault = fault;
    }
}

void ConcurrentAdvance::advance(std::size_t part, std::size_t place) {
    AccessLog& log = memory_.logs[part];
    auto& block = static_cast<Block&>(*parts_[part].blocks[place]);
    memory_.snapshots[first_snapshot_[part] + place].take(block);
    if (log.failed) return;
    const bool lent = block.fresh;
    if (lent) {
        std::swap<BlockState>(block, memory_.states[part]);
        set_up(launch_, block);
    }
    watch(block, &log, &log.fault);
    if (!advance_block(launch_, block, parts_[part].instructions_ahead)) log.failed = true;
    watch(block, nullptr, &launch_.fault);
    if (lent && block.live_warps == 0) std::swap<BlockState>(block, memory_.states[part]);
}

void ConcurrentAdvance::compare(std::size_t part) {
    if (conflict_.load(std::memory_order_relaxed)) return;
    if (has_conflict(part, logs_of(memory_, parts_.size()), memory_.owners, *regions_, memory_.epoch))
        conflict_.store(true, std::memory_order_relaxed);
}

Result<bool> ConcurrentAdvance::end() {
    if (conflict_.load(std::memory_order_relaxed)) {
        if (auto repeated = repeat_in_order(); !repeated) return repeated.error();
        return false;
    }
    commit();
    return true;
}

void ConcurrentAdvance::commit() {
    for (const AccessLog& log : logs_of(memory_, parts_.size()))
        for (const Reduction& reduction : log.reductions())
            (void)update(reduction.shape, reduction.host, reduction.operand, reduction.second);
    penalty_ = std::max(1U, penalty_ / 2);
}

Result<void> ConcurrentAdvance::repeat_in_order() {
    for (const AccessLog& log : logs_of(memory_, parts_.size())) {
        log.undo();
        for (const std::uint32_t region : log.trusted())
            if ((*regions_)[region].first_changed == memory_.epoch)
                memory_.read_and_changed.emplace(launch_.program->kernel.name, (*regions_)[region].extent.begin);
    }
    in_order_ = penalty_ - 1;
    penalty_ = std::min(longest_penalty, 2 * penalty_);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        std::size_t snapshot = first_snapshot_[part];
        for (BlockTrace* block : parts_[part].blocks)
            memory_.snapshots[snapshot++].restore(static_cast<Block&>(*block));
    }
    for (const AdvancePart& part : parts_)
        for (BlockTrace* block : part.blocks)
            if (auto done = advance_block(launch_, static_cast<Block&>(*block), part.instructions_ahead); !done)
                return done;
    return {};
}

}  // namespace sassafras::sim
