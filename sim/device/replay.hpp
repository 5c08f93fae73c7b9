// Times captured launches as if they ran now.
#pragma once

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "sim/device/model_options.hpp"
#include "sim/device/timed_run.hpp"
#include "sim/formats/trace_file/traced_launch.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// One GPU on which the launches of a trace follow one another. Metrics and source rows are those that a simulated (or,
/// without timing, a functional) device of this platform gives when the program runs.
class Replay {
  public:
    Replay(const Platform& platform, ModelOptions options, bool with_timing);

    /// `path` is that of the launch's file. Error bad_input if it is damaged or not the one that the folder's index
    /// means, or if the launch does not fit the platform.
    [[nodiscard]] Result<KernelResult> run(const std::string& path, const TracedLaunch& launch);

    /// A launch that is not timed, which the next ones come after.
    void leave_out(const TracedLaunch& launch) { timed_.leave_out(launch.kernel); }

  private:
    Platform platform_;
    ModelOptions options_;
    bool with_timing_;
    TimedRun timed_;
    double nanoseconds_ = 0;  ///< of the launches so far: what the global timer shows when the next begins
};

}  // namespace sassafras::sim
