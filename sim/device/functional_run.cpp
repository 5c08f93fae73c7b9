#include "sim/device/functional_run.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <vector>

#include "core/worker_pool.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/execute/affordable_space.hpp"

namespace sassafras::sim {

namespace {

/// Turns that are given together, whatever the number of threads: enough for many of them to be busy, and no more
/// records than fit into memory.
constexpr std::size_t turns_together = 128;

/// Answers clocks and ends sleeps; true if the block has exited.
bool go_on(TraceSource& source, BlockTrace& block, std::uint64_t now) {
    bool exited = true;
    for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
        WarpTrace& trace = block.warps[warp];
        trace.wake(~std::uint32_t{0});
        if (trace.state == WarpTrace::State::waiting_clock)
            source.provide_clock(block, static_cast<std::uint32_t>(warp), Cycle{now}, now);
        exited = exited && trace.state == WarpTrace::State::exited && !trace.has_segment();
    }
    return exited;
}

class FunctionalRun {
  public:
    FunctionalRun(TraceSource& source, const Launch& launch, const Platform& platform, const ModelOptions& options,
                  std::uint64_t quantum, RecordConsumer& consumer)
        : source_(source),
          launch_(launch),
          options_(options),
          quantum_(quantum),
          consumer_(consumer),
          blocks_(launch.grid.volume()),
          residents_(std::uint64_t{platform.gpu.sm_count} *
                     occupancy(resources_of(source.program().kernel, launch), platform).blocks),
          most_(source.depends_on_order() ? 1 : turns_together),
          pool_(most_ == 1 || blocks_ == 1 ? 1 : prepare_threads(options.threads)) {
        if (pool_.size() == 1) return;
        for (std::uint32_t i = 0; i < pool_.size(); ++i)
            if (auto helper = consumer.make_helper()) helpers_.push_back(std::move(helper));
    }

    Result<void> run() {
        while (done_ < blocks_) {
            // Blocks get their first turn when the others have had theirs or none waits.
            const std::uint64_t room = residents_ - resident_.size();
            is_first_ = next_ < blocks_ && room != 0;
            const std::uint64_t turns =
                std::min<std::uint64_t>(most_, is_first_ ? std::min(room, blocks_ - next_) : resident_.size());
            if (auto taken = pool_.size() == 1 ? take_in_order(turns) : take_together(turns); !taken) return taken;
        }
        for (const auto& helper : helpers_) consumer_.absorb(*helper);
        return {};
    }

  private:
    [[nodiscard]] std::uint64_t now() const {
        std::uint64_t instructions = consumer_.warp_instructions();
        for (const auto& helper : helpers_) instructions += helper->warp_instructions();
        return instructions;
    }

    void report() const {
        if (options_.progress)
            options_.progress({.kernel = launch_.kernel,
                               .blocks_done = done_,
                               .blocks = blocks_,
                               .cycles = {},
                               .instructions = now()});
    }

    Result<BlockTrace*> next_turn() {
        if (is_first_) return source_.start(next_++);
        BlockTrace* const block = resident_.front();
        resident_.pop_front();
        return block;
    }

    void end_turn(BlockTrace& block) {
        if (!go_on(source_, block, now())) {
            resident_.push_back(&block);
            return;
        }
        source_.finish(block);
        ++done_;
    }

    Result<void> take_turn(BlockTrace& block) {
        if (auto advanced = source_.advance(block, quantum_); !advanced) return advanced;
        report();
        return consumer_.take(block);
    }

    Result<void> take_in_order(std::uint64_t turns) {
        for (; turns != 0; --turns) {
            auto block = next_turn();
            if (!block) return block.error();
            if (auto taken = take_turn(**block); !taken) return taken;
            end_turn(**block);
        }
        return {};
    }

    Result<void> take_together(std::uint64_t turns) {
        turns_.clear();
        for (; turns != 0; --turns) {
            auto block = next_turn();
            if (!block) return block.error();
            turns_.push_back({{*block}, quantum_});
        }
        if (source_.begin_parts(turns_)) {
            const auto count = static_cast<std::uint32_t>(turns_.size());
            pool_.run(
                count, [&](std::uint32_t part) { source_.advance_part(part); }, [] {});
            pool_.run(
                count, [&](std::uint32_t part) { source_.compare_part(part); }, [] {});
            if (auto advanced = source_.end_parts(); !advanced) return advanced;
            report();
            if (auto taken = take_records(); !taken) return taken;
        } else {
            for (const AdvancePart& part : turns_)
                if (auto taken = take_turn(*part.blocks.front()); !taken) return taken;
        }
        for (const AdvancePart& part : turns_) end_turn(*part.blocks.front());
        return {};
    }

    Result<void> take_records() {
        if (helpers_.empty()) {
            for (const AdvancePart& part : turns_)
                if (auto taken = consumer_.take(*part.blocks.front()); !taken) return taken;
            return {};
        }
        std::atomic<std::size_t> next{0};
        std::vector<Result<void>> taken(helpers_.size());
        pool_.run(
            static_cast<std::uint32_t>(helpers_.size()),
            [&](std::uint32_t helper) {
                for (std::size_t i = next.fetch_add(1); i < turns_.size() && taken[helper]; i = next.fetch_add(1))
                    taken[helper] = helpers_[helper]->take(*turns_[i].blocks.front());
            },
            [] {});
        for (const Result<void>& result : taken)
            if (!result) return result;
        return {};
    }

    TraceSource& source_;
    const Launch& launch_;
    const ModelOptions& options_;
    std::uint64_t quantum_;
    RecordConsumer& consumer_;
    std::uint64_t blocks_;
    std::uint64_t residents_;
    std::size_t most_;
    WorkerPool pool_;
    std::vector<std::unique_ptr<RecordConsumer>> helpers_;
    std::deque<BlockTrace*> resident_;  ///< that wait for their next turn
    bool is_first_ = true;  ///< turn of the blocks that come next
    std::vector<AdvancePart> turns_;
    std::uint64_t next_ = 0;
    std::uint64_t done_ = 0;
};

}  // namespace

Result<void> run_functionally(TraceSource& source, const Launch& launch, const Platform& platform,
                              const ModelOptions& options, std::uint64_t quantum, RecordConsumer& consumer) {
    return FunctionalRun(source, launch, platform, options, quantum, consumer).run();
}

}  // namespace sassafras::sim
