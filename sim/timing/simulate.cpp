// Rounds of a fixed number of cycles. In a round every SM runs alone, on any thread, once execution has produced for
// its blocks; one thread executes, in order of SM, and joins the others when it is done. Between two rounds one thread
// answers memory requests in order of time and dispatches blocks. The round is no longer than the fastest answer takes,
// so an SM never misses one.
#include "sim/timing/simulate.hpp"

#include <algorithm>
#include <atomic>

#include "sim/timing/block_dispatcher.hpp"
#include "sim/timing/sm/sm.hpp"
#include "sim/timing/worker_pool.hpp"

namespace sassafras::sim {

namespace {

/// Instructions that execution produces at a time: many, since switching between warps costs it caches.
constexpr std::uint64_t run_ahead = 1024;

class Simulation {
  public:
    Simulation(const Platform& platform, MemorySystem& memory, TraceSource& source, const TimingOptions& options)
        : platform_(platform),
          memory_(memory),
          source_(source),
          progress_(options.progress),
          ops_(timing_ops(source.program(), platform)) {
        const isa::Kernel& kernel = source.program().kernel;
        occupancy_ = occupancy({.threads_per_block = static_cast<std::uint32_t>(source.shape().block.volume()),
                                .registers_per_thread = kernel.registers_per_thread,
                                .shared_bytes = kernel.static_shared.count + source.shape().dynamic_shared.count},
                               platform);
        context_ = {.platform = &platform_,
                    .ops = &ops_,
                    .warps_per_block = occupancy_.warps_per_block,
                    .l1_lines = std::max<std::uint64_t>(1, occupancy_.l1_bytes / platform.lsu.l1_line_bytes),
                    .source = &source,
                    .run_ahead = run_ahead,
                    .clock_kernel = reads_clock(source.program())};
        threads_ = context_.clock_kernel ? 1 : std::clamp<std::uint32_t>(options.threads, 1, platform.gpu.sm_count);
        round_ = std::max<std::uint64_t>(
            1, std::min<std::uint64_t>(memory.lookahead(), platform.gpu.block_start_latency_cycles));
    }

    Result<TimingResult> run();

  private:
    Result<void> start(const Dispatch& dispatch);
    [[nodiscard]] bool is_hungry(std::uint32_t number) const;
    void plan_round();
    void produce();
    void run_round(std::uint64_t end, std::uint32_t thread);
    void exchange(std::uint64_t end);
    Result<void> finish_blocks();
    TimingResult collect(std::uint64_t end) const;

    Platform platform_;
    MemorySystem& memory_;
    TraceSource& source_;
    const std::function<void(std::uint64_t, Cycle)>& progress_;
    std::vector<TimingOp> ops_;
    Occupancy occupancy_;
    LaunchContext context_;
    std::uint32_t threads_ = 1;
    std::uint64_t round_ = 1;
    std::vector<std::unique_ptr<Sm>> sms_;
    std::vector<MemoryRequest> requests_;  ///< of this round, in order
    std::vector<MemoryRequest> later_;     ///< leave their SM in a round to come
    std::vector<std::vector<MemoryResponse>> responses_;
    std::unique_ptr<BlockDispatcher> dispatcher_;
    std::uint64_t unfinished_ = 0;
    std::vector<std::uint32_t> order_;  ///< SMs as threads take them in this round
    std::vector<std::uint32_t> hungry_;
    std::size_t first_hungry_ = 0;          ///< from here on in `order_`: execution comes first
    std::atomic<std::size_t> produced_{0};  ///< of `order_`, how many may run
    std::atomic<std::size_t> next_{0};      ///< of `order_`, the next that a thread takes
    std::unique_ptr<Error> produce_failure_;
};

Result<void> Simulation::start(const Dispatch& dispatch) {
    Result<BlockTrace*> block = source_.start(dispatch.block);
    if (!block) return block.error();
    sms_[dispatch.sm]->start_block(*block, dispatch.start);
    return {};
}

/// True if execution must or should produce for the SM before it runs this round: a warp might run out, or has less
/// left than the SM's own mark. Marks differ so that execution does not fall due for all SMs at once.
bool Simulation::is_hungry(std::uint32_t number) const {
    constexpr std::uint64_t highest = run_ahead * 3 / 4;
    const std::uint64_t enough = round_ + (highest > round_ ? (highest - round_) * (number * 7 % 16) / 16 : 0);
    const Sm& sm = *sms_[number];
    return std::any_of(sm.resident().begin(), sm.resident().end(), [&](const BlockTrace* block) {
        return std::any_of(block->warps.begin(), block->warps.end(), [enough](const WarpTrace& warp) {
            return warp.state == WarpTrace::State::running && warp.buffered() <= enough;
        });
    });
}

/// Lets the hungry SMs' blocks execute, in order of SM.
void Simulation::produce() {
    for (std::size_t at = first_hungry_; at < order_.size() && !produce_failure_; ++at) {
        for (BlockTrace* block : sms_[order_[at]]->resident()) {
            if (Result<void> advanced = source_.advance(*block, run_ahead); !advanced) {
                produce_failure_ = std::make_unique<Error>(advanced.error());
                break;
            }
        }
        produced_.store(at + 1, std::memory_order_release);
    }
}

/// SMs that can run at once come first, so that the other threads have work while one executes for the rest.
void Simulation::plan_round() {
    order_.clear();
    hungry_.clear();
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) (is_hungry(sm) ? hungry_ : order_).push_back(sm);
    first_hungry_ = order_.size();
    order_.insert(order_.end(), hungry_.begin(), hungry_.end());
    produced_.store(first_hungry_, std::memory_order_relaxed);
    next_.store(0, std::memory_order_relaxed);
}

/// One thread's part of a round. Which thread runs an SM changes nothing in it; execution stays on thread 0.
void Simulation::run_round(std::uint64_t end, std::uint32_t thread) {
    if (thread == 0) {
        try {
            produce();
        } catch (...) {
            produced_.store(order_.size(), std::memory_order_release);  // nobody may wait for what will not come
            throw;
        }
        produced_.store(order_.size(), std::memory_order_release);
    }
    for (;;) {
        const std::size_t at = next_.fetch_add(1, std::memory_order_relaxed);
        if (at >= order_.size()) return;
        WorkerPool::wait([&] { return produced_.load(std::memory_order_acquire) > at; });
        Sm& sm = *sms_[order_[at]];
        if (sm.next_activity() < end || !sm.idle()) sm.run(end);
    }
}

/// Requests that leave their SM before `end`, in order of time, then of SM, then of issue.
void Simulation::exchange(std::uint64_t end) {
    requests_.clear();
    std::vector<MemoryRequest> all = std::move(later_);
    later_.clear();
    for (const auto& sm : sms_) {
        all.insert(all.end(), sm->outbox().begin(), sm->outbox().end());
        sm->outbox().clear();
    }
    for (const MemoryRequest& request : all) (request.time < end ? requests_ : later_).push_back(request);
    std::stable_sort(requests_.begin(), requests_.end(), [](const MemoryRequest& a, const MemoryRequest& b) {
        return a.time != b.time ? a.time < b.time : a.sm < b.sm;
    });
    for (auto& responses : responses_) responses.clear();
    memory_.process(requests_, responses_);
    for (std::size_t sm = 0; sm < sms_.size(); ++sm) sms_[sm]->receive(responses_[sm]);
}

Result<void> Simulation::finish_blocks() {
    struct Ended {
        BlockCompletion completion;
        std::uint32_t sm = 0;
    };
    std::vector<Ended> ended;
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
        for (const BlockCompletion& completion : sms_[sm]->completions()) ended.push_back({completion, sm});
        sms_[sm]->completions().clear();
    }
    std::stable_sort(ended.begin(), ended.end(),
                     [](const Ended& a, const Ended& b) { return a.completion.time < b.completion.time; });
    for (const Ended& block : ended) {
        source_.finish(*block.completion.trace);
        --unfinished_;
        Dispatch next;
        if (dispatcher_->complete(block.sm, block.completion.time, next))
            if (Result<void> started = start(next); !started) return started;
    }
    return {};
}

Result<TimingResult> Simulation::run() {
    const std::uint64_t blocks = source_.shape().grid.volume();
    if (platform_.sm.dependence_tracking == DependenceTracking::scoreboard)
        return Error{.kind = ErrorKind::not_modelled,
                     .what = "platform " + platform_.name +
                             " tracks dependences by a hardware scoreboard, which the timing model does not have yet",
                     .where = "/sm/dependence_tracking",
                     .remedy = "use control_codes"};
    if (platform_.sm.max_warps / platform_.sm.subcores > 32 || platform_.sm.register_banks > max_register_banks)
        return Error{.kind = ErrorKind::not_modelled,
                     .what = "the timing model holds at most 32 warps and 4 register banks in a sub-core",
                     .where = "platform " + platform_.name + ", /sm",
                     .remedy = "lower max_warps or register_banks, or raise subcores"};
    if (occupancy_.blocks == 0 && blocks != 0)
        return Error{.kind = ErrorKind::bad_input,
                     .what = "a block needs more registers, threads or shared memory than an SM of platform " +
                             platform_.name + " has",
                     .where = "kernel " + source_.program().kernel.name,
                     .remedy = "use smaller blocks or another platform"};
    for (std::uint32_t sm = 0; sm < platform_.gpu.sm_count; ++sm) sms_.push_back(std::make_unique<Sm>(context_, sm));
    responses_.resize(sms_.size());
    dispatcher_ = std::make_unique<BlockDispatcher>(platform_, occupancy_, blocks);
    unfinished_ = blocks;
    for (const Dispatch& dispatch : dispatcher_->first_wave())
        if (Result<void> started = start(dispatch); !started) return started.error();

    WorkerPool pool(threads_);
    std::uint64_t begin = 0;
    bool stuck = false;
    while (unfinished_ != 0) {
        std::uint64_t next = ~std::uint64_t{0};
        for (const auto& sm : sms_) next = std::min(next, sm->next_activity());
        for (const MemoryRequest& request : later_) next = std::min(next, request.time);
        const bool nothing = next == ~std::uint64_t{0};
        // Execution may still have something for warps that ran out; one round shows.
        if (nothing && stuck)
            return Error{.kind = ErrorKind::check_failed,
                         .what = "the kernel does not finish: no warp can go on",
                         .where = "kernel " + source_.program().kernel.name,
                         .remedy = "look for a barrier that some threads never reach"};
        stuck = nothing;
        if (!nothing) begin = std::max(begin, next);
        const std::uint64_t end = begin + round_;
        plan_round();
        pool.run([&](std::uint32_t thread) { run_round(end, thread); });
        if (produce_failure_) return *produce_failure_;
        for (const auto& sm : sms_)
            if (sm->failure()) return *sm->failure();
        exchange(end);
        if (Result<void> finished = finish_blocks(); !finished) return finished.error();
        if (progress_) progress_(blocks - unfinished_, Cycle{end});
        begin = end;
    }
    // Stores that are still under way end before the kernel does.
    std::stable_sort(later_.begin(), later_.end(),
                     [](const MemoryRequest& a, const MemoryRequest& b) { return a.time < b.time; });
    memory_.process(later_, responses_);
    const std::uint64_t last = std::max<std::uint64_t>(platform_.gpu.launch_overhead_cycles, dispatcher_->noted());
    const std::uint64_t end = std::max(last, memory_.drained()) + platform_.gpu.completion_overhead_cycles;
    return collect(end);
}

TimingResult Simulation::collect(std::uint64_t end) const {
    TimingResult result;
    result.cycles = Cycle{end};
    result.nanoseconds = static_cast<double>(end) * 1000.0 / platform_.clock.sm_mhz;
    result.occupancy = occupancy_;
    result.memory = memory_.counters();
    InstructionCounters counts(ops_.size());
    result.stalls.resize(ops_.size());
    for (const auto& sm : sms_) {
        result.sm.merge(sm->counters());
        counts.merge(sm->instruction_counters());
        for (std::size_t i = 0; i < ops_.size(); ++i)
            for (std::size_t reason = 0; reason < stall_count; ++reason)
                result.stalls[i][reason] += sm->stalls()[i][reason];
    }
    result.instructions = counts.finish();
    for (const InstructionCounts& instruction : result.instructions) {
        result.warp_instructions += instruction.inst_executed;
        result.thread_instructions += instruction.thread_inst_executed;
    }
    return result;
}

}  // namespace

TimingGpu::TimingGpu(const Platform& platform) : platform_(platform), memory_(platform) {}

Result<TimingResult> TimingGpu::simulate(TraceSource& source, const TimingOptions& options) {
    memory_.begin_launch(options.cold_caches);
    return Simulation(platform_, memory_, source, options).run();
}

}  // namespace sassafras::sim
