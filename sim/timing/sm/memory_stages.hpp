// The stages of an SM's memory unit: a queue for each sub-core, then entrance, tags and data, which the sub-cores
// share. A stage is booked when an instruction issues, cycle by cycle, so a wait costs no simulation work; who is
// booked later may take an earlier cycle that is free. Times are cycles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/engine/slot_calendar.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/sm/tag_banks.hpp"

namespace sassafras::sim {

/// What goes between a sub-core and the data stage, either way.
struct Passage {
    std::uint32_t subcore = 0;
    std::uint32_t warp = 0;  ///< its slot in the SM
    std::uint32_t wavefronts = 0;
    std::uint32_t registers = 0;   ///< that a load brings
    bool shared_memory = false;    ///< or a shuffle's: a warp's wavefronts there do not wait for those of L1
    bool whole_registers = false;  ///< each wavefront has a register of all lanes: they follow one another at once
};

class MemoryStages {
  public:
    MemoryStages(const LsuParameters& lsu, std::uint32_t subcores, std::size_t warps);

    /// When the queue of a sub-core has room for one more instruction.
    [[nodiscard]] std::uint64_t queue_free(std::uint32_t subcore) const { return ports_[subcore].queue_free; }

    /// The cycle, from `now` on, in which the unit takes something that waits in no queue here: special registers and
    /// the like come in by the same entrance.
    std::uint64_t accept(std::uint64_t now) {
        const std::uint32_t interval = lsu_.accept_interval_cycles;
        const std::uint64_t slot = (now + interval - 1) / interval;
        accept_.advance(slot);
        return accept_.take(slot) * interval;
    }

    /// The registers of an instruction's address and data.
    struct Operands {
        std::uint32_t address = 1;
        std::uint32_t data = 0;
    };
    /// An instruction of a sub-core that sends so many registers enters the unit, at `now` or, because of what is
    /// before it, later; not before `earliest`. The cycle at which it does.
    std::uint64_t enter(std::uint32_t subcore, std::uint32_t warp, Operands registers, std::uint64_t now,
                        std::uint64_t earliest);

    /// When the last instruction entered.
    [[nodiscard]] std::uint64_t now() const { return now_; }
    /// Whether accesses keep their places before the data stage until they have been looked up and are through.
    [[nodiscard]] bool keeps_places() const { return !before_data_.empty(); }
    /// What entered last waits before its lookups until `begin`, and keeps its room there. `begin`.
    std::uint64_t hold(std::uint64_t begin) {
        if (!before_data_.empty()) before_data_[before_data_at_] = std::max(before_data_[before_data_at_], begin);
        return begin;
    }

    /// The cycle at which a line of an access is looked up, which entered at `entry` and of which `passes` has the
    /// lookups so far.
    std::uint64_t look_up_tag(TagPasses& passes, std::uint64_t line, std::uint64_t entry) {
        const std::uint32_t bank = tag_banks_.banks() == 1 ? 0 : tag_banks_.bank_of(line);
        const std::uint32_t pass = passes.lines_of_bank[bank]++;
        if (pass == passes.count) {
            passes.at[pass] = tags_.take(pass == 0 ? entry : passes.at[pass - 1] + 1);
            ++passes.count;
        }
        return passes.at[pass];
    }

    /// The cycle at which a line that L1 lacks is asked for, which was looked up at `from`.
    std::uint64_t leave(std::uint64_t from) {
        ++left_;
        return misses_.take((from + lsu_.miss_interval_cycles - 1) / lsu_.miss_interval_cycles) *
               lsu_.miss_interval_cycles;
    }

    /// Books the data stage and a sub-core's way there. The cycle at which the last wavefront goes through; `from` if
    /// there is none.
    std::uint64_t pass(const Passage& passage, std::uint64_t from);
    /// As pass(), for a line that comes back to a load: a warp's need not be apart.
    std::uint64_t bring_back(std::uint32_t subcore, std::uint64_t from, std::uint32_t wavefronts);
    /// Books the data stage alone.
    std::uint64_t reserve_data(std::uint64_t from, std::uint32_t wavefronts);

    /// Nothing will be booked in the data stage before `now` any more.
    void data_from(std::uint64_t now) {
        if (lsu_.wavefront_interval_cycles == 1) data_.advance(now);
    }

    [[nodiscard]] std::uint64_t left() const { return left_; }

  private:
    /// What a sub-core has to itself.
    struct Port {
        std::vector<std::uint64_t> queue;  ///< when each of the last memory instructions leaves the queue
        std::size_t queue_at = 0;
        std::uint64_t queue_free = 0;  ///< queue[queue_at]
        std::uint64_t way_free = 0;    ///< between it and the data stage the next wavefront can go
        std::uint64_t work = 0;        ///< likewise, but for what came back since to loads that waited
        std::uint64_t enter_free = 0;  ///< its next instruction may enter
        bool had_data = false;         ///< the last one sent some
    };

    /// When there is room before the data stage for an instruction of a warp.
    [[nodiscard]] std::uint64_t room_at(const Port& port, std::uint32_t warp) const;
    std::uint64_t book(std::uint64_t from, std::uint32_t wavefronts, std::uint64_t spacing);
    /// A sub-core's wavefronts are as far apart as a warp's: sent or returned, they follow one another, and what comes
    /// back holds up who enters. (GPUs before Volta: as it was before an H200 told the two apart.)
    [[nodiscard]] bool has_one_way() const {
        return lsu_.warp_wavefront_interval_cycles <= lsu_.subcore_wavefront_interval_cycles;
    }
    [[nodiscard]] std::uint64_t spacing_of(std::uint64_t cycles) const;

    LsuParameters lsu_;
    TagBanks tag_banks_;
    std::vector<Port> ports_;
    /// Up to here the wavefronts of a warp's instructions are booked, by its slot: of L1, and of shared memory.
    std::vector<std::array<std::uint64_t, 2>> warp_free_;
    /// Of the last instructions that entered, when each has gone through the data stage; a ring.
    std::vector<std::uint64_t> before_data_;
    std::size_t before_data_at_ = 0;
    SlotCalendar accept_;  ///< in units of its interval, as the data stage
    SlotCalendar tags_;
    SlotCalendar misses_;  ///< likewise
    SlotCalendar data_;
    std::uint64_t left_ = 0;       ///< lines that were asked for
    std::uint64_t data_free_ = 0;  ///< the data stage has work up to here
    std::uint64_t now_ = 0;        ///< when the last instruction was issued
};

}  // namespace sassafras::sim
