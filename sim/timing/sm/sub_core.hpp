// A sub-core of an SM: which of its warps could issue and when that is worth a look, its execution units, and the ports
// of its register file (register_ports.hpp). Warps are numbered from 0 in each sub-core; times are cycles. Which warp
// issues is for its scheduler (ready_warps.hpp) to say.
// While an instruction waits for the ports it stands in its pipe, and the stall counts of all the sub-core's warps
// stand still with it (decision 0062): so warps that met once keep their distance and meet again.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "sim/platform/platform.hpp"
#include "sim/timing/sm/ready_warps.hpp"
#include "sim/timing/sm/register_ports.hpp"
#include "sim/timing/subcore_cycles.hpp"
#include "sim/timing/timing_op.hpp"

namespace sassafras::sim {

class SubCore {
  public:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    /// wake_at() takes times up to so many cycles ahead, not included.
    static constexpr std::uint64_t wake_horizon = 64;

    /// Next cycle worth a look; never if only something from outside can change anything.
    [[nodiscard]] std::uint64_t next() const { return next_; }
    void look_at(std::uint64_t when) { next_ = std::min(next_, when); }

    /// The warp's stall count ends at `time`, if none stands still until then.
    void wake_at(std::uint32_t warp, std::uint64_t time) {
        const std::uint64_t awake = std::max(time, resumes_ + 1);
        const std::uint64_t place = (awake - frozen_) % wake_horizon;
        wake_[place] |= 1U << warp;
        wake_bits_ |= std::uint64_t{1} << place;
        look_at(awake);
    }
    /// Warps whose stall ends now. Every cycle with a wake bit is looked at, so no older one can be left.
    std::uint32_t take_woken(std::uint64_t now) {
        const std::uint64_t place = (resumes(now) - frozen_) % wake_horizon;
        if ((wake_bits_ >> place & 1U) == 0) return 0;
        const std::uint32_t woken = wake_[place];
        wake_[place] = 0;
        wake_bits_ &= ~(std::uint64_t{1} << place);
        return woken;
    }
    /// The last cycle in which stall counts stand still, `now` if they do not.
    [[nodiscard]] std::uint64_t resumes(std::uint64_t now) const { return std::max(now, resumes_); }

    /// The warp could issue but for a unit.
    void add_candidate(std::uint32_t warp, std::uint64_t now) {
        candidates_ |= 1U << warp;
        look_at(now);
    }
    [[nodiscard]] std::uint32_t candidates() const { return candidates_; }
    /// The warp waits for a scoreboard.
    void wait(std::uint32_t warp) { waiting_ |= 1U << warp; }
    [[nodiscard]] bool waits(std::uint32_t warp) const { return (waiting_ >> warp & 1U) != 0; }
    void stop_waiting(std::uint32_t warp) { waiting_ &= ~(1U << warp); }
    /// The warp that issued last, unless it has ended.
    [[nodiscard]] std::uint32_t last() const { return last_; }
    /// A warp comes, at `time`.
    void start(std::uint64_t time) {
        if (live_++ == 0) active_since_ = time;
    }
    /// The warp goes.
    void end(std::uint32_t warp, std::uint64_t now) {
        if (last_ == warp) last_ = no_warp;
        if (--live_ == 0) cycles_.active += now - std::min(now, active_since_);
    }
    /// Until it last had no warp.
    [[nodiscard]] const SubCoreCycles& cycles() const { return cycles_; }

    /// From here on the unit takes an operation of the warp.
    [[nodiscard]] std::uint64_t unit_free(Unit unit, std::uint32_t warp) const {
        const bool others = unit == Unit::xu && xu_warp_ != no_warp && warp != xu_warp_;
        return others ? xu_free_for_others_ : unit_free_[static_cast<std::size_t>(unit)];
    }
    /// From here on the sub-core can issue again.
    [[nodiscard]] std::uint64_t dispatch_free() const { return dispatch_free_; }
    /// The last issue holds up the next for register reads.
    [[nodiscard]] bool ports_busy() const { return ports_busy_; }

    /// The warp, a candidate, issues the instruction `pc`: books its unit and its register ports. The cycle at which
    /// its unit begins it.
    std::uint64_t issue(std::uint32_t warp, std::uint32_t pc, const TimingOp& op, const Platform& platform,
                        std::uint64_t now) {
        // Sources that the previous instruction left in the reuse cache need no read port.
        const bool reuse = last_ == warp && last_pc_ + 1 == pc;
        dispatch_free_ = ports_.issue(op, reuse ? op.read_cycles_reuse : op.read_cycles, platform.sm, now);
        ports_busy_ = dispatch_free_ > now + platform.sm.issue_interval_cycles;
        if (ports_busy_) {
            const std::uint64_t held = dispatch_free_ - now - platform.sm.issue_interval_cycles;
            frozen_ += held;
            resumes_ = now + held;
        }
        const std::uint64_t at = resumes(now);
        last_ = warp;
        last_pc_ = pc;
        candidates_ &= ~(1U << warp);
        if (op.unit == Unit::xu && platform.pipes.xu_lead_cycles != 0) return queue(op, platform, at);
        if (op.half != FmaHalf::none)
            take_half(op, at);
        else
            unit_free_[static_cast<std::size_t>(op.unit)] = op.unit == Unit::none ? 0 : at + op.interval;
        return at;
    }
    /// What the warp's instruction sends is read from `start` on.
    void read_later(const TimingOp& op, const SmParameters& sm, std::uint64_t now, std::uint64_t start) {
        if (op.queued_read_count != 0) ports_.read_later(op, sm, now, start);
    }

    /// After a look at `now`: the next is due when a candidate may have a chance, `chance`, or a stall ends.
    void looked(std::uint64_t now, std::uint64_t chance) {
        next_ = chance;
        if (wake_bits_ == 0) return;
        const std::uint64_t from = resumes(now) + 1;
        const std::uint64_t turned = std::rotr(wake_bits_, static_cast<int>((from - frozen_) % wake_horizon));
        next_ = std::min(next_, from + static_cast<std::uint64_t>(std::countr_zero(turned)));
    }

  private:
    /// XU begins one operation after another; one more may wait for it, which the same warp's does earlier than
    /// another's.
    std::uint64_t queue(const TimingOp& op, const Platform& platform, std::uint64_t now) {
        // While a result waits, nothing behind it moves.
        const std::uint64_t waits = ports_.take_waits();
        cycles_.xu_waits += waits;
        xu_free_ += waits;
        const std::uint64_t begin = std::max(now, xu_free_);
        xu_warp_ = last_;
        xu_free_ = begin + op.interval;
        const auto ahead = [&](std::uint64_t lead) { return std::max(now + 1, xu_free_ - std::min(xu_free_, lead)); };
        unit_free_[static_cast<std::size_t>(Unit::xu)] = ahead(platform.pipes.xu_lead_cycles);
        xu_free_for_others_ = ahead(platform.pipes.xu_other_lead_cycles);
        ports_.read_later(op, platform.sm, now, now);
        const std::uint64_t before = platform.sm.result_write_lead_cycles + platform.pipes.fma.latency_cycles;
        if (op.write_banks != 0 && platform.sm.result_write_lead_cycles != 0)
            ports_.write_later(op, now, begin + op.latency - before);
        return begin;
    }
    void take_half(const TimingOp& op, std::uint64_t now) {
        std::uint64_t& first = half_free_[0];
        std::uint64_t& second = half_free_[1];
        switch (op.half) {
            case FmaHalf::either: (second <= now ? second : first) = now + half_free_.size() * op.interval; break;
            case FmaHalf::first: first = now + op.interval; break;
            default: first = second = now + op.interval; break;
        }
        unit_free_[static_cast<std::size_t>(Unit::fma)] = std::min(first, second);
        unit_free_[static_cast<std::size_t>(Unit::imad)] = first;
        unit_free_[static_cast<std::size_t>(Unit::imad_wide)] = first;
        unit_free_[static_cast<std::size_t>(Unit::fp16)] = std::max(first, second);
    }

    std::array<std::uint64_t, unit_count> unit_free_{};
    std::array<std::uint64_t, 2> half_free_{};  ///< of the pipe for multiplications and additions
    std::uint64_t xu_free_ = 0;                 ///< XU can begin another operation
    std::uint64_t xu_free_for_others_ = 0;      ///< its queue takes one of a warp that is not xu_warp_
    std::uint32_t xu_warp_ = no_warp;           ///< whose operation came last, if one waits for another
    RegisterPorts ports_;
    /// Warps whose stall ends, by cycle (of those in which stall counts run) modulo the horizon.
    std::array<std::uint32_t, wake_horizon> wake_{};
    std::uint64_t wake_bits_ = 0;
    std::uint64_t next_ = never;
    std::uint64_t frozen_ = 0;   ///< cycles in which stall counts have stood still
    std::uint64_t resumes_ = 0;  ///< last of these
    std::uint64_t dispatch_free_ = 0;
    std::uint64_t active_since_ = 0;
    SubCoreCycles cycles_;
    std::uint32_t live_ = 0;  ///< warps
    std::uint32_t candidates_ = 0;
    std::uint32_t waiting_ = 0;
    std::uint32_t last_ = no_warp;
    std::uint32_t last_pc_ = 0;
    bool ports_busy_ = false;
};

}  // namespace sassafras::sim
