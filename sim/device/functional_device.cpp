#include <utility>

#include "sim/device/counted_run.hpp"
#include "sim/device/modelled_device.hpp"
#include "sim/device/modelled_devices.hpp"

namespace sassafras::sim {

namespace {

class FunctionalDevice final : public ModelledDevice {
  public:
    using ModelledDevice::ModelledDevice;
    [[nodiscard]] std::string name() const override { return platform().name + " (functional)"; }

  protected:
    Result<void> consume(TraceSource& source, const Launch& launch, KernelResult& result) override {
        return run_counted(source, launch, platform(), options(), result);
    }
};

}  // namespace

std::unique_ptr<ModelledDevice> make_functional_device(const Platform& platform, ModelOptions options) {
    return std::make_unique<FunctionalDevice>(platform, std::move(options));
}

}  // namespace sassafras::sim
