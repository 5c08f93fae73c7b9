// Instruction and constant caches of an SM: when may a warp issue the first instruction of a line it moves to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// Direct-mapped presence with the cycle from which a line can be used.
class TimedLines {
  public:
    explicit TimedLines(std::uint32_t lines) : entries_(lines) {}

    /// The cycle from which `line` can be used, or `missing`.
    [[nodiscard]] std::uint64_t ready(std::uint64_t line) const {
        const Entry& entry = entries_[line % entries_.size()];
        return entry.line == line + 1 ? entry.ready : missing;
    }
    void insert(std::uint64_t line, std::uint64_t ready) { entries_[line % entries_.size()] = {line + 1, ready}; }
    static constexpr std::uint64_t missing = ~std::uint64_t{0};

  private:
    struct Entry {
        std::uint64_t line = 0;  ///< plus one; zero is empty
        std::uint64_t ready = 0;
    };
    std::vector<Entry> entries_;
};

class FetchUnit {
  public:
    FetchUnit(const FetchParameters& parameters, std::uint32_t subcores, std::uint32_t code_lines)
        : parameters_(parameters),
          l0_(subcores, TimedLines(parameters.l0_lines)),
          l1_(parameters.l1_lines),
          constants_(parameters.constant_lines),
          code_lines_(code_lines) {}

    /// A warp of `subcore` moves to instruction line `line` at `now`.
    std::uint64_t instruction(std::uint32_t subcore, std::uint32_t line, std::uint64_t now) {
        TimedLines& l0 = l0_[subcore];
        const std::uint64_t held = l0.ready(line);
        if (held != TimedLines::missing) {
            prefetch(l0, line, now);
            return std::max(held, now);
        }
        const std::uint64_t ready = from_l1(line, now) + parameters_.l0_miss_latency_cycles;
        l0.insert(line, ready);
        prefetch(l0, line, now);
        return ready;
    }

    /// A constant operand: line number as in TimingOp::constant_line.
    std::uint64_t constant(std::uint32_t line, std::uint64_t now) {
        const std::uint64_t held = constants_.ready(line);
        if (held != TimedLines::missing) return std::max(held, now);
        const std::uint64_t ready = now + parameters_.constant_miss_latency_cycles;
        constants_.insert(line, ready);
        return ready;
    }

  private:
    /// The stream buffer runs ahead of the warp; lines follow one another at the rate the SM's cache delivers.
    void prefetch(TimedLines& l0, std::uint32_t line, std::uint64_t now) {
        for (std::uint32_t ahead = 1; ahead <= parameters_.prefetch_lines && line + ahead < code_lines_; ++ahead) {
            if (l0.ready(line + ahead) != TimedLines::missing) continue;
            l0.insert(line + ahead, from_l1(line + ahead, now) + parameters_.l0_miss_latency_cycles);
        }
    }
    std::uint64_t from_l1(std::uint32_t line, std::uint64_t now) {
        const std::uint64_t held = l1_.ready(line);
        if (held != TimedLines::missing) return std::max(held, now);
        // Whoever runs straight on finds that the stream of lines from beyond the SM has gone on meanwhile; a jump
        // starts a new one.
        const bool streams = line == last_line_ + 1 && last_fill_ != 0;
        const std::uint64_t ready =
            streams ? std::max(now, last_fill_ + parameters_.fill_interval_cycles)
                    : std::max(now + parameters_.l1_miss_latency_cycles, last_fill_ + parameters_.fill_interval_cycles);
        last_line_ = line;
        last_fill_ = ready;
        l1_.insert(line, ready);
        return ready;
    }

    FetchParameters parameters_;
    std::vector<TimedLines> l0_;
    TimedLines l1_;
    TimedLines constants_;
    std::uint32_t code_lines_ = 0;
    std::uint64_t last_fill_ = 0;
    std::uint64_t last_line_ = 0;
};

}  // namespace sassafras::sim
