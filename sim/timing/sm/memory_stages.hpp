// The stages of an SM's memory unit: a queue for each sub-core, then entrance, tags and data, which the sub-cores
// share. A stage is booked when an instruction issues, cycle by cycle, so a wait costs no simulation work; who is
// booked later may take an earlier cycle that is free. Times are cycles.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/slot_calendar.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

class MemoryStages {
  public:
    MemoryStages(const LsuParameters& lsu, std::uint32_t subcores);

    /// When the queue of a sub-core has room for one more instruction.
    [[nodiscard]] std::uint64_t queue_free(std::uint32_t subcore) const { return ports_[subcore].queue_free; }

    /// An instruction of a sub-core that sends `data_registers` registers enters the unit, at `now` or, because of what
    /// is before it, later; not before `earliest`. The cycle at which it does.
    std::uint64_t enter(std::uint32_t subcore, std::uint32_t data_registers, std::uint64_t now, std::uint64_t earliest);

    /// The cycle at which line `number` of an access is looked up, if the one before it was at `before`.
    std::uint64_t look_up_tag(std::uint32_t number, std::uint64_t before) {
        if (lsu_.tags_per_cycle != 1 && number % lsu_.tags_per_cycle != 0) return before;
        return tags_.take(number == 0 ? before : before + 1);
    }

    /// Books the data stage and, for what a sub-core sends or receives (`by_subcore`), its way there. The cycle at
    /// which the last wavefront goes through; `from` if there is none.
    std::uint64_t reserve_data(std::uint32_t subcore, std::uint64_t from, std::uint32_t wavefronts, bool by_subcore);

    /// Nothing will be booked in the data stage before `now` any more.
    void data_from(std::uint64_t now) {
        if (lsu_.wavefront_interval_cycles == 1) data_.advance(now);
    }

  private:
    /// What a sub-core has to itself.
    struct Port {
        std::vector<std::uint64_t> queue;  ///< when each of the last memory instructions leaves the queue
        std::size_t queue_at = 0;
        std::uint64_t queue_free = 0;  ///< queue[queue_at]
        std::uint64_t way_free = 0;    ///< wavefronts between it and the data stage, either way, are booked up to here
        std::uint64_t enter_free = 0;  ///< its next instruction may enter
    };

    LsuParameters lsu_;
    std::vector<Port> ports_;
    SlotCalendar accept_;  ///< in units of its interval, as the data stage
    SlotCalendar tags_;
    SlotCalendar data_;
};

}  // namespace sassafras::sim
