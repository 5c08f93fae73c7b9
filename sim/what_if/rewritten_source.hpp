// The records of a launch as a what-if wants them: a source between execution, or a trace file, and timing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/access/payload_sites.hpp"
#include "sim/trace/trace_source.hpp"
#include "sim/what_if/shortened_program.hpp"
#include "sim/what_if/what_if.hpp"

namespace sassafras::sim {

class RewrittenSource final : public TraceSource {
  public:
    /// `origin` and `rewriter`, which may be null, are kept.
    RewrittenSource(TraceSource& origin, const WhatIf& what_if, AccessRewriter* rewriter,
                    const LatenciesOf& latencies_of);

    /// With the instructions that the what-if replaces, without those that it drops.
    [[nodiscard]] const isa::Program& program() const override {
        return shortened_ ? shortened_->program : origin_.program();
    }
    [[nodiscard]] const LaunchShape& shape() const override { return origin_.shape(); }
    /// Null if the what-if neither replaces nor drops instructions.
    [[nodiscard]] const ShortenedProgram* shortened() const { return shortened_ ? &*shortened_ : nullptr; }
    Result<BlockTrace*> start(std::uint64_t block_index) override;
    Result<void> advance(BlockTrace& block, std::uint64_t instructions_ahead) override;
    void provide_clock(BlockTrace& block, std::uint32_t warp, Cycle now, std::uint64_t nanoseconds) override;
    void finish(BlockTrace& block) override;

  private:
    struct Rewritten : BlockTrace {
        BlockTrace* origin = nullptr;
        std::vector<std::uint64_t> rewritten;  ///< accesses of each warp
        std::vector<Segment> owed;  ///< by warp: the contended instruction whose payload has not come; count 0: none
    };
    /// What becomes of a payload; of each site.
    enum class Fate : std::uint8_t { kept, rewritten, skipped, dropped };

    Segment move_records(WarpTrace& from, WarpTrace& to, std::uint64_t& rewritten);
    void move_payload(std::uint32_t site, WarpTrace& from, WarpTrace& to, std::uint64_t& rewritten);

    TraceSource& origin_;
    AccessRewriter* rewriter_;
    PayloadSites sites_;  ///< of the origin's program
    std::vector<Fate> fates_;
    std::optional<ShortenedProgram> shortened_;
    AccessRecord access_;
    std::vector<std::unique_ptr<Rewritten>> resident_;
    std::vector<std::unique_ptr<Rewritten>> spare_;  ///< finished blocks, to be used again
};

}  // namespace sassafras::sim
