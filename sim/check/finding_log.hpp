// What --check has found so far: one finding a kind and pair of instructions of a kernel, with its number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "isa/cubin/line_info.hpp"
#include "isa/program/program.hpp"
#include "sim/check/finding.hpp"
#include "sim/trace/trace_source.hpp"

namespace sassafras::sim {

/// What makes two findings of a kernel the same.
struct FindingKind {
    FindingTool tool = FindingTool::memcheck;
    std::uint32_t kind = 0;    ///< within the tool
    std::uint32_t first = 0;   ///< instruction
    std::uint32_t second = 0;  ///< instruction of the other access; 0 where there is none
};

/// A warp of a block of the grid.
struct WarpPlace {
    std::uint64_t block = 0;
    std::uint32_t warp = 0;
};

class FindingLog {
  public:
    /// What follows is a launch of this program. `lines` may be null; program and lines must outlive the launch.
    void begin(const isa::Program& program, const LaunchShape& shape, const isa::LineTable* lines);

    [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
    void clear();

    /// Counts `count` more of a finding of the running kernel. If it is a new one, what is to be filled in; else null.
    [[nodiscard]] Finding* add(const FindingKind& kind, std::uint64_t count);
    /// As add(), counting each thread of a launch once.
    [[nodiscard]] Finding* add_threads(const FindingKind& kind, const WarpPlace& warp, std::uint32_t lanes);
    [[nodiscard]] bool has(const FindingKind& kind) const;

    /// `thread` is its number in the block, `block` the block's in the grid.
    [[nodiscard]] FindingPlace place(std::uint32_t instruction, std::uint32_t thread, std::uint64_t block) const;

  private:
    using Key = std::tuple<std::uint32_t, FindingTool, std::uint32_t, std::uint32_t, std::uint32_t>;
    [[nodiscard]] Key key(const FindingKind& kind) const {
        return {kernel_number_, kind.tool, kind.kind, kind.first, kind.second};
    }

    const isa::Program* program_ = nullptr;
    const isa::LineTable* lines_ = nullptr;
    LaunchShape shape_;
    std::string kernel_;
    std::uint32_t kernel_number_ = 0;
    std::map<std::string, std::uint32_t> kernels_;
    std::vector<Finding> findings_;
    std::map<Key, std::size_t> known_;  ///< index into findings_; beyond it where there were too many
    /// Of each kind in this launch: lanes that have been counted, by warp of the grid.
    std::map<Key, std::unordered_map<std::uint64_t, std::uint32_t>> counted_;
};

}  // namespace sassafras::sim
