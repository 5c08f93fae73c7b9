#include "sim/what_if/rewritten_source.hpp"

#include <algorithm>
#include <utility>

namespace sassafras::sim {

RewrittenSource::RewrittenSource(TraceSource& origin, const WhatIf& what_if, AccessRewriter* rewriter,
                                 const LatenciesOf& latencies_of)
    : origin_(origin), rewriter_(rewriter), sites_(origin.program()) {
    if (what_if.drops != nullptr || what_if.replaces != nullptr)
        shortened_ = shorten(origin.program(), what_if, latencies_of);
    fates_.reserve(sites_.all().size());
    for (const PayloadSite& site : sites_.all()) {
        const isa::Instruction& instruction = origin.program().instructions[site.instruction];
        Fate fate = Fate::kept;
        if (rewriter_ != nullptr && site.is_access && rewriter_->concerns(site)) fate = Fate::rewritten;
        if (what_if.skips != nullptr && what_if.skips(instruction)) fate = Fate::skipped;
        if (what_if.drops != nullptr && what_if.drops(instruction)) fate = Fate::dropped;
        fates_.push_back(fate);
    }
}

Result<BlockTrace*> RewrittenSource::start(std::uint64_t block_index) {
    const Result<BlockTrace*> started = origin_.start(block_index);
    if (!started) return started;
    std::unique_ptr<Rewritten> block;
    if (spare_.empty()) {
        block = std::make_unique<Rewritten>();
    } else {
        block = std::move(spare_.back());
        spare_.pop_back();
    }
    block->origin = *started;
    block->block_index = block_index;
    block->warps.resize((*started)->warps.size());
    for (WarpTrace& warp : block->warps) warp.clear();
    block->rewritten.assign(block->warps.size(), 0);
    block->owed.assign(block->warps.size(), {});
    resident_.push_back(std::move(block));
    return resident_.back().get();
}

Result<void> RewrittenSource::advance(BlockTrace& trace, std::uint64_t instructions_ahead) {
    auto& block = static_cast<Rewritten&>(trace);
    for (std::size_t i = 0; i < block.warps.size(); ++i) {
        if (block.warps[i].has_turn) block.origin->warps[i].take_turn();
        block.warps[i].has_turn = false;
        if (block.warps[i].woken == 0) continue;
        block.origin->warps[i].wake(block.warps[i].woken);
        block.warps[i].woken = 0;
    }
    // Of what is dropped nothing arrives, so once may not be enough.
    for (bool again = true; again;) {
        if (auto advanced = origin_.advance(*block.origin, instructions_ahead); !advanced) return advanced;
        again = false;
        for (std::size_t i = 0; i < block.warps.size(); ++i) {
            WarpTrace& from = block.origin->warps[i];
            WarpTrace& to = block.warps[i];
            const bool had_any = from.has_segment();
            Segment& owed = block.owed[i];
            if (owed.count != 0 && (had_any || from.state != WarpTrace::State::waiting_turn)) {
                move_payload(sites_.begin(owed), from, to, block.rewritten[i]);
                owed.count = 0;
            }
            while (from.has_segment() && to.buffered() < instructions_ahead)
                owed = move_records(from, to, block.rewritten[i]);
            if (owed.count != 0 && fates_[sites_.begin(owed)] == Fate::dropped) {  // nobody will issue it
                from.take_turn();
                again = true;
            }
            to.state = from.has_segment() ? WarpTrace::State::running : from.state;
            again = again || (had_any && to.state == WarpTrace::State::running && to.buffered() < instructions_ahead);
        }
    }
    return {};
}

/// The last instruction of what is moved if its payload has not come.
Segment RewrittenSource::move_records(WarpTrace& from, WarpTrace& to, std::uint64_t& rewritten) {
    const Segment segment = from.pop_segment();
    const auto [complete, owed] = without_owed(segment, from);
    const std::uint32_t end = complete.count != 0 ? sites_.end(complete) : sites_.begin(segment);
    for (std::uint32_t site = sites_.begin(segment); site < end; ++site) move_payload(site, from, to, rewritten);
    if (!shortened_) {
        to.push_segment(segment);
    } else if (const Segment left = shortened_->without(segment); left.count != 0) {
        to.push_segment(left);
    }
    return owed;
}

void RewrittenSource::move_payload(std::uint32_t site, WarpTrace& from, WarpTrace& to, std::uint64_t& rewritten) {
    const Fate fate = fates_[site];
    if (!sites_[site].is_access) {
        const std::uint64_t value = from.pop_value();
        if (fate != Fate::dropped) to.push_value(fate == Fate::skipped ? WarpTrace::predicated_off : value);
        return;
    }
    if (fate == Fate::kept) {
        const std::span<const std::uint64_t> words = from.pop_access_words();
        std::copy(words.begin(), words.end(), to.push_access_words(words.size()).begin());
        return;
    }
    from.pop_access(access_);
    if (fate == Fate::dropped) return;
    if (fate == Fate::skipped) access_.mask = 0;
    if (fate == Fate::rewritten && access_.mask != 0) rewriter_->rewrite(sites_[site], rewritten++, access_);
    to.push_access(access_.mask, access_.address.data());
}

void RewrittenSource::provide_clock(BlockTrace& trace, std::uint32_t warp, Cycle now, std::uint64_t nanoseconds) {
    auto& block = static_cast<Rewritten&>(trace);
    origin_.provide_clock(*block.origin, warp, now, nanoseconds);
    block.warps[warp].state = block.origin->warps[warp].state;
}

void RewrittenSource::finish(BlockTrace& trace) {
    const auto found =
        std::find_if(resident_.begin(), resident_.end(), [&](const auto& block) { return block.get() == &trace; });
    require_invariant(found != resident_.end(), "finish() of a block that is not resident");
    origin_.finish(*(*found)->origin);
    spare_.push_back(std::move(*found));
    *found = std::move(resident_.back());
    resident_.pop_back();
}

}  // namespace sassafras::sim
