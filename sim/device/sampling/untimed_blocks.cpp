#include "sim/device/sampling/untimed_blocks.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "sim/access/launch_counters.hpp"
#include "sim/device/counted_run.hpp"
#include "sim/device/functional_run.hpp"
#include "sim/timing/memory/untimed_access.hpp"
#include "sim/timing/timing_op.hpp"

namespace sassafras::sim {

namespace {

/// Counts, and keeps what blocks access in global memory.
class AccessCounting final : public RecordConsumer {
  public:
    AccessCounting(const isa::Program& program, const Platform& platform)
        : counters_(program, platform),
          empty_(counters_),
          geometry_{platform.lsu.l1_line_bytes, platform.lsu.sector_bytes},
          sms_(platform.gpu.sm_count),
          shapes_(counters_.sites().all().size()) {
        const std::vector<TimingOp> ops = timing_ops(program, platform);
        for (const PayloadSite& site : counters_.sites().all())
            sites_.push_back({.returns = memory_site(program.instructions[site.instruction]).returns,
                              .bypasses_l1 = ops[site.instruction].bypasses_l1});
    }

    Result<void> take(BlockTrace& block) override {
        Turn turn{.block = block.block_index, .instructions_before = 0, .accesses = {}, .ends = {}};
        for (WarpTrace& trace : block.warps) {
            turn.instructions_before += trace.mark().consumed;
            counters_.drain(trace, [&](std::uint32_t site, std::span<const std::uint64_t> words) {
                see(site, words, turn.accesses);
            });
            turn.ends.push_back(static_cast<std::uint32_t>(turn.accesses.size()));
        }
        turns_.push_back(std::move(turn));
        return {};
    }
    [[nodiscard]] std::unique_ptr<RecordConsumer> make_helper() override {
        return std::unique_ptr<RecordConsumer>(new AccessCounting(*this));
    }
    void forget() override {
        counters_.forget();
        turns_.clear();
    }
    void absorb(const RecordConsumer& helper) override {
        const auto& other = static_cast<const AccessCounting&>(helper);
        counters_.merge(other.counters_);
        turns_.insert(turns_.end(), other.turns_.begin(), other.turns_.end());
    }
    [[nodiscard]] std::uint64_t warp_instructions() const override { return counters_.warp_instructions(); }
    [[nodiscard]] const LaunchCounters& counters() const { return counters_; }

    /// Block after block: with more threads others are executed when. SMs get blocks in turn. Called once.
    [[nodiscard]] std::vector<UntimedTurn> turns() {
        std::sort(turns_.begin(), turns_.end(), [](const Turn& a, const Turn& b) {
            return std::tie(a.block, a.instructions_before) < std::tie(b.block, b.instructions_before);
        });
        std::vector<UntimedTurn> turns;
        turns.reserve(turns_.size());
        for (Turn& turn : turns_)
            turns.push_back(
                {static_cast<std::uint16_t>(turn.block % sms_), std::move(turn.accesses), std::move(turn.ends)});
        return turns;
    }

  private:
    /// What a block did at a time.
    struct Turn {
        std::uint64_t block = 0;
        std::uint64_t instructions_before = 0;
        std::vector<UntimedAccess> accesses;  ///< and ends: as of UntimedTurn
        std::vector<std::uint32_t> ends;
    };
    /// Of a payload site, what its instruction says.
    struct Site {
        bool returns = false;
        bool bypasses_l1 = false;
    };
    /// The lines of the last access of a site. Those of one like it lie as far apart.
    struct Shape {
        KnownAccess known;
        std::uint64_t bytes = 0;  ///< that its lanes access
        GlobalAccess lines;
    };

    AccessCounting(const AccessCounting& other)
        : RecordConsumer(),
          counters_(other.empty_),
          empty_(other.empty_),
          geometry_(other.geometry_),
          sms_(other.sms_),
          sites_(other.sites_),
          shapes_(other.shapes_.size()) {}

    void see(std::uint32_t number, std::span<const std::uint64_t> words, std::vector<UntimedAccess>& accesses) {
        const PayloadSite& site = counters_.sites()[number];
        if (site.space != MemorySpace::global && site.space != MemorySpace::generic) return;
        Shape& shape = shapes_[number];
        std::int64_t moved = 0;  // lines
        if (site.space == MemorySpace::global && shape.known.is_like(words, geometry_.line_bytes)) {
            moved = static_cast<std::int64_t>(words[1] - shape.known.words[1]) / std::int64_t{geometry_.line_bytes};
        } else {
            shape.known.keep(words);
            AccessRecord access;
            WarpTrace::decode(words, access);
            access.mask = lanes_by_space(site.space, access).global;
            shape.bytes = static_cast<std::uint64_t>(std::popcount(access.mask)) * site.width;
            global_lines(access, site.width, geometry_, shape.lines);
        }
        for (std::uint32_t i = 0; i < shape.lines.line_count; ++i) {
            UntimedAccess one = access_of(number, shape, shape.lines.lines[i].sectors);
            one.line = shape.lines.lines[i].line + static_cast<std::uint64_t>(moved);
            accesses.push_back(one);
        }
    }

    [[nodiscard]] UntimedAccess access_of(std::uint32_t site, const Shape& shape, std::uint32_t sectors) const {
        UntimedAccess one{.sectors = sectors, .bypasses_l1 = sites_[site].bypasses_l1};
        switch (counters_.sites()[site].kind) {
            case SharedAccessKind::load: break;
            case SharedAccessKind::store: {
                const auto count = static_cast<std::uint64_t>(std::popcount(sectors));
                const std::uint64_t whole = count * geometry_.sector_bytes;
                const std::uint64_t written = std::min(shape.bytes * count / shape.lines.sector_count, whole);
                one.kind = RequestKind::store;
                one.written = static_cast<std::uint16_t>(written);
                one.partial = written < whole;
                break;
            }
            default: one.kind = sites_[site].returns ? RequestKind::atomic : RequestKind::reduction;
        }
        return one;
    }

    LaunchCounters counters_;
    LaunchCounters empty_;
    LineGeometry geometry_;
    std::uint32_t sms_;
    std::vector<Site> sites_;    ///< by number
    std::vector<Shape> shapes_;  ///< likewise
    std::vector<Turn> turns_;
};

/// These blocks as a launch of their own.
Launch part_of(const Launch& launch, const RangeSource& blocks) {
    Launch part = launch;
    part.grid = blocks.shape().grid;
    return part;
}

void add(const std::vector<InstructionCounts>& more, std::vector<InstructionCounts>& counts) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i].add(more[i]);
}

}  // namespace

std::uint64_t remembered_blocks(const TimingPause& pause, std::uint64_t ended, std::uint64_t blocks,
                                const Platform& platform) {
    constexpr double filled = 2;  // times, by what comes from DRAM or goes there
    constexpr double asked = 8;   // times, by what is read and written
    const MetricCounts events = pause.events();
    const auto of_block = [&](double bytes) { return bytes / static_cast<double>(std::max<std::uint64_t>(1, ended)); };
    const double from_dram =
        of_block(static_cast<double>(events["dram__bytes_read.sum"_metric] + events["dram__bytes_write.sum"_metric]));
    const double requested =
        of_block(static_cast<double>(events["lts__t_sectors_srcunit_tex.sum"_metric]) * platform.lsu.sector_bytes);
    const auto bytes = static_cast<double>(platform.l2.bytes);
    const auto enough = [&](double times, double a_block) {
        const double wanted = times * bytes / std::max(a_block, 1e-3);
        return wanted < static_cast<double>(blocks) ? static_cast<std::uint64_t>(wanted) : blocks;
    };
    return std::min(enough(filled, from_dram), enough(asked, requested));
}

std::uint64_t UntimedBlocks::warp_instructions() const {
    std::uint64_t sum = 0;
    for (const InstructionCounts& instruction : counts_) sum += instruction.inst_executed;
    return sum;
}

Result<void> UntimedBlocks::execute(const BlockRange& range, std::uint64_t remembered, const Leave& leave) {
    BlockRange rest = range;
    if (remembered < rest.count) {
        const BlockRange forgotten{rest.first, rest.count - remembered};
        if (auto done = count(forgotten); !done) return done;
        rest = {rest.first + forgotten.count, remembered};
    }
    // Some at a time: their accesses are kept until the caches have them.
    constexpr std::uint64_t at_a_time = 2048;
    while (rest.count != 0) {
        const BlockRange some{rest.first, std::min(rest.count, at_a_time)};
        if (auto done = count_and_leave(some, leave); !done) return done;
        rest = {rest.first + some.count, rest.count - some.count};
    }
    return {};
}

Result<void> UntimedBlocks::count(const BlockRange& range) {
    RangeSource blocks(source_, range);
    auto counts = count_instructions_of(blocks, part_of(launch_, blocks), platform_, options_, &pool_);
    if (!counts) return counts.error();
    add(*counts, counts_);
    executed_ += range.count;
    return {};
}

Result<void> UntimedBlocks::count_and_leave(const BlockRange& range, const Leave& leave) {
    RangeSource blocks(source_, range);
    const Launch part = part_of(launch_, blocks);
    AccessCounting counting(source_.program(), platform_);
    if (auto done = run_functionally(blocks, part, platform_, options_, long_turn, counting, &pool_); !done)
        return done;
    std::vector<UntimedTurn> turns = counting.turns();
    leave(turns);
    add(counting.counters().counts(), counts_);
    executed_ += range.count;
    return {};
}

}  // namespace sassafras::sim
