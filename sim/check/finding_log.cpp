#include "sim/check/finding_log.hpp"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "core/demangle.hpp"

namespace sassafras::sim {

namespace {

/// Kinds and places beyond this are not listed: a kernel that is wrong everywhere has said so by then.
constexpr std::size_t most_findings = 1000;
constexpr std::uint64_t most_warps = 32;  ///< of a block

}  // namespace

void FindingLog::begin(const isa::Program& program, const LaunchShape& shape, const isa::LineTable* lines) {
    program_ = &program;
    lines_ = lines;
    shape_ = shape;
    kernel_ = demangled(program.kernel.name);
    kernel_number_ =
        kernels_.try_emplace(program.kernel.name, static_cast<std::uint32_t>(kernels_.size())).first->second;
    counted_.clear();
}

void FindingLog::clear() {
    findings_.clear();
    known_.clear();
    counted_.clear();
}

bool FindingLog::has(const FindingKind& kind) const { return known_.contains(key(kind)); }

Finding* FindingLog::add(const FindingKind& kind, std::uint64_t count) {
    const auto [known, is_new] = known_.try_emplace(key(kind), findings_.size());
    if (!is_new) {
        if (known->second < findings_.size()) findings_[known->second].count += count;
        return nullptr;
    }
    if (findings_.size() >= most_findings) {
        known->second = most_findings;
        return nullptr;
    }
    Finding finding;
    finding.tool = kind.tool;
    finding.kernel = kernel_;
    finding.count = count;
    findings_.push_back(std::move(finding));
    return &findings_.back();
}

Finding* FindingLog::add_threads(const FindingKind& kind, const WarpPlace& warp, std::uint32_t lanes) {
    std::uint32_t& counted = counted_[key(kind)][warp.block * most_warps + warp.warp];
    const std::uint32_t added = lanes & ~counted;
    counted |= lanes;
    return added == 0 ? nullptr : add(kind, static_cast<std::uint64_t>(std::popcount(added)));
}

FindingPlace FindingLog::place(std::uint32_t instruction, std::uint32_t thread, std::uint64_t block) const {
    FindingPlace place;
    place.pc = std::uint64_t{instruction} * isa::instruction_bytes;
    place.sass = isa::print(program_->instructions[instruction], place.pc);
    if (const isa::SourceLocation* const source = lines_ == nullptr ? nullptr : lines_->find(place.pc)) {
        place.file = source->file;
        place.line = source->line;
        for (const isa::InlinedCall& call : source->inlined)
            place.called_at.push_back(fmt::format("{}:{}", call.file, call.line));
    }
    const Dim3& threads = shape_.block;
    const Dim3& blocks = shape_.grid;
    place.thread = {thread % threads.x, thread / threads.x % threads.y, thread / threads.x / threads.y};
    place.block = {static_cast<std::uint32_t>(block % blocks.x),
                   static_cast<std::uint32_t>(block / blocks.x % blocks.y),
                   static_cast<std::uint32_t>(block / blocks.x / blocks.y)};
    return place;
}

}  // namespace sassafras::sim
