// Times launches' records and says what they did in Nsight Compute's terms.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>

#include "sim/device/device.hpp"
#include "sim/device/launch_traffic.hpp"
#include "sim/device/model_options.hpp"
#include "sim/device/sampling/launch_history.hpp"
#include "sim/formats/trace_file/traced_launch.hpp"
#include "sim/platform/platform.hpp"
#include "sim/timing/simulate.hpp"
#include "sim/trace/trace_source.hpp"
#include "sim/what_if/what_if.hpp"

namespace sassafras::sim {

/// A GPU on which launches follow one another, as ModelOptions::what_if has it.
class TimedRun {
  public:
    TimedRun(const Platform& platform, ModelOptions options);

    /// Adds metrics and source rows to `result`. `copied`: what the host wrote before; `nanoseconds_begin`: what the
    /// global timer shows when the launch begins.
    [[nodiscard]] Result<void> run(TraceSource& source, const Launch& launch, std::span<const CopiedRange> copied,
                                   double nanoseconds_begin, KernelResult& result);

    /// The same, with intervals for what is an estimate, of a launch of which some waves are timed and the other blocks
    /// executed only, or all blocks if enough of its kind were timed before (LaunchHistory). As run() does where a
    /// program depends on time, and where a launch is to be timed that is small, or whose blocks depend on their order.
    [[nodiscard]] Result<void> run_sampled(TraceSource& source, const Launch& launch,
                                           std::span<const CopiedRange> copied, double nanoseconds_begin,
                                           KernelResult& result);

    /// The next launches' blocks have their times kept, or not.
    void keep_block_times(bool kept) { keeps_block_times_ = kept; }

    /// A launch that is not timed, which the next ones come after.
    void leave_out(const std::string& kernel) { launched_.insert(kernel); }

  private:
    /// As run_sampled() says of one that is timed.
    [[nodiscard]] Result<TimingResult> run_waves(TraceSource& source, const Launch& launch, double nanoseconds_begin,
                                                 bool is_first, KernelResult& result);
    [[nodiscard]] Result<void> estimate_by_others(TraceSource& source, const Launch& launch, const LaunchKind& kind,
                                                  KernelResult& result);
    [[nodiscard]] TimingOptions timing_options(const Launch& launch, double nanoseconds_begin) const;
    void bring_copies(std::span<const CopiedRange> copied);
    /// What launches have left before, with this one counted among them.
    LaunchesBefore note_launch(const TraceSource& source, TimingResult& timing);
    [[nodiscard]] LaunchesBefore launches_before(const std::string& kernel);
    [[nodiscard]] Result<TimingResult> time(TraceSource& source, const Launch& launch,
                                            const TimingOptions& timing_options, KernelResult& result);

    Platform given_;
    Platform platform_;  ///< as the what-if has changed it
    ModelOptions options_;
    std::set<std::string> launched_;  ///< kernels, by name
    bool keeps_block_times_ = false;
    LaunchHistory history_;
    TimingGpu gpu_;  ///< what outlives a launch: the contents of L2
    std::unique_ptr<AccessRewriter> rewriter_;
};

}  // namespace sassafras::sim
