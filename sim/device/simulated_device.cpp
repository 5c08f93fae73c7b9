#include <optional>
#include <utility>

#include "sim/device/counted_run.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/device/recording_source.hpp"
#include "sim/device/timed_run.hpp"
#include "sim/timing/timing_op.hpp"

namespace sassafras::sim {

namespace {

class SimulatedDevice final : public ModelledDevice {
  public:
    SimulatedDevice(const Platform& platform_of, ModelOptions options_of, std::optional<TraceRecording> recording)
        : ModelledDevice(platform_of, std::move(options_of)),
          timed_(platform_of, options()),
          recording_(std::move(recording)) {}
    [[nodiscard]] std::string name() const override {
        const std::string changed =
            options().what_if == nullptr ? "" : ", what if: " + std::string(options().what_if->name);
        return platform().name + " (simulated" + changed + ")";
    }

  protected:
    [[nodiscard]] bool has_time() const override { return true; }
    Result<void> consume(TraceSource& source, const Launch& launch, KernelResult& result) override {
        const std::uint64_t number = options().first_launch + launches_++;
        const bool may_be_left_out = !options().times_unselected && result.left_out;
        const bool is_of_part = options().timed_launches.has(number);
        result.left_out = result.left_out || !is_of_part;
        timed_.keep_block_times(options().blocks_of_launch == number);
        if ((may_be_left_out || !is_of_part) && !depends_on_time(source.program()) && !source.depends_on_order()) {
            timed_.leave_out(launch.kernel);
            return run_counted(source, launch, platform(), options(), result);
        }
        // Nobody asks what a launch that is left out would save, and where caches are cold nobody comes after it.
        const bool is_recorded = recording_ && !(result.left_out && !options().times_unselected);
        if (!recording_ && options().sample) return timed_.run_sampled(source, launch, copied(), nanoseconds(), result);
        if (!is_recorded) return timed_.run(source, launch, copied(), nanoseconds(), result);
        TracedLaunch traced;
        traced.file = trace_file_name(recording_->launches->size(), launch.kernel);
        traced.copied = copied();
        traced.dealt_from = launch.dealt_from;
        RecordingSource recorded(source, recording_->folder + "/" + traced.file);
        auto done = recorded.open(platform().gpu.sm_count);
        if (done) done = timed_.run(recorded, launch, copied(), nanoseconds(), result);
        if (done) done = recorded.close(traced);
        if (!done) {
            recorded.discard();
            return done;
        }
        recording_->launches->push_back(std::move(traced));
        return {};
    }

  private:
    TimedRun timed_;
    std::uint64_t launches_ = 0;
    std::optional<TraceRecording> recording_;
};

}  // namespace

std::unique_ptr<ModelledDevice> make_simulated_device(const Platform& platform, ModelOptions options) {
    return std::make_unique<SimulatedDevice>(platform, std::move(options), std::nullopt);
}

std::unique_ptr<ModelledDevice> make_recording_device(const Platform& platform, ModelOptions options,
                                                      TraceRecording recording) {
    return std::make_unique<SimulatedDevice>(platform, std::move(options), std::move(recording));
}

}  // namespace sassafras::sim
