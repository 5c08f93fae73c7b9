#include "sim/device/device.hpp"

namespace sassafras::sim {

const std::vector<Finding>& Device::findings() const {
    static const std::vector<Finding> none;
    return none;
}

}  // namespace sassafras::sim
