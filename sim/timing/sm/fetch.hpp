// Instruction and constant caches of an SM: when may a warp issue the first instruction of a line it moves to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/far_code.hpp"
#include "sim/timing/sm/line_port.hpp"

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

/// What a launch tells the caches of its SMs.
struct FetchLaunch {
    std::uint64_t begin = 0;  ///< cycle in which its first block starts
    /// Between two requests of an SM that its GPC's cache answers, see fetch_launch().
    std::uint32_t request_cycles = 0;
    std::uint32_t start_request_cycles = 0;  ///< likewise, while the launch's code comes in
    std::uint32_t first_line_cycles = 0;     ///< that the SM's first line of code waits for its turn
    std::uint32_t fill_turn_cycles = 0;      ///< that lines of code come further apart as others ask, too
    std::uint32_t code_lines = 0;            ///< of its kernel
    /// Of what a jump to a line that a sub-core lacks takes, those before it is asked for.
    std::uint32_t redirect_cycles = 0;
};

/// Of a launch of `blocks` blocks. The SMs of a GPC share what it answers: requests of all of them, as when a launch
/// begins, come in turns. SMs are simulated apart from each other, so each has its turn always. Where more than one
/// SM has a block, the other SM of a TPC has its part of the turn; and while a launch's code comes in, constants wait
/// for lines of code, the more the longer the kernel (validate/records/h200/probes/first_constants.cu).
[[nodiscard]] inline FetchLaunch fetch_launch(const Platform& platform, std::uint64_t blocks,
                                              std::uint32_t code_lines) {
    const GpuParameters& gpu = platform.gpu;
    const std::uint64_t gpcs = (gpu.sm_count + gpu.gpc_sms - 1) / gpu.gpc_sms;
    const std::uint64_t interval = platform.fetch.gpc_request_interval_cycles;
    const std::uint64_t turn = std::min<std::uint64_t>(blocks, gpu.sm_count) * interval / gpcs;
    const auto request = static_cast<std::uint32_t>(std::max(interval, turn));
    const std::uint32_t shared = blocks > 1 ? request + platform.fetch.tpc_request_cycles : request;
    const std::uint32_t most = platform.fetch.start_code_lines;
    // In 64ths of a turn: one for a constant and, of a long kernel, one for the line of code that goes before it. The
    // first line waits for as many turns as that, times as many: so the probe's rows rise, why was not seen.
    const std::uint32_t parts = 64 + (most == 0 ? 0 : 64 * std::min(code_lines, most) / most);
    const std::uint32_t redirect = platform.sm.branch_latency_cycles - platform.fetch.l0_latency_cycles;
    return {.begin = gpu.launch_overhead_cycles,
            .request_cycles = request,
            .start_request_cycles = shared * parts / 64,
            .first_line_cycles = shared * parts / 64 * parts / 64,
            .fill_turn_cycles = std::min(request / 8, platform.fetch.fill_turn_cycles),
            .code_lines = code_lines,
            .redirect_cycles = std::min(redirect, platform.fetch.l0_miss_latency_cycles - 1)};
}

/// Each sub-core has a cache for code and one for constant operands; code has one of the SM behind that, and loads of
/// constants (LDC) have one of their own. Beyond is a cache of the GPC, which has the kernel's arguments and the first
/// of its code soon after its launch, executed or not (validate/records/h200/probes/cold_code.cu).
class FetchUnit {
  public:
    /// `far_code`: null if the launch brings all of the kernel.
    FetchUnit(const FetchParameters& parameters, std::uint32_t subcores, const FetchLaunch& launch,
              const FarCode* far_code = nullptr, std::uint32_t sm = 0)
        : parameters_(parameters),
          l0_(subcores, TimedLines(parameters.l0_lines)),
          next_prefetch_(subcores, 0),
          ports_(subcores, LinePort(parameters.line_interval_cycles)),
          last_jump_(subcores),
          l1_(parameters.l1_lines),
          constants_(subcores + 1, TimedLines(parameters.constant_lines)),
          launch_(launch),
          far_code_(far_code),
          sm_(sm) {}

    /// A warp of `subcore` moves to instruction line `line` at `now`, by a jump or running straight on.
    std::uint64_t instruction(std::uint32_t subcore, std::uint32_t line, std::uint64_t now, bool jumps = true) {
        TimedLines& l0 = l0_[subcore];
        std::uint64_t ready = l0.ready(line);
        const std::uint32_t redirect = jumps ? launch_.redirect_cycles : 0;
        // A line ahead whose turn has not come yet is asked for now.
        if (ready == TimedLines::missing || ready > now + redirect + of_line()) {
            ready = std::min(ready, from_l1(line, now) + redirect + of_line());
            l0.insert(line, ready);
            next_prefetch_[subcore] = now + redirect + parameters_.prefetch_interval_cycles;
        }
        prefetch(subcore, line, now);
        return std::max(ready, now);
    }

    /// A warp asks its sub-core's cache for a line of code at `asked`: when it has it, if the line is there.
    std::uint64_t give(std::uint32_t subcore, std::uint64_t now, std::uint64_t asked) {
        return ports_[subcore].book(now, asked) + parameters_.l0_latency_cycles;
    }
    /// Likewise for a line that the warp jumps to (validate/records/h200/probes/jump_targets.csv: with one warp of a
    /// sub-core a jump takes 9.9 cycles, with two to six warps each of theirs 13 to 14, with eight 16).
    std::uint64_t give_jump(std::uint32_t subcore, std::uint32_t warp, std::uint64_t now, std::uint64_t asked) {
        Jump& last = last_jump_[subcore];
        const bool behind = last.warp != warp && now < last.there;
        last = {warp, give(subcore, now, asked) + (behind ? parameters_.warp_switch_cycles : 0)};
        return last.there;
    }

    /// A constant operand: line number as in TimingOp::constant_line.
    std::uint64_t constant(std::uint32_t subcore, std::uint32_t line, std::uint64_t now) {
        return from_gpc(constants_[subcore], line, now, parameters_.constant_miss_latency_cycles, true);
    }
    /// A load of constants. Every kernel begins with one, and what that does to others is in their turns.
    std::uint64_t loaded_constant(std::uint32_t line, std::uint64_t now) {
        return from_gpc(constants_.back(), line, now, parameters_.loaded_constant_miss_latency_cycles, false);
    }

    /// Since they were last taken: what FarCode is to bring.
    [[nodiscard]] std::vector<CodeFetch>& code_fetches() { return code_fetches_; }

  private:
    struct Jump {
        std::uint32_t warp = 0;
        std::uint64_t there = 0;
    };
    /// From a request to the SM's cache until the sub-core has the line. A jump asks when it knows where it goes.
    [[nodiscard]] std::uint32_t of_line() const { return parameters_.l0_miss_latency_cycles - launch_.redirect_cycles; }
    /// `books`: the next request waits for this one's turn, even while the launch starts.
    std::uint64_t from_gpc(TimedLines& cache, std::uint32_t line, std::uint64_t now, std::uint32_t latency,
                           bool books) {
        const std::uint64_t held = cache.ready(line);
        if (held != TimedLines::missing) return std::max(held, now);
        const bool starting = now < start_end_;
        const std::uint32_t turn = starting ? launch_.start_request_cycles : launch_.request_cycles;
        // All SMs ask at once then: half a turn goes by, in the mean, until the SM's own.
        const std::uint64_t asked = std::max(now + (starting ? turn / 2 : 0), gpc_turn_);
        if (books || !starting) gpc_turn_ = asked + turn;
        cache.insert(line, asked + latency);
        return asked + latency;
    }
    /// Lines ahead of a warp follow one another at the rate at which it runs through them, so a jump gains little from
    /// them (`jumps_24` of the probe: over three lines it takes as long as over fifteen). fetch_words.py shows two of
    /// them: a line is there some 5 cycles after one that was jumped to, the next after 20, no third.
    void prefetch(std::uint32_t subcore, std::uint32_t line, std::uint64_t now) {
        TimedLines& l0 = l0_[subcore];
        for (std::uint32_t ahead = 1; ahead <= parameters_.prefetch_lines && line + ahead < launch_.code_lines;
             ++ahead) {
            if (l0.ready(line + ahead) != TimedLines::missing) continue;
            const std::uint64_t asked = std::max(now, next_prefetch_[subcore]);
            next_prefetch_[subcore] = asked + parameters_.prefetch_interval_cycles;
            l0.insert(line + ahead, from_l1(line + ahead, asked) + of_line());
        }
    }
    std::uint64_t from_l1(std::uint32_t line, std::uint64_t now) {
        const std::uint64_t held = l1_.ready(line);
        if (held != TimedLines::missing) return std::max(held, now);
        // Whoever runs straight on finds that the stream of lines from beyond the SM has gone on meanwhile; a jump
        // starts a new one.
        const bool streams = line == last_line_ + 1 && last_fill_ != 0;
        const std::uint64_t asked =
            std::max(now, launch_.begin + parameters_.launch_latency_cycles + launch_.first_line_cycles);
        std::uint64_t latency = parameters_.l1_miss_latency_cycles;
        std::uint64_t interval = parameters_.fill_interval_cycles;
        std::uint64_t there = 0;
        if (far_code_ != nullptr) {
            const FarCode::Found found = far_code_->find(sm_, line);
            there = found.there + latency;
            if (found.source != CodeSource::gpc) {
                const bool cold = found.source == CodeSource::dram;
                latency += cold ? parameters_.gpc_miss_cold_cycles : parameters_.gpc_miss_cycles;
                interval = cold ? parameters_.gpc_fill_cold_cycles : parameters_.gpc_fill_cycles;
            }
        }
        const std::uint64_t ready =
            std::max({streams ? now : asked + latency, last_fill_ + interval + launch_.fill_turn_cycles, there});
        if (far_code_ != nullptr)
            code_fetches_.push_back({.line = line, .there = ready - parameters_.l1_miss_latency_cycles});
        if (last_fill_ == 0 && parameters_.start_cycles != 0) start_end_ = ready + parameters_.start_cycles;
        last_line_ = line;
        last_fill_ = ready;
        l1_.insert(line, ready);
        return ready;
    }

    FetchParameters parameters_;
    std::vector<TimedLines> l0_;
    std::vector<std::uint64_t> next_prefetch_;  ///< by sub-core: when it can ask for the next line ahead
    std::vector<LinePort> ports_;               ///< by sub-core: to its warps
    std::vector<Jump> last_jump_;               ///< by sub-core
    TimedLines l1_;
    std::vector<TimedLines> constants_;  ///< by sub-core; then that of loads
    FetchLaunch launch_;
    const FarCode* far_code_;
    std::uint32_t sm_;
    std::vector<CodeFetch> code_fetches_;
    std::uint64_t gpc_turn_ = 0;   ///< when the SM's next request can be taken
    std::uint64_t start_end_ = 0;  ///< until when those for constants wait for the launch's code
    std::uint64_t last_fill_ = 0;
    std::uint64_t last_line_ = 0;
};

}  // namespace sassafras::sim
