#include <utility>

#include "sim/device/modelled_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/device/timed_run.hpp"

namespace sassafras::sim {

namespace {

class SimulatedDevice final : public ModelledDevice {
  public:
    SimulatedDevice(const Platform& platform_of, ModelOptions options_of)
        : ModelledDevice(platform_of, std::move(options_of)), gpu_(platform_of) {}
    [[nodiscard]] std::string name() const override { return platform().name + " (simulated)"; }

  protected:
    Result<void> consume(TraceSource& source, const Launch& launch, KernelResult& result) override {
        return run_timed(gpu_, source, launch, platform(), options(), nanoseconds(), result);
    }

  private:
    TimingGpu gpu_;  ///< what outlives a launch: the contents of L2
};

}  // namespace

std::unique_ptr<ModelledDevice> make_simulated_device(const Platform& platform, ModelOptions options) {
    return std::make_unique<SimulatedDevice>(platform, std::move(options));
}

}  // namespace sassafras::sim
