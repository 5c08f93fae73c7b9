// The ports of a sub-core's register file. An instruction of fixed latency reads its banks when it issues and writes
// them when its latency is over. What goes through a queue (XU, stores, shuffles) reads a register every few cycles,
// and XU writes when it is ready: either waits a cycle for a bank that is taken, then the instruction that would take
// it is held. So is one whose result would come with a late one (FP64), at once
// (validate/records/h200/probes/register_ports.py). While a result of XU waits, what is behind it in XU does, too
// (probes/mixed_loops.cu). Times are cycles.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "sim/platform/platform.hpp"
#include "sim/timing/timing_op.hpp"

namespace sassafras::sim {

class RegisterPorts {
  public:
    /// An instruction issues at `now`. The first cycle at which its sub-core can issue another, as far as registers go.
    std::uint64_t issue(const TimingOp& op, const std::array<std::uint8_t, max_register_banks>& read_cycles,
                        const SmParameters& sm, std::uint64_t now) {
        const std::uint64_t held = any_due_ != 0 && held_at(op, read_cycles, now) ? 1 : 0;
        std::uint64_t free = now + sm.issue_interval_cycles + held;
        // A pipe that takes its operands in two cycles reads them a cycle later (probes/chains_beside.cu: LOP3 beside
        // FFMA; fp64.cu: a DFMA beside FFMAs), and three of one bank one after the other (pipe_pairs.py).
        const bool half_rate = op.interval > 1;
        const std::uint64_t first = now + (half_rate ? 1U : 0U);
        for (std::size_t bank = 0; bank < sm.register_banks; ++bank) {
            if (read_cycles[bank] == 0) continue;
            bank_free_[bank] = std::max(bank_free_[bank], first + held) + read_cycles[bank];
            const std::uint64_t window =
                std::max<std::uint64_t>(sm.read_window_cycles, half_rate ? read_cycles[bank] : 0U);
            // What does not fit into the window holds up the instructions behind.
            const std::uint64_t end = first + window;
            if (bank_free_[bank] > end) free = std::max(free, now + 1 + bank_free_[bank] - end);
        }
        if (op.writes_on_time())
            for (std::size_t bank = 0; bank < max_register_banks; ++bank)
                if ((op.write_banks >> bank & 1U) != 0) written_[bank] = now + held + 1;
        if (op.result_late != 0 && op.write_banks != 0) due(late_, now, now + op.result_late);
        return free;
    }

    /// How many results of XU have waited for their banks since this was asked last.
    std::uint64_t take_waits() { return std::exchange(waits_, 0); }

    /// An instruction's registers are read one after another, from `start` on.
    void read_later(const TimingOp& op, const SmParameters& sm, std::uint64_t now, std::uint64_t start) {
        for (std::size_t i = 0; i < op.queued_read_count; ++i)
            due(reads_[op.queued_reads[i]], now, start + (i + 1) * sm.queued_read_interval_cycles);
    }
    /// A result would be written as that of an instruction of fixed latency which issues at `as_issued_at`.
    void write_later(const TimingOp& op, std::uint64_t now, std::uint64_t as_issued_at) {
        const std::uint8_t banks = op.write_banks;
        if ((banks & (banks - 1)) != 0)
            due(pairs_, now, as_issued_at);
        else
            for (std::size_t bank = 0; bank < max_register_banks; ++bank)
                if ((banks >> bank & 1U) != 0) due(writes_[bank], now, as_issued_at);
    }

  private:
    /// Last cycles that are foreseen, a bit each; bit 0 is cycle from_.
    using Cycles = std::uint64_t;

    void advance(std::uint64_t now) {
        const std::uint64_t by = now - from_;
        from_ = now;
        any_due_ = 0;
        const auto shift = [&](Cycles& cycles) {
            cycles = by < 64 ? cycles >> by : 0;
            any_due_ |= cycles;
        };
        for (Cycles& cycles : reads_) shift(cycles);
        for (Cycles& cycles : writes_) shift(cycles);
        shift(pairs_);
        shift(late_);
    }
    void due(Cycles& cycles, std::uint64_t now, std::uint64_t at) {
        advance(now);
        if (at < now || at - now >= 64) return;
        cycles |= Cycles{1} << (at - now);
        any_due_ |= cycles;
    }
    /// Something that has waited for a cycle needs a port that the instruction would take.
    bool held_at(const TimingOp& op, const std::array<std::uint8_t, max_register_banks>& read_cycles,
                 std::uint64_t now) {
        advance(now);
        bool held = false;
        bool wrote = false;
        for (std::size_t bank = 0; bank < max_register_banks; ++bank) {
            if (read_cycles[bank] != 0 && (reads_[bank] & 1U) != 0 && bank_free_[bank] >= now) held = true;
            wrote = wrote || written_[bank] == now;
        }
        if (!op.writes_on_time() || op.write_banks == 0) return held;
        if ((pairs_ & 2U) != 0) ++waits_;  // it would have been written with this one's result
        for (std::size_t bank = 0; bank < max_register_banks; ++bank) {
            if ((op.write_banks >> bank & 1U) == 0) continue;
            if ((writes_[bank] & 1U) != 0 && written_[bank] == now) held = true;
            if ((writes_[bank] & 2U) != 0) ++waits_;
        }
        return held || (wrote && (pairs_ & 1U) != 0) || (late_ & 1U) != 0;
    }

    std::array<std::uint64_t, max_register_banks> bank_free_{};  ///< reads are booked up to here
    std::array<std::uint64_t, max_register_banks> written_{};    ///< one past the issue of the last that writes on time
    std::array<Cycles, max_register_banks> reads_{};             ///< by which a queued read must have been
    std::array<Cycles, max_register_banks> writes_{};
    Cycles pairs_ = 0;  ///< likewise of results that take both banks at once
    Cycles late_ = 0;   ///< taken by results that come later than others of their issue
    std::uint64_t from_ = 0;
    Cycles any_due_ = 0;
    std::uint64_t waits_ = 0;
};

}  // namespace sassafras::sim
