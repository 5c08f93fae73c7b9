// Counts of each instruction of a kernel that need no time: Nsight Compute's source-page columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/access/access_analysis.hpp"
#include "sim/trace/warp_trace.hpp"

namespace sassafras::sim {

/// A line of the host's cache each, which a shift finds: counting is on the way of every access.
struct alignas(64) AccessCounts {
    std::uint64_t shared_wavefronts = 0;
    std::uint64_t shared_wavefronts_ideal = 0;
    std::uint64_t global_sectors = 0;
    std::uint64_t global_lines = 0;
    std::uint64_t global_lanes = 0;   ///< accesses of single lanes to global memory
    std::uint64_t local_sectors = 0;  ///< where local memory is modelled: with time
    std::uint64_t replays = 0;        ///< wavefronts and lines of accesses beyond the first of each
    std::uint64_t partings = 0;       ///< some lanes of a warp go on from here, the others elsewhere or later

    void add(const AccessCounts& other) {
        shared_wavefronts += other.shared_wavefronts;
        shared_wavefronts_ideal += other.shared_wavefronts_ideal;
        global_sectors += other.global_sectors;
        global_lines += other.global_lines;
        global_lanes += other.global_lanes;
        local_sectors += other.local_sectors;
        replays += other.replays;
        partings += other.partings;
    }
};

struct InstructionCounts : AccessCounts {
    std::uint64_t inst_executed = 0;
    std::uint64_t thread_inst_executed = 0;  ///< lanes of the active mask; a false guard predicate does not reduce it

    /// What other blocks of the same launch did.
    void add(const InstructionCounts& other) {
        AccessCounts::add(other);
        inst_executed += other.inst_executed;
        thread_inst_executed += other.thread_inst_executed;
    }
};

class InstructionCounters {
  public:
    explicit InstructionCounters(std::size_t instructions) : counts_(instructions + 1), steps_(instructions + 1) {}

    /// One segment costs two additions: counts are differences until finish() sums them up. `before`: the warp's last
    /// one, empty if there was none.
    void add_segment(const Segment& segment, const Segment& before = {}) {
        if (segment.mask != before.mask && (segment.mask & ~before.mask) == 0)
            ++counts_[before.first + before.count - 1].partings;
        const auto lanes = static_cast<std::int64_t>(std::popcount(segment.mask));
        Step& begin = steps_[segment.first];
        Step& end = steps_[segment.first + segment.count];
        begin.warps += 1;
        begin.lanes += lanes;
        end.warps -= 1;
        end.lanes -= lanes;
    }
    void add_shared(std::uint32_t instruction, Wavefronts wavefronts) {
        counts_[instruction].shared_wavefronts += wavefronts.actual;
        counts_[instruction].shared_wavefronts_ideal += wavefronts.ideal;
        add_replays(instruction, wavefronts.actual);
    }
    /// `lanes` of the warp make the access.
    void add_global(std::uint32_t instruction, const GlobalAccess& access, std::uint32_t lanes) {
        add_global(instruction, access.sector_count, access.line_count, lanes);
    }
    void add_global(std::uint32_t instruction, std::uint32_t sectors, std::uint32_t lines, std::uint32_t lanes) {
        counts_[instruction].global_sectors += sectors;
        counts_[instruction].global_lines += lines;
        counts_[instruction].global_lanes += static_cast<std::uint64_t>(std::popcount(lanes));
        add_replays(instruction, lines);
    }
    /// All words of an access together.
    void add_local(std::uint32_t instruction, std::uint32_t lines, std::uint32_t sectors) {
        counts_[instruction].local_sectors += sectors;
        add_replays(instruction, lines);
    }
    void clear() {
        std::fill(counts_.begin(), counts_.end(), AccessCounts{});
        std::fill(steps_.begin(), steps_.end(), Step{});
    }
    void merge(const InstructionCounters& other) {
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            counts_[i].add(other.counts_[i]);
            steps_[i].warps += other.steps_[i].warps;
            steps_[i].lanes += other.steps_[i].lanes;
        }
    }
    /// The counts of all instructions, in program order.
    [[nodiscard]] std::vector<InstructionCounts> finish() const {
        std::vector<InstructionCounts> result(counts_.size() - 1);
        std::int64_t warps = 0;
        std::int64_t lanes = 0;
        for (std::size_t i = 0; i < result.size(); ++i) {
            static_cast<AccessCounts&>(result[i]) = counts_[i];
            warps += steps_[i].warps;
            lanes += steps_[i].lanes;
            result[i].inst_executed = static_cast<std::uint64_t>(warps);
            result[i].thread_inst_executed = static_cast<std::uint64_t>(lanes);
        }
        return result;
    }

  private:
    struct Step {
        std::int64_t warps = 0;
        std::int64_t lanes = 0;
    };
    void add_replays(std::uint32_t instruction, std::uint32_t passes) {
        counts_[instruction].replays += passes - (passes != 0 ? 1U : 0U);
    }

    std::vector<AccessCounts> counts_;
    std::vector<Step> steps_;
};

}  // namespace sassafras::sim
