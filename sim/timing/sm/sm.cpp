#include "sim/timing/sm/sm.hpp"

#include <algorithm>
#include <bit>

namespace sassafras::sim {

Sm::Sm(const LaunchContext& context, std::uint32_t number)
    : context_(context),
      platform_(*context.platform),
      ops_(context.ops->data()),
      number_(number),
      subcores_(context.platform->sm.subcores),
      warps_(context.platform->sm.max_warps),
      cores_(subcores_),
      blocks_(context.platform->sm.max_blocks),
      fetch_(context.platform->fetch, subcores_,
             static_cast<std::uint32_t>(
                 context.ops->size() * isa::instruction_bytes / context.platform->fetch.line_bytes + 1)),
      l1_(context.l1_lines, context.platform->lsu.l1_ways),
      instruction_counters_(context.ops->size()),
      stalls_(context.ops->size()) {
    require_invariant((warps_.size() + subcores_ - 1) / subcores_ <= 32, "a sub-core holds at most 32 warps");
    if (context.registers != nullptr) registers_.emplace(*context.registers, warps_.size());
    for (SubCore& core : cores_) core.queue.assign(platform_.lsu.queue_entries, 0);
    store_places_.assign(platform_.lsu.outstanding_stores, 0);
}

void Sm::start_block(BlockTrace* trace, std::uint64_t time) {
    require_invariant(time >= now_, "block started in the past");
    const auto free_block =
        std::find_if(blocks_.begin(), blocks_.end(), [](const Block& b) { return b.trace == nullptr; });
    require_invariant(free_block != blocks_.end(), "no free block slot");
    const auto block_number = static_cast<std::uint16_t>(free_block - blocks_.begin());
    Block& block = *free_block;
    block = Block{};
    block.trace = trace;
    block.live = static_cast<std::uint32_t>(trace->warps.size());
    resident_.push_back(trace);
    if (live_warps_ == 0) active_since_ = time;
    live_warps_ += block.live;

    // The block's first warp goes to the sub-core with most room, the others follow in turn.
    std::vector<std::uint32_t> room(subcores_, 0);
    for (std::size_t slot = 0; slot < warps_.size(); ++slot) room[slot % subcores_] += warps_[slot].live ? 0U : 1U;
    auto core = static_cast<std::uint32_t>(std::max_element(room.begin(), room.end()) - room.begin());
    for (std::uint32_t index = 0; index < trace->warps.size(); ++index) {
        while (room[core] == 0) core = (core + 1) % subcores_;
        std::size_t slot = core;
        while (warps_[slot].live) slot += subcores_;
        --room[core];
        core = (core + 1) % subcores_;
        Warp& warp = warps_[slot];
        warp = Warp{};
        warp.live = true;
        warp.trace = &trace->warps[index];
        warp.block = block_number;
        warp.index = static_cast<std::uint16_t>(index);
        warp.age = starts_++;
        if (registers_) registers_->clear(slot);
        warp.started = time + static_cast<std::uint64_t>(index) * platform_.gpu.warp_start_interval_cycles;
        warp.last_issue = warp.stall_end = warp.ready_at = warp.started;
        warp.starved = true;  // fed when its start event comes
        block.warps.push_back(static_cast<std::uint16_t>(slot));
        events_.push(warp.started, {.kind = Event::Kind::wake, .warp = static_cast<std::uint16_t>(slot)});
    }
}

void Sm::receive(const std::vector<MemoryResponse>& responses) {
    for (const MemoryResponse& response : responses)
        events_.push(response.time, {.kind = response.acknowledges ? Event::Kind::acknowledge : Event::Kind::fill,
                                     .token = response.token});
}

void Sm::free_stores(const std::vector<StoreDone>& stores) {
    for (const StoreDone& store : stores)
        store_places_[store.credit] = std::max(store_places_[store.credit], store.time);
}

std::uint64_t Sm::next_activity() const {
    std::uint64_t next = events_.next_time();
    for (const SubCore& core : cores_) next = std::min(next, core.next);
    return next;
}

void Sm::run(std::uint64_t begin, std::uint64_t end) {
    now_ = std::max(now_, begin);
    // Execution may have produced since the last run.
    if (live_warps_ != 0) {
        for (std::size_t slot = 0; slot < warps_.size(); ++slot) {
            Warp& warp = warps_[slot];
            if (!warp.live) continue;
            if (warp.started < now_ && has_news(warp)) feed(static_cast<std::uint16_t>(slot), now_);
            if (warp.sleeping_lanes != 0 && warp.sleep_end <= now_) tell_timer(warp);
        }
    }
    for (;;) {
        const std::uint64_t next = next_activity();
        if (next >= end) break;
        now_ = next;
        events_.drain(now_, [&](const Event& event) { handle(event, now_); });
        for (std::uint32_t core = 0; core < subcores_; ++core)
            if (cores_[core].next <= now_) try_issue(core, now_);
    }
    now_ = end;
}

void Sm::handle(const Event& event, std::uint64_t now) {
    switch (event.kind) {
        case Event::Kind::release_write:
        case Event::Kind::release_read: release(event.warp, event.age, event.scoreboard, now); break;
        case Event::Kind::wake:
            if (warps_[event.warp].starved)
                feed(event.warp, now);
            else
                becomes_ready(event.warp, now);
            break;
        case Event::Kind::timer: timer_went_off(event, now); break;
        case Event::Kind::fill: fill(event.token, now); break;
        case Event::Kind::acknowledge: acknowledge(event.token, now); break;
        case Event::Kind::writeback: {
            const LoadOperation& load = loads_[event.token];
            if (load.scoreboard < 6) loaded(load, now);
            if (load.copy_group != 0) copy_done(load, now);
            free_loads_.push_back(event.token);
            break;
        }
    }
}

void Sm::schedule_wake(std::uint16_t slot, std::uint64_t time) {
    SubCore& core = cores_[slot % subcores_];
    if (time - now_ < 64) {
        core.wake[time % 64] |= 1U << (slot / subcores_);
        core.wake_bits |= std::uint64_t{1} << (time % 64);
        look_at(core, time);
    } else {
        events_.push(time, {.kind = Event::Kind::wake, .warp = slot});
    }
}

bool Sm::held_by_scoreboard(const Warp& warp) const {
    const TimingOp& op = ops_[warp.pc];
    if ((warp.pending & op.wait_mask) != 0) return true;
    return op.action == Action::depbar && op.depbar_scoreboard < 6 &&
           warp.scoreboard[op.depbar_scoreboard] > op.depbar_count;
}

void Sm::becomes_ready(std::uint16_t slot, std::uint64_t now) {
    SubCore& core = cores_[slot % subcores_];
    const std::uint32_t bit = 1U << (slot / subcores_);
    if (held_by_scoreboard(warps_[slot])) {
        core.waiting |= bit;
    } else if (registers_ && held_by_registers(slot, now)) {
        return;
    } else {
        core.candidates |= bit;
        look_at(core, now);
    }
}

void Sm::release(std::uint16_t slot, std::uint64_t age, std::uint8_t scoreboard, std::uint64_t now) {
    Warp& warp = warps_[slot];
    if (!warp.live || warp.age != age) return;  // exited with a result still on its way
    if (--warp.scoreboard[scoreboard] != 0 && ops_[warp.pc].action != Action::depbar) return;
    const auto bit = static_cast<std::uint8_t>(1U << scoreboard);
    if (warp.scoreboard[scoreboard] == 0) {
        warp.cleared_kind = (warp.long_scoreboards & bit) != 0 ? Stall::long_scoreboard : Stall::short_scoreboard;
        warp.pending = static_cast<std::uint8_t>(warp.pending & ~bit);
        warp.long_scoreboards = static_cast<std::uint8_t>(warp.long_scoreboards & ~bit);
    }
    warp.scoreboard_clear = now;
    SubCore& core = cores_[slot % subcores_];
    const std::uint32_t lane = 1U << (slot / subcores_);
    if ((core.waiting & lane) != 0 && !held_by_scoreboard(warp)) {
        core.waiting &= ~lane;
        becomes_ready(slot, now);
    }
}

void Sm::loaded(const LoadOperation& load, std::uint64_t now) {
    if (!registers_) {
        release(load.warp, load.age, load.scoreboard, now);
        return;
    }
    Warp& warp = warps_[load.warp];
    if (!warp.live || warp.age != load.age) return;  // exited with a result still on its way
    registers_->release(load.warp, load.pc, now);
    SubCore& core = cores_[load.warp % subcores_];
    const std::uint32_t lane = 1U << (load.warp / subcores_);
    if ((core.waiting & lane) == 0) return;
    warp.cleared_kind = Stall::long_scoreboard;
    warp.scoreboard_clear = now;
    core.waiting &= ~lane;
    becomes_ready(load.warp, now);
}

bool Sm::held_by_registers(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const RegisterScoreboard::Wait wait = registers_->wait(slot, warp.pc);
    if (wait.until == RegisterScoreboard::never) {
        SubCore& core = cores_[slot % subcores_];
        core.waiting |= 1U << (slot / subcores_);
        return true;
    }
    if (wait.until <= now) return false;
    warp.cleared_kind = wait.reason;
    warp.scoreboard_clear = wait.until;
    schedule_wake(slot, wait.until);
    return true;
}

}  // namespace sassafras::sim
