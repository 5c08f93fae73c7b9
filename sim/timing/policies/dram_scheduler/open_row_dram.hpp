// First ready, with open rows: a bank keeps the row of its last access open. An access of that row needs a column
// command (tCAS) only; another row must be activated first (tRCD), and the open one precharged before that (tRP), no
// sooner than tRAS after it was activated. An access whose row is still open goes ahead of one that was there earlier
// and has to open another row of the bank, as long as that one's precharge, once promised, is kept; and data takes
// whatever burst of the channel is free first. Refresh closes the row of its bank. A channel activates a row every tRRD
// or every quarter of tFAW, whichever is longer: what limits a stream of activations; that four may come sooner where
// tFAW is more than four tRRD is left out.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/engine/slot_calendar.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/memory/dram_row.hpp"
#include "sim/timing/memory/dram_time.hpp"
#include "sim/timing/memory/mix.hpp"

namespace sassafras::sim {

class OpenRowDram {
  public:
    explicit OpenRowDram(const Platform& platform)
        : banks_per_channel_(platform.dram.banks),
          burst_bytes_(platform.dram.access_bytes),
          burst_cost_(byte_cost(channel_bytes_per_cycle(platform)) * platform.dram.access_bytes),
          turn_around_(static_cast<std::uint64_t>(
              std::llround((1 / platform.dram.write_efficiency - 1) * static_cast<double>(byte_fraction)))),
          activate_(dram_cycles(platform.clock, platform.dram.t_rcd_ns)),
          precharge_(dram_cycles(platform.clock, platform.dram.t_rp_ns)),
          column_(dram_cycles(platform.clock, platform.dram.t_cas_ns)),
          active_(dram_cycles(platform.clock, platform.dram.t_ras_ns)),
          activation_cost_(cycles_between_activations(platform)),
          refresh_interval_(platform.dram.refresh_interval_cycles),
          refresh_(platform.dram.refresh_cycles),
          // The platform's latency is that of an idle channel, whose row is to be activated; platform_constraints.cpp
          // refuses one that is shorter.
          beyond_(platform.dram.latency_cycles > activate_ + column_
                      ? platform.dram.latency_cycles - activate_ - column_
                      : 0),
          channels_(platform.dram.channels),
          banks_(std::size_t{platform.dram.channels} * platform.dram.banks) {}

    void clear() {
        std::fill(channels_.begin(), channels_.end(), Channel{});
        std::fill(banks_.begin(), banks_.end(), Bank{});
    }
    void advance(std::uint64_t time) {
        for (Channel& channel : channels_) {
            channel.bursts.advance(time * cycle_fraction / burst_cost_);
            if (activation_cost_ != 0) channel.activations.advance(time * cycle_fraction / activation_cost_);
        }
    }

    template <class Map>
    std::uint64_t read(const Map& map, const DramAccess& access) {
        return (transfer(access, map.row(access.line)) + 1) * burst_cost_ / cycle_fraction + beyond_;
    }
    template <class Map>
    std::uint64_t write(const Map& map, const DramAccess& access) {
        const std::uint64_t last = transfer(access, map.row(access.line));
        // Among reads the channel turns around for what is written: it then moves nothing.
        Channel& channel = channels_[access.channel];
        channel.turning += access.bytes * turn_around_;
        for (const std::uint64_t burst = burst_bytes_ * byte_fraction; channel.turning >= burst;
             channel.turning -= burst)
            channel.bursts.take(last);
        return (last + 1) * burst_cost_ / cycle_fraction + beyond_;
    }

  private:
    static constexpr std::uint64_t never = ~std::uint64_t{0};
    static constexpr std::uint64_t byte_fraction = 1ULL << 20U;

    /// A row from its activation to its precharge; times in cycles.
    struct OpenRow {
        std::uint64_t row = never;  ///< never: none
        std::uint64_t activated = 0;
        std::uint64_t column_from = 0;  ///< first column command
        std::uint64_t last_column = 0;
        std::uint64_t closes = never;  ///< when its precharge begins, if that is known
        std::uint64_t epoch = 0;       ///< refreshes of the bank before it
    };
    struct Bank {
        OpenRow now;
        OpenRow before;
    };
    struct Channel {
        SlotCalendar bursts;       ///< in units of one burst
        SlotCalendar activations;  ///< in units of the time between two
        std::uint64_t turning =
            0;  ///< 2^-20 bytes that could have gone through while the channel turned around and did not yet
    };

    /// Books the bursts of an access; the number of the last.
    std::uint64_t transfer(const DramAccess& access, const DramRow& row) {
        const std::size_t number = std::size_t{access.channel} * banks_per_channel_ + row.bank;
        Bank& bank = banks_[number];
        const std::uint64_t phase = refresh_interval_ == 0 ? 0 : mix(number) % refresh_interval_;
        SlotCalendar& bursts = channels_[access.channel].bursts;
        OpenRow* open = &bank.now;
        std::uint64_t burst = first_burst(bank.now, row.number, access.time, phase, bursts);
        if (burst == never) {
            open = &bank.before;
            burst = first_burst(bank.before, row.number, access.time, phase, bursts);
        }
        if (burst == never) {
            open = &bank.now;
            open_row(bank, channels_[access.channel], row.number, access.time, phase);
            burst = burst_from(bank.now.column_from + column_);
        }
        std::uint64_t last = bursts.take(burst);
        for (std::uint64_t sent = burst_bytes_; sent < access.bytes; sent += burst_bytes_) last = bursts.take(last + 1);
        // A column command comes tCAS before its data.
        open->last_column = std::max(open->last_column, last * burst_cost_ / cycle_fraction - column_);
        return last;
    }

    /// The first burst that does not begin before `time`.
    [[nodiscard]] std::uint64_t burst_from(std::uint64_t time) const {
        return (time * cycle_fraction + burst_cost_ - 1) / burst_cost_;
    }

    /// The first burst that an access at `time` can have of a row while that is open; never if it is not.
    [[nodiscard]] std::uint64_t first_burst(const OpenRow& open, std::uint64_t row, std::uint64_t time,
                                            std::uint64_t phase, const SlotCalendar& bursts) const {
        if (open.row != row) return never;
        const std::uint64_t ready = after_refresh(std::max(time, open.column_from), phase);
        const std::uint64_t burst = bursts.first_free(burst_from(ready + column_));
        const std::uint64_t column = burst * burst_cost_ / cycle_fraction - column_;
        return column < open.closes && epoch(column, phase) == open.epoch ? burst : never;
    }

    /// Opens a row in place of the one that is open.
    void open_row(Bank& bank, Channel& channel, std::uint64_t row, std::uint64_t time, std::uint64_t phase) const {
        std::uint64_t start = after_refresh(time, phase);
        if (OpenRow& open = bank.now; open.row != never) {
            start = after_refresh(std::max({start, open.activated + active_, open.last_column}), phase);
            if (epoch(start, phase) == open.epoch) {  // else a refresh has closed it
                open.closes = start;
                start = after_refresh(start + precharge_, phase);
            }
        }
        if (activation_cost_ != 0) {
            const std::uint64_t slot = (start * cycle_fraction + activation_cost_ - 1) / activation_cost_;
            start = after_refresh(
                (channel.activations.take(slot) * activation_cost_ + cycle_fraction - 1) / cycle_fraction, phase);
        }
        // No refresh comes between a row's activation and its first column command.
        if (epoch(start + activate_, phase) != epoch(start, phase)) start = after_refresh(start + activate_, phase);
        bank.before = bank.now;
        bank.now = {.row = row,
                    .activated = start,
                    .column_from = start + activate_,
                    .last_column = start + activate_,
                    .closes = never,
                    .epoch = epoch(start, phase)};
    }

    /// A bank answers nothing at the beginning of each of its refresh intervals.
    [[nodiscard]] std::uint64_t after_refresh(std::uint64_t time, std::uint64_t phase) const {
        if (refresh_interval_ == 0) return time;
        const std::uint64_t since = (time + phase) % refresh_interval_;
        return since < refresh_ ? time + refresh_ - since : time;
    }
    [[nodiscard]] std::uint64_t epoch(std::uint64_t time, std::uint64_t phase) const {
        return refresh_interval_ == 0 ? 0 : (time + phase) / refresh_interval_;
    }

    std::uint32_t banks_per_channel_;
    std::uint64_t burst_bytes_;
    std::uint64_t burst_cost_;   ///< of one burst on a channel's pins, 2^-20 cycles
    std::uint64_t turn_around_;  ///< time lost for each byte that is written, in 2^-20 of what a byte takes
    std::uint64_t activate_;     ///< tRCD, cycles, and so on
    std::uint64_t precharge_;
    std::uint64_t column_;
    std::uint64_t active_;
    std::uint64_t activation_cost_;  ///< between activations of a channel, 2^-20 cycles
    std::uint64_t refresh_interval_;
    std::uint64_t refresh_;
    std::uint64_t beyond_;  ///< of the latency: what is not the banks'
    std::vector<Channel> channels_;
    std::vector<Bank> banks_;  ///< channel by channel
};

}  // namespace sassafras::sim
