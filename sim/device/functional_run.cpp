#include "sim/device/functional_run.hpp"

#include <algorithm>
#include <deque>
#include <vector>

#include "core/home_queues.hpp"
#include "core/worker_pool.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/execute/affordable_space.hpp"

namespace sassafras::sim {

namespace {

/// Parts of a launch that execute at the same time, a thread: more than one, so that threads end at about the same
/// time.
constexpr std::size_t parts_a_thread = 16;
/// Warp instructions of a part, about: enough to be worth a part's overhead, and few enough for its records to stay in
/// a core's caches.
constexpr std::uint64_t part_instructions = 8192;
constexpr std::size_t most_blocks_a_part = 64;

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
                  std::uint64_t quantum, RecordConsumer& consumer, WorkerPool* pool)
        : source_(source),
          launch_(launch),
          options_(options),
          quantum_(quantum),
          consumer_(consumer),
          blocks_(launch.grid.volume()),
          residents_(std::uint64_t{platform.gpu.sm_count} *
                     occupancy(resources_of(source.program().kernel, launch), platform).blocks),
          in_order_(source.depends_on_order()),
          own_(pool != nullptr || in_order_ || blocks_ == 1 ? 1 : prepare_threads(options.threads)),
          pool_(pool == nullptr || in_order_ ? own_ : *pool),
          queues_(pool_.size()),
          buffers_(1) {
        if (pool_.size() == 1) return;
        for (std::uint32_t worker = 0; worker < pool_.size(); ++worker) {
            Helper helper{.pending = consumer.make_helper(), .taken = consumer.make_helper()};
            if (helper.pending != nullptr) helpers_.push_back(std::move(helper));
        }
    }

    Result<void> run() {
        while (done_ < blocks_) {
            // Blocks get their first turn when the others have had theirs or none waits. Where it matters who comes
            // after whom, that is looked at for each turn; else all that wait have theirs before others begin.
            if (left_of_round_ == 0 || in_order_) {
                const std::uint64_t room = residents_ - resident_.size();
                is_first_ = next_ < blocks_ && room != 0;
                left_of_round_ = is_first_ ? std::min(room, blocks_ - next_) : resident_.size();
                if (in_order_) left_of_round_ = 1;
            }
            if (auto taken = pool_.size() == 1 ? take_in_order() : take_together(); !taken) return taken;
        }
        for (const Helper& helper : helpers_) consumer_.absorb(*helper.taken);
        return {};
    }

  private:
    using Buffers = std::vector<WarpTrace::Buffers>;  ///< by warp

    [[nodiscard]] std::uint64_t now() const {
        std::uint64_t instructions = consumer_.warp_instructions();
        for (const Helper& helper : helpers_) instructions += helper.taken->warp_instructions();
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

    /// Blocks that wait have no buffers: those of a turn are lent to them, or thousands of warps would keep room for a
    /// long turn each. Exchanges the block's for these, unless something waits in them: there are sources that know all
    /// of a block when it starts, and after a turn nothing is left.
    static void exchange_buffers(BlockTrace& block, Buffers& buffers) {
        const auto in_use = [](const WarpTrace& warp) { return warp.has_segment() || warp.buffered_payload() != 0; };
        if (std::any_of(block.warps.begin(), block.warps.end(), in_use)) return;
        buffers.resize(block.warps.size());
        for (std::size_t warp = 0; warp < block.warps.size(); ++warp) block.warps[warp].exchange(buffers[warp]);
    }

    /// A thread that takes a block's records at once has its part's buffers free for the next one.
    Buffers& buffers_of(std::size_t part, std::size_t place) {
        return buffers_[helpers_.empty() ? part * blocks_a_part_ + place : part];
    }

    Result<void> take_turn(BlockTrace& block) {
        exchange_buffers(block, buffers_[0]);
        if (auto advanced = source_.advance(block, quantum_); !advanced) return advanced;
        report();
        if (auto taken = consumer_.take(block); !taken) return taken;
        exchange_buffers(block, buffers_[0]);
        return {};
    }

    Result<void> take_in_order() {
        for (; left_of_round_ != 0; --left_of_round_) {
            auto block = next_turn();
            if (!block) return block.error();
            if (auto taken = take_turn(**block); !taken) return taken;
            end_turn(**block);
        }
        return {};
    }

    /// As many blocks a part as have enough instructions, by what those before had.
    Result<void> choose_parts() {
        parts_.resize(std::min<std::uint64_t>(parts_a_thread * pool_.size(), left_of_round_));
        const std::uint64_t instructions = std::max<std::uint64_t>(1, turns_ == 0 ? part_instructions : now() / turns_);
        const std::uint64_t wanted = std::clamp<std::uint64_t>(part_instructions / instructions, 1, most_blocks_a_part);
        const std::uint64_t each = std::clamp<std::uint64_t>(wanted, 1, left_of_round_ / parts_.size());
        for (AdvancePart& part : parts_) {
            part.blocks.clear();
            part.instructions_ahead = quantum_;
            for (std::uint64_t i = 0; i < each; ++i) {
                auto block = next_turn();
                if (!block) return block.error();
                part.blocks.push_back(*block);
            }
        }
        left_of_round_ -= each * parts_.size();
        blocks_a_part_ = each;
        const std::size_t buffers = helpers_.empty() ? each * parts_.size() : parts_.size();
        if (buffers_.size() < buffers) buffers_.resize(buffers);
        return {};
    }

    Result<void> take_together() {
        if (auto chosen = choose_parts(); !chosen) return chosen;
        if (source_.begin_parts(parts_)) {
            if (auto advanced = advance_together(); !advanced) return advanced;
        } else {
            for (const AdvancePart& part : parts_)
                for (BlockTrace* block : part.blocks)
                    if (auto taken = take_turn(*block); !taken) return taken;
        }
        for (const AdvancePart& part : parts_) {
            turns_ += part.blocks.size();
            for (BlockTrace* block : part.blocks) end_turn(*block);
        }
        return {};
    }

    /// A thread takes the records of a block at once, while its caches have them, and keeps what it has counted apart
    /// until it is known to stand.
    Result<void> advance_together() {
        const auto count = static_cast<std::uint32_t>(parts_.size());
        queues_.run(pool_, count, [&](std::uint32_t part, std::uint32_t worker) {
            for (std::size_t place = 0; place < parts_[part].blocks.size(); ++place) {
                BlockTrace& block = *parts_[part].blocks[place];
                exchange_buffers(block, buffers_of(part, place));
                source_.advance_in_part(part, place);
                if (helpers_.empty()) continue;
                (void)helpers_[worker].pending->take(block);
                exchange_buffers(block, buffers_of(part, place));
            }
        });
        queues_.run(pool_, count, [&](std::uint32_t part, std::uint32_t) { source_.compare_part(part); });
        auto stood = source_.end_parts();
        if (!stood) return stood.error();
        report();
        if (*stood && !helpers_.empty()) {
            queues_.run(pool_, static_cast<std::uint32_t>(helpers_.size()),
                        [&](std::uint32_t helper, std::uint32_t) { helpers_[helper].settle(); });
            return {};
        }
        for (const Helper& helper : helpers_) helper.pending->forget();
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            for (std::size_t place = 0; place < parts_[part].blocks.size(); ++place) {
                BlockTrace& block = *parts_[part].blocks[place];
                if (auto taken = consumer_.take(block); !taken) return taken;
                // What was done again was buffered in memory of the block's own.
                Buffers own;
                exchange_buffers(block, helpers_.empty() ? buffers_of(part, place) : own);
            }
        }
        return {};
    }

    /// Of a thread.
    struct Helper {
        std::unique_ptr<RecordConsumer> pending;
        std::unique_ptr<RecordConsumer> taken;

        void settle() const {
            if (pending->warp_instructions() == 0) return;
            taken->absorb(*pending);
            pending->forget();
        }
    };

    TraceSource& source_;
    const Launch& launch_;
    const ModelOptions& options_;
    std::uint64_t quantum_;
    RecordConsumer& consumer_;
    std::uint64_t blocks_;
    std::uint64_t residents_;
    bool in_order_;  ///< what blocks do depends on who was before them
    WorkerPool own_;
    WorkerPool& pool_;
    HomeQueues queues_;                 ///< parts are at home where those of the same place were in the round before
    std::vector<Helper> helpers_;       ///< by worker; none where one must take all
    std::deque<BlockTrace*> resident_;  ///< that wait for their next turn
    bool is_first_ = true;              ///< turn of the blocks that come next
    std::uint64_t left_of_round_ = 0;   ///< turns until that is decided again
    std::vector<AdvancePart> parts_;
    std::vector<Buffers> buffers_;  ///< as buffers_of() finds them
    std::uint64_t blocks_a_part_ = 0;
    std::uint64_t turns_ = 0;  ///< taken in parts
    std::uint64_t next_ = 0;
    std::uint64_t done_ = 0;
};

}  // namespace

Result<void> run_functionally(TraceSource& source, const Launch& launch, const Platform& platform,
                              const ModelOptions& options, std::uint64_t quantum, RecordConsumer& consumer,
                              WorkerPool* pool) {
    return FunctionalRun(source, launch, platform, options, quantum, consumer, pool).run();
}

}  // namespace sassafras::sim
