#include "devices.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "sim/device/cuda_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "tests/fixture_platform.hpp"

namespace sassafras::sim::test {

namespace {

constexpr std::uint64_t runaway_limit = 100'000;

ModelOptions options() {
    ModelOptions chosen;
    chosen.instruction_limit = runaway_limit;
    return chosen;
}

Platform platform() {
    Platform small = fixture_platform();
    small.dram.capacity_gb = 1;
    return small;
}

}  // namespace

const std::vector<Implementation>& implementations() {
    static const std::vector<Implementation> all = [] {
        std::vector<Implementation> list;
        list.push_back({"functional", [] { return make_functional_device(platform(), options()); }, true});
        list.push_back({"simulated", [] { return make_simulated_device(platform(), options()); }, true});
        if (!why_no_cuda()) list.push_back({"cuda", [] { return std::move(make_cuda_device()).value(); }, false});
        return list;
    }();
    return all;
}

std::optional<std::string> why_no_cuda() {
    const auto device = make_cuda_device();
    return device ? std::nullopt : std::optional<std::string>(device.error().message());
}

std::vector<std::byte> fixture(const std::string& name) {
    std::ifstream file(std::string(SASSAFRAS_SOURCE_DIR) + "/tests/fixtures/faults/" + name, std::ios::binary);
    if (!file) throw std::runtime_error("no fixture " + name);
    std::vector<char> text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::vector<std::byte> bytes(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) bytes[i] = static_cast<std::byte>(text[i]);
    return bytes;
}

}  // namespace sassafras::sim::test
