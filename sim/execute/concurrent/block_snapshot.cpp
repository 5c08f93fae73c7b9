#include "sim/execute/concurrent/block_snapshot.hpp"

#include <cstring>

namespace sassafras::sim {

namespace {

std::span<std::byte> registers_of(Block& block) {
    return {block.registers.data(), block.registers.size() * sizeof(Row)};
}

}  // namespace

void BlockSnapshot::take(Block& block) {
    traces_.clear();
    for (const WarpTrace& trace : block.warps) traces_.push_back(trace.mark());
    fresh_ = block.fresh;
    if (fresh_) return;
    live_warps_ = block.live_warps;
    state_ = block.state;
    barriers_ = block.barriers;
    shared_ = block.shared;
    const std::span<std::byte> registers = registers_of(block);
    registers_.assign(registers.begin(), registers.end());
    const std::span<std::byte> local = block.local.bytes();
    local_.assign(local.begin(), local.end());
}

void BlockSnapshot::restore(Block& block) const {
    for (std::size_t warp = 0; warp < traces_.size(); ++warp) block.warps[warp].cut_back(traces_[warp]);
    block.fresh = fresh_;
    if (fresh_) return;
    block.live_warps = live_warps_;
    block.state = state_;
    block.barriers = barriers_;
    std::memcpy(block.shared.data(), shared_.data(), shared_.size());
    std::memcpy(block.registers.data(), registers_.data(), registers_.size());
    if (!local_.empty()) std::memcpy(block.local.data(), local_.data(), local_.size());
}

}  // namespace sassafras::sim
