#include "sim/timing/sm/sm.hpp"

#include <algorithm>
#include <bit>

namespace sassafras::sim {

Sm::Sm(const LaunchContext& context, std::uint32_t number)
    : context_(context),
      platform_(*context.platform),
      ops_(context.ops->data()),
      subcores_(context.platform->sm.subcores),
      line_shift_(std::countr_zero(context.platform->fetch.line_bytes / isa::instruction_bytes)),
      warps_(context.platform->sm.max_warps),
      cores_(subcores_),
      schedulers_(make_policies<WarpSchedulers>(context.platform->sm.warp_scheduler, subcores_, context.platform->sm)),
      blocks_(context.platform->sm.max_blocks),
      fetch_(context.platform->fetch, subcores_, fetch_launch(*context.platform, context.blocks, context.code_lines),
             context.far_code, number),
      constant_port_(context.platform->lsu),
      memory_(*context.platform,
              {.sm = number,
               .l1_lines = context.l1_lines,
               .local_bytes = context.local_bytes,
               .slots = warps_.size(),
               .instructions = context.ops->size()},
              events_),
      copies_(warps_.size()),
      arrivals_(context.platform->sm.barrier_arrival_interval_cycles),
      stalls_(context.ops->size()) {
    require_invariant((warps_.size() + subcores_ - 1) / subcores_ <= no_warp, "a sub-core holds at most 32 warps");
    if (context.registers != nullptr) registers_.emplace(*context.registers, warps_.size());
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
        warp.subcore = static_cast<std::uint8_t>(slot % subcores_);
        warp.in_subcore = static_cast<std::uint8_t>(slot / subcores_);
        warp.age = starts_++;
        if (registers_) registers_->clear(slot);
        warp.started = time + static_cast<std::uint64_t>(index) * platform_.gpu.warp_start_interval_cycles;
        cores_[warp.subcore].start(warp.started);
        warp.last_issue = warp.stall_end = warp.ready_at = warp.started;
        warp.starved = true;  // fed when its start event comes
        block.warps.push_back(static_cast<std::uint16_t>(slot));
        events_.push(warp.started, {.kind = Event::Kind::wake, .warp = static_cast<std::uint16_t>(slot)});
    }
}

void Sm::receive(const std::vector<MemoryResponse>& responses) {
    for (const MemoryResponse& response : responses) {
        events_.push(response.time, {.kind = response.acknowledges ? Event::Kind::acknowledge : Event::Kind::answer,
                                     .token = response.token});
        if (!response.acknowledges) memory_.will_answer(response.asked, response.time);
    }
}

void Sm::add_resident(std::uint64_t now, std::uint64_t& active, std::uint64_t& warps) const {
    if (live_warps_ == 0) return;
    active += now - std::min(now, active_since_);
    for (const Warp& warp : warps_)
        if (warp.live) warps += now - std::min(now, warp.started);
}

SubCoreCycles Sm::subcore_cycles() const {
    SubCoreCycles cycles;
    for (const SubCore& core : cores_) cycles.add(core.cycles());
    return cycles;
}

std::uint64_t Sm::next_activity() const {
    std::uint64_t next = events_.next_time();
    for (const SubCore& core : cores_) next = std::min(next, core.next());
    return next;
}

/// A sub-core as its warp scheduler sees it (ready_warps.hpp).
class Sm::Ready {
  public:
    Ready(const Sm& sm, std::uint32_t core_number, std::uint64_t now)
        : sm_(sm), core_(sm.cores_[core_number]), number_(core_number), now_(now) {}

    [[nodiscard]] std::uint32_t candidates() const { return core_.candidates(); }
    [[nodiscard]] std::uint32_t last() const { return core_.last(); }
    [[nodiscard]] bool yields(std::uint32_t warp) const { return sm_.ops_[sm_.warps_[slot(warp)].pc].yields; }
    [[nodiscard]] std::uint64_t age(std::uint32_t warp) const { return sm_.warps_[slot(warp)].age; }
    [[nodiscard]] std::uint64_t block_age(std::uint32_t warp) const {
        const Warp& of = sm_.warps_[slot(warp)];
        return of.age - of.index;  // its first warp's
    }
    bool can_issue(std::uint32_t warp) {
        const TimingOp& op = sm_.ops_[sm_.warps_[slot(warp)].pc];
        std::uint64_t free = core_.unit_free(op.unit, warp);
        if (op.unit == Unit::memory) free = std::max(free, sm_.memory_.stages().queue_free(number_));
        if (free <= now_) return true;
        retry_ = std::min(retry_, free);
        return false;
    }
    /// When the first of those that could not issue can.
    [[nodiscard]] std::uint64_t retry() const { return retry_; }
    [[nodiscard]] std::uint32_t slot(std::uint32_t warp) const { return warp * sm_.subcores_ + number_; }

  private:
    const Sm& sm_;
    const SubCore& core_;
    std::uint32_t number_;
    std::uint64_t now_;
    std::uint64_t retry_ = never;
};

template <class Scheduler>
void Sm::try_issue(std::uint32_t core_number, std::uint64_t now, Scheduler& scheduler) {
    SubCore& core = cores_[core_number];
    for (std::uint32_t woken = core.take_woken(now); woken != 0; woken &= woken - 1)
        becomes_ready(
            static_cast<std::uint16_t>(static_cast<std::uint32_t>(std::countr_zero(woken)) * subcores_ + core_number),
            now);
    std::uint64_t chance = never;
    if (core.dispatch_free() > now) {
        chance = core.candidates() != 0 ? core.dispatch_free() : never;
    } else if (core.candidates() != 0) {
        Ready ready(*this, core_number, now);
        const std::uint32_t chosen = scheduler.pick(ready);
        chance = ready.retry();
        if (chosen != no_warp) {
            issue(core_number, static_cast<std::uint16_t>(ready.slot(chosen)), now);
            chance = core.candidates() != 0 ? std::max(now + 1, core.dispatch_free()) : never;
        }
    }
    core.looked(now, chance);
}

template <class Scheduler>
void Sm::run_until(std::uint64_t end, std::vector<Scheduler>& schedulers) {
    for (;;) {
        const std::uint64_t next = next_activity();
        if (next >= end) break;
        now_ = next;
        events_.drain(now_, [&](const Event& event) { handle(event, now_); });
        for (std::uint32_t core = 0; core < subcores_; ++core)
            if (cores_[core].next() <= now_) try_issue(core, now_, schedulers[core]);
    }
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
    std::visit([&](auto& schedulers) { run_until(end, schedulers); }, schedulers_);
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
        case Event::Kind::drained: end_warp(event.warp, now); break;
        case Event::Kind::answer: memory_.take_answer(event.token, now); break;
        case Event::Kind::fill: memory_.fill(event.token, now); break;
        case Event::Kind::acknowledge: acknowledge(event.token, now); break;
        case Event::Kind::writeback: load_finished(memory_.finished(event.token), now); break;
    }
}

void Sm::schedule_wake(std::uint16_t slot, std::uint64_t time) {
    if (time - now_ < SubCore::wake_horizon)
        core_of(slot).wake_at(number_in_core(slot), time);
    else
        events_.push(time, {.kind = Event::Kind::wake, .warp = slot});
}

bool Sm::held_by_scoreboard(const Warp& warp) const {
    const TimingOp& op = ops_[warp.pc];
    if ((warp.scoreboards.pending() & op.wait_mask) != 0) return true;
    return op.action == Action::depbar && op.depbar_scoreboard < Scoreboards::count &&
           warp.scoreboards.outstanding(op.depbar_scoreboard) > op.depbar_count;
}

void Sm::becomes_ready(std::uint16_t slot, std::uint64_t now) {
    if (ops_[warps_[slot].pc].awaits_barrier && held_by_barrier(slot, now)) return;
    if (held_by_scoreboard(warps_[slot]))
        core_of(slot).wait(number_in_core(slot));
    else if (!registers_ || !held_by_registers(slot, now))
        core_of(slot).add_candidate(number_in_core(slot), now);
}

void Sm::release(std::uint16_t slot, std::uint64_t age, std::uint8_t scoreboard, std::uint64_t now) {
    if (!is_there({.slot = slot, .age = age})) return;
    Warp& warp = warps_[slot];
    // A DEPBAR may wait for a count that is not zero.
    if (!warp.scoreboards.release(scoreboard, warp.cleared_kind) && ops_[warp.pc].action != Action::depbar) return;
    warp.scoreboard_clear = now;
    SubCore& core = core_of(slot);
    const std::uint32_t number = number_in_core(slot);
    if (core.waits(number) && !held_by_scoreboard(warp)) {
        core.stop_waiting(number);
        becomes_ready(slot, now);
    }
}

bool Sm::held_by_registers(std::uint16_t slot, std::uint64_t now) {
    Warp& warp = warps_[slot];
    const RegisterScoreboard::Wait wait = registers_->wait(slot, warp.pc);
    if (wait.until == RegisterScoreboard::never) {
        core_of(slot).wait(number_in_core(slot));
        return true;
    }
    if (wait.until <= now) return false;
    warp.cleared_kind = wait.reason;
    warp.scoreboard_clear = wait.until;
    schedule_wake(slot, wait.until);
    return true;
}

}  // namespace sassafras::sim
