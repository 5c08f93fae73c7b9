// Rounds of a fixed number of cycles. In a round every SM runs alone, on any thread, once execution has produced for
// its blocks. Between two rounds memory requests are answered in order of time and blocks are dispatched. The round is
// no longer than the fastest answer takes, so an SM never misses one.
#include "sim/timing/simulate.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/demangle.hpp"
#include "core/home_queues.hpp"
#include "core/worker_pool.hpp"
#include "sim/timing/block_dispatcher.hpp"
#include "sim/timing/production.hpp"
#include "sim/timing/production_plan.hpp"
#include "sim/timing/profile_recorder.hpp"
#include "sim/timing/round_requests.hpp"
#include "sim/timing/sm/sm.hpp"
#include "sim/timing/sm_sums.hpp"
#include "sim/timing/untimed_turns.hpp"

namespace sassafras::sim {

namespace {

constexpr std::uint64_t never = ~std::uint64_t{0};
constexpr std::uint64_t longest_launch = std::uint64_t{1} << 43U;  // an hour; some times are 2^-20 cycles, in 64 bits

/// What of a sub-core is more than the model has room for.
std::optional<Error> refuse_sub_core(const Platform& platform) {
    const SmParameters& sm = platform.sm;
    const std::uint32_t warps = (sm.max_warps + sm.subcores - 1) / sm.subcores;
    if (warps > no_warp)
        return Error{ErrorKind::not_modelled,
                     fmt::format("a sub-core of {} warps (max_warps {} over subcores {}); the timing model holds at "
                                 "most {}",
                                 warps, sm.max_warps, sm.subcores, no_warp),
                     fmt::format("platform {}, /sm/max_warps", platform.name), "lower max_warps, or raise subcores"};
    if (sm.register_banks > max_register_banks)
        return Error{ErrorKind::not_modelled,
                     fmt::format("a sub-core of {} register banks; the timing model holds at most {}",
                                 sm.register_banks, max_register_banks),
                     fmt::format("platform {}, /sm/register_banks", platform.name), "lower register_banks"};
    return std::nullopt;
}

class Simulation {
  public:
    Simulation(const Platform& platform, MemorySystem& memory, TraceSource& source, const TimingOptions& options);

    Result<TimingResult> run();

  private:
    Result<void> pause(Dispatch& dispatch);
    void leave_untimed(std::span<UntimedTurn> turns);
    Result<void> start(Dispatch dispatch);
    void record_interval(std::uint64_t last, std::uint64_t begin);
    void note_standing(std::uint32_t number);
    void run_sm(std::uint32_t number, std::uint64_t begin, std::uint64_t end);
    void exchange(WorkerPool& pool, HomeQueues& queues, std::uint64_t begin, std::uint64_t end);
    Result<void> finish_blocks(std::uint64_t end);
    void mark_reached(std::uint64_t end);
    MetricCounts events() const;
    TimingResult collect(std::uint64_t end, HomeQueues& queues);

    Platform platform_;
    MemorySystem& memory_;
    TraceSource& source_;
    const TimingOptions& options_;
    std::optional<ProfileRecorder> profile_;  ///< if one was requested
    LaunchTail tail_;
    std::vector<TimingMark> marks_;
    std::vector<std::uint64_t> wanted_marks_;  ///< after how many ends
    std::uint64_t next_pause_;
    std::uint64_t ended_ = 0;  ///< blocks
    std::vector<TimingOp> ops_;
    std::optional<RegisterDependences> registers_;  ///< where hardware tracks dependences
    Occupancy occupancy_;
    std::optional<FarCode> far_code_;
    LaunchContext context_;
    std::uint32_t threads_ = 1;
    WorkerPool* pool_;  ///< null until run(): one of its own
    std::uint64_t round_ = 1;
    std::vector<std::unique_ptr<Sm>> sms_;  ///< those that get blocks
    /// What the rest of the GPU needs to know of each SM between two rounds. Kept by the thread that ran the SM, so
    /// that the one thread that works between rounds need not look into every SM.
    std::vector<std::uint64_t> next_;  ///< first cycle at which anything can happen, unless something reaches the SM
    std::vector<ProductionNeed> need_;
    std::optional<RoundRequests> requests_;
    std::unique_ptr<BlockDispatcher> dispatcher_;
    std::uint64_t unfinished_ = 0;
    std::uint64_t run_ahead_ = 0;  ///< instructions that execution produces for a warp at a time
};

Simulation::Simulation(const Platform& platform, MemorySystem& memory, TraceSource& source,
                       const TimingOptions& options)
    : platform_(platform),
      memory_(memory),
      source_(source),
      options_(options),
      next_pause_(options.pauses.first),
      ops_(timing_ops(source.program(), platform)),
      pool_(options.pool) {
    const isa::Kernel& kernel = source.program().kernel;
    occupancy_ = occupancy({.threads_per_block = static_cast<std::uint32_t>(source.shape().block.volume()),
                            .registers_per_thread = kernel.registers_per_thread,
                            .shared_bytes = kernel.static_shared.count + source.shape().dynamic_shared.count},
                           platform);
    if (options.l1_bytes) occupancy_.l1_bytes = *options.l1_bytes;
    if (platform.sm.dependence_tracking == DependenceTracking::scoreboard) registers_.emplace(source.program());
    round_ = std::clamp<std::uint64_t>(memory.lookahead(), 1, platform.gpu.block_start_latency_cycles);
    run_ahead_ = run_ahead_of(source.program(), round_);
    const auto code_lines =
        static_cast<std::uint32_t>(ops_.size() * isa::instruction_bytes / platform.fetch.line_bytes + 1);
    if (FarCode::has(platform.fetch, code_lines))
        far_code_.emplace(platform, source.shape().grid.volume(), options.dealt_from, code_lines, options.cold_caches);
    context_ = {.platform = &platform_,
                .ops = &ops_,
                .registers = registers_ ? &*registers_ : nullptr,
                .warps_per_block = occupancy_.warps_per_block,
                .blocks = source.shape().grid.volume(),
                .l1_lines = std::max<std::uint64_t>(1, occupancy_.l1_bytes / platform.lsu.l1_line_bytes),
                .local_bytes = local_thread_bytes(kernel),
                .source = &source,
                .run_ahead = run_ahead_,
                .nanoseconds_begin = options.nanoseconds_begin,
                .on_demand = depends_on_time(source.program()),
                .code_lines = code_lines,
                .far_code = far_code_ ? &*far_code_ : nullptr};
    if (options.profile.interval != 0 || options.profile.most_blocks != 0) profile_.emplace(options.profile);
    threads_ = context_.on_demand ? 1 : std::clamp<std::uint32_t>(options.threads, 1, platform.gpu.sm_count);
    require_invariant(options.pool == nullptr || !context_.on_demand, "a kernel that reads clocks runs on one thread");
}

/// Before `dispatch`, whose block may then be another one.
Result<void> Simulation::pause(Dispatch& dispatch) {
    auto after = options_.pauses.at({.block = dispatch.block,
                                     .marks = marks_,
                                     .events = [this] { return events(); },
                                     .leave = [this](std::span<UntimedTurn> turns) { leave_untimed(turns); }});
    if (!after) return after.error();
    require_invariant(after->next_block >= dispatch.block && after->next_block < context_.blocks,
                      "a launch goes on with a block that is not left");
    require_invariant(after->next_block == dispatch.block || ended_ != 0, "blocks of the first wave are left out");
    unfinished_ -= after->next_block - dispatch.block;
    dispatch.block = after->next_block;
    dispatcher_->go_on_behind(dispatch.block);
    next_pause_ = after->next_pause;
    for (const std::uint64_t more : after->marks) wanted_marks_.push_back(ended_ + more);
    return {};
}

/// Only what they access in global memory: what blocks have in local memory is their own.
void Simulation::leave_untimed(std::span<UntimedTurn> turns) {
    HomeQueues queues(pool_->size());
    queues.run(*pool_, static_cast<std::uint32_t>(sms_.size()),
               [&](std::uint32_t sm, std::uint32_t) { leave_in_l1(*sms_[sm], sm, turns, occupancy_.blocks); });
    memory_.leave_untimed(turns, std::size_t{occupancy_.blocks} * sms_.size(), *pool_);
}

Result<void> Simulation::start(Dispatch dispatch) {
    if (dispatch.block == next_pause_)
        if (auto done = pause(dispatch); !done) return done;
    Result<BlockTrace*> block = source_.start(dispatch.block);
    if (!block) return block.error();
    if (profile_) profile_->start(dispatch);
    if (dispatch.block + 1 == context_.blocks)
        tail_ = {unfinished_, dispatch.start, ended_ == 0 ? 0 : issued_so_far(sms_)};
    requests_->deliver(*sms_[dispatch.sm], dispatch.sm);  // what has come before the block does
    sms_[dispatch.sm]->start_block(*block, dispatch.start);
    next_[dispatch.sm] = std::min(next_[dispatch.sm], dispatch.start);
    need_[dispatch.sm].least = 0;
    need_[dispatch.sm].missing += (*block)->warps.size() * run_ahead_;
    return {};
}

void Simulation::record_interval(std::uint64_t last, std::uint64_t begin) {
    profile_->reached(last, begin, [this](std::uint64_t end) { return counted_until(end, sms_, events()); });
}

/// Any thread may run an SM; nothing in it depends on which.
void Simulation::run_sm(std::uint32_t number, std::uint64_t begin, std::uint64_t end) {
    Sm& sm = *sms_[number];
    requests_->deliver(sm, number);
    if (next_[number] < end || !sm.idle()) sm.run(begin, end);
    requests_->leave(sm, number, begin, end);
    note_standing(number);
}

void Simulation::note_standing(std::uint32_t number) {
    next_[number] = sms_[number]->next_activity();
    ProductionNeed need;
    for (const BlockTrace* block : sms_[number]->resident()) {
        for (const WarpTrace& warp : block->warps) {
            if (warp.state != WarpTrace::State::running) continue;
            const std::uint64_t buffered = warp.buffered();
            need.least = std::min(need.least, buffered);
            need.missing += run_ahead_ - std::min(run_ahead_, buffered);
        }
    }
    need_[number] = need;
}

void Simulation::exchange(WorkerPool& pool, HomeQueues& queues, std::uint64_t begin, std::uint64_t end) {
    requests_->begin(begin, end);
    queues.run(pool, static_cast<std::uint32_t>(memory_.shards()),
               [&](std::uint32_t shard, std::uint32_t) { requests_->answer(shard); });
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) {
        if (far_code_) far_code_->bring(sm, sms_[sm]->code_fetches());
        next_[sm] = std::min(next_[sm], requests_->earliest(sm));
    }
}

Result<void> Simulation::finish_blocks(std::uint64_t end) {
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
        if (profile_) profile_->finish(block.completion.trace->block_index, block.sm, block.completion.time);
        source_.finish(*block.completion.trace);
        tail_.note_end(block.completion.time, [&] { return issued_so_far(sms_); });
        --unfinished_;
        ++ended_;
        mark_reached(end);
        Dispatch next;
        if (dispatcher_->complete(block.sm, block.completion.time, next))
            if (Result<void> started = start(next); !started) return started;
    }
    return {};
}

MetricCounts Simulation::events() const {
    MetricCounts events = memory_.counters();
    for (const auto& sm : sms_) events += sm->counters();
    return events;
}

/// A block has ended, in the round that ends at `end`, up to which SMs have counted.
void Simulation::mark_reached(std::uint64_t end) {
    if (marks_.size() == wanted_marks_.size() || ended_ < wanted_marks_[marks_.size()]) return;
    marks_.push_back({ended_, Cycle{end}, events(), stalls_so_far(sms_)});
}

Result<TimingResult> Simulation::run() {
    const std::uint64_t blocks = source_.shape().grid.volume();
    if (occupancy_.blocks == 0 && blocks != 0)
        return Error{
            ErrorKind::bad_input,
            "a block needs more registers, threads or shared memory than an SM of platform " + platform_.name + " has",
            "kernel " + demangled(source_.program().kernel.name), "use smaller blocks or another platform"};
    // Blocks go to SMs in turn until all are full, so with few blocks only the first SMs have work.
    sms_.resize(std::min<std::uint64_t>(platform_.gpu.sm_count, blocks));
    WorkerPool own(pool_ == nullptr ? threads_ : 1);
    if (pool_ == nullptr) pool_ = &own;
    WorkerPool& pool = *pool_;
    HomeQueues queues(pool.size());
    const std::size_t shards = options_.threads <= 1 ? 1 : std::size_t{2} * options_.threads;
    memory_.begin_launch(options_.cold_caches, options_.l2_keeps_all, shards, &pool, blocks, options_.dealt_from);
    queues.run(pool, static_cast<std::uint32_t>(sms_.size()),
               [&](std::uint32_t sm, std::uint32_t) { sms_[sm] = std::make_unique<Sm>(context_, sm); });
    next_.assign(sms_.size(), never);
    need_.resize(sms_.size());
    ProductionPlan plan(run_ahead_, round_);
    Production production(
        source_, pool, plan, [&](std::uint32_t sm) -> const auto& { return sms_[sm]->resident(); });
    requests_.emplace(memory_, sms_.size());
    dispatcher_ = std::make_unique<BlockDispatcher>(platform_, occupancy_, blocks);
    unfinished_ = blocks;
    for (const Dispatch& dispatch : dispatcher_->first_wave())
        if (Result<void> started = start(dispatch); !started) return started.error();

    std::uint64_t begin = 0;
    bool stuck = false;
    while (unfinished_ != 0) {
        if (begin > longest_launch)
            return Error{ErrorKind::check_failed, "Runaway kernel: it has run for more than 2^43 cycles without ending",
                         "kernel " + demangled(source_.program().kernel.name),
                         "look for a loop that sleeps and waits for what never comes", FaultKind::runaway};
        std::uint64_t next = requests_->next();
        for (const std::uint64_t sm_next : next_) next = std::min(next, sm_next);
        const bool nothing = next == never;
        // Execution may still have something for warps that ran out; one round shows.
        if (nothing && stuck)
            return Error{ErrorKind::check_failed, "the kernel does not finish: no warp can go on",
                         "kernel " + demangled(source_.program().kernel.name),
                         "look for a barrier that some threads never reach"};
        stuck = nothing;
        const std::uint64_t last = begin;
        if (!nothing) begin = std::max(begin, next);
        if (profile_ && begin >= profile_->next()) record_interval(last, begin);
        const std::uint64_t end = begin + round_;
        plan.next(need_);
        if (auto failure = production.round(need_, [&](std::uint32_t sm) { run_sm(sm, begin, end); })) return *failure;
        for (const auto& sm : sms_)
            if (sm->failure()) return *sm->failure();
        exchange(pool, queues, begin, end);
        if (Result<void> finished = finish_blocks(end); !finished) return finished.error();
        if (options_.progress) options_.progress(blocks - unfinished_, Cycle{end});
        begin = end;
    }
    requests_->drain(sms_);
    const std::uint64_t last = std::max<std::uint64_t>(platform_.gpu.launch_overhead_cycles, dispatcher_->noted());
    return collect(std::max(last, memory_.drained()) + platform_.gpu.completion_overhead_cycles, queues);
}

/// SMs are gone then.
TimingResult Simulation::collect(std::uint64_t end, HomeQueues& queues) {
    TimingResult result;
    result.marks = marks_;
    result.timed_blocks = ended_;
    result.tail = tail_;
    result.answers = requests_->answer_times();
    result.cycles = Cycle{end};
    result.nanoseconds = static_cast<double>(end) * 1000.0 / platform_.clock.sm_mhz;
    result.occupancy = occupancy_;
    result.events = events();
    result.l2_traffic = memory_.traffic();
    if (far_code_) result.far_code = far_code_->brought();
    if (profile_) result.profile = profile_->finish(counted_until(end, sms_, result.events));
    SmSums sums = take_sums(sms_, ops_.size(), *pool_, queues);
    result.stalls = std::move(sums.stalls);
    result.instructions = sums.counts.finish();
    result.subcores = sums.subcores;
    result.l1_traffic = sums.l1_traffic;
    for (const InstructionCounts& instruction : result.instructions) {
        result.warp_instructions += instruction.inst_executed;
        result.thread_instructions += instruction.thread_inst_executed;
    }
    return result;
}

}  // namespace

TimingGpu::TimingGpu(const Platform& platform) : platform_(platform), memory_(platform) {}

Result<TimingResult> TimingGpu::simulate(TraceSource& source, const TimingOptions& options) {
    // Before the Simulation: the tables that it builds have room for just so many banks.
    if (const auto refused = refuse_sub_core(platform_)) return *refused;
    return Simulation(platform_, memory_, source, options).run();
}

}  // namespace sassafras::sim
