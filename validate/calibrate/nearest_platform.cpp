#include "validate/calibrate/nearest_platform.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "sim/platform/platform_reader.hpp"

namespace sassafras::validate::calibrate {

Result<std::string> nearest_platform(isa::ComputeCapability capability, const std::string& but) {
    constexpr int minors = 10;
    std::string nearest;
    std::tuple<int, std::ptrdiff_t> best;
    for (const std::string& name : sim::platform_names()) {
        if (name == but) continue;
        const auto platform = sim::load_platform(name);
        if (!platform) return platform.error();
        const auto& gpu = platform->platform.gpu;
        const int away =
            std::abs((static_cast<int>(gpu.compute_capability_major) - static_cast<int>(capability.major)) * minors +
                     static_cast<int>(gpu.compute_capability_minor) - static_cast<int>(capability.minor));
        const auto measured = std::count_if(
            platform->parameters.begin(), platform->parameters.end(),
            [](const sim::ParameterOrigin& origin) { return origin.provenance == sim::Provenance::measured; });
        const std::tuple<int, std::ptrdiff_t> rank{away, -measured};
        if (!nearest.empty() && rank >= best) continue;
        best = rank;
        nearest = name;
    }
    require_invariant(!nearest.empty(), "there are no platforms in the program");
    return nearest;
}

}  // namespace sassafras::validate::calibrate
