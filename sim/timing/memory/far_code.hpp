// The code of a long kernel beyond what a launch brings into the caches of GPCs: what each has of it, and what L2 has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/sm_placement.hpp"

namespace sassafras::sim {

/// Where a line of code is when an SM asks for it.
enum class CodeSource : std::uint8_t { gpc, l2, dram };

/// A line that an SM has asked for, and the cycle at which its GPC has it.
struct CodeFetch {
    std::uint32_t line = 0;
    std::uint64_t there = 0;
};

/// Lines that GPCs were brought since the launch's own, and those of them that L2 had to ask DRAM for.
struct CodeBrought {
    std::uint64_t lines = 0;
    std::uint64_t from_dram = 0;
};

/// A launch brings the first lines of its kernel. The others come when they are asked for, and push out those that were
/// used longest ago: code in straight lines that is longer than the cache is never there when it is run again
/// (validate/records/h200/probes/far_code.cu: a second pass over 200 KiB comes from L2 from its first line on;
/// gpc_code.cu: of 120 KiB all stays, of 128 nearly all, of 136 a third, of 144 nothing, as in 128 sets of eight
/// lines).
///
/// SMs are simulated apart from each other for a round of some 250 cycles. While they run, each sees what its GPC had
/// when the round began; what they have asked for is brought between rounds, in the order of the SMs.
class FarCode {
  public:
    /// `cold`: L2 has nothing of the code but what the launch brings.
    FarCode(const Platform& platform, std::uint64_t blocks, const DealtFrom& from, std::uint32_t code_lines, bool cold)
        : placement_(platform, blocks, from),
          in_l2_(code_lines, !cold),
          gpcs_(placement_.gpcs(), Lines(platform.fetch)) {
        const std::uint32_t brought = std::min(platform.fetch.gpc_launch_lines, code_lines);
        std::fill_n(in_l2_.begin(), brought, true);
        for (Lines& gpc : gpcs_)
            for (std::uint32_t line = 0; line < brought; ++line) gpc.use({.line = line});
    }
    /// Whether a kernel has such code.
    [[nodiscard]] static bool has(const FetchParameters& fetch, std::uint32_t code_lines) {
        return fetch.gpc_lines != 0 && code_lines > fetch.gpc_launch_lines;
    }

    struct Found {
        CodeSource source = CodeSource::gpc;
        std::uint64_t there = 0;  ///< of gpc: the cycle from which it has the line
    };
    [[nodiscard]] Found find(std::uint32_t sm, std::uint32_t line) const {
        if (line >= in_l2_.size()) return {};
        const Lines& gpc = gpcs_[placement_.gpc(sm)];
        if (const CodeFetch* held = gpc.find(line)) return {CodeSource::gpc, held->there};
        return {in_l2_[line] ? CodeSource::l2 : CodeSource::dram, 0};
    }

    /// Between rounds: what an SM has asked for, in order. Empties it.
    void bring(std::uint32_t sm, std::vector<CodeFetch>& fetches) {
        Lines& gpc = gpcs_[placement_.gpc(sm)];
        for (const CodeFetch& fetch : fetches) {
            if (fetch.line >= in_l2_.size()) continue;
            if (gpc.find(fetch.line) == nullptr) ++brought_.lines;
            if (!in_l2_[fetch.line]) ++brought_.from_dram;
            in_l2_[fetch.line] = true;
            gpc.use(fetch);
        }
        fetches.clear();
    }

    [[nodiscard]] const CodeBrought& brought() const { return brought_; }

  private:
    /// The lines of a GPC: sets of neighbouring lines' places, each in the order of last use, the oldest first.
    class Lines {
      public:
        explicit Lines(const FetchParameters& fetch)
            : ways_(fetch.gpc_ways), sets_(std::max(1U, fetch.gpc_lines / fetch.gpc_ways)) {}
        /// Null if it has not got the line.
        [[nodiscard]] const CodeFetch* find(std::uint32_t line) const {
            const std::vector<CodeFetch>& set = sets_[line % sets_.size()];
            const auto found =
                std::find_if(set.begin(), set.end(), [&](const CodeFetch& one) { return one.line == line; });
            return found == set.end() ? nullptr : &*found;
        }
        void use(CodeFetch fetch) {
            std::vector<CodeFetch>& set = sets_[fetch.line % sets_.size()];
            if (const CodeFetch* held = find(fetch.line)) {
                fetch.there = held->there;
                set.erase(set.begin() + (held - set.data()));
            } else if (set.size() == ways_) {
                set.erase(set.begin());
            }
            set.push_back(fetch);
        }

      private:
        std::size_t ways_;
        std::vector<std::vector<CodeFetch>> sets_;
    };

    SmPlacement placement_;
    std::vector<bool> in_l2_;
    CodeBrought brought_;
    std::vector<Lines> gpcs_;
};

}  // namespace sassafras::sim
