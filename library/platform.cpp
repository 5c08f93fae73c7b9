#include <sassafras/platform.hpp>

#include <utility>

#include "library/platform_data.hpp"
#include "library/public_error.hpp"
#include "sim/platform/platform_json.hpp"

namespace sassafras::SASSAFRAS_VERSIONED {
namespace {

constexpr double hertz_per_megahertz = 1e6;

internal::PlatformData with_text(sim::ResolvedPlatform resolved) {
    std::string json = sim::platform_text(resolved);
    return {std::move(resolved), std::move(json)};
}

}  // namespace

Platform::Platform(std::shared_ptr<const internal::PlatformData> data) : data_(std::move(data)) {}

std::vector<std::string> Platform::names() { return sim::platform_names(); }

Result<Platform> Platform::load(std::string_view name_or_path) {
    auto resolved = sim::load_platform(name_or_path);
    if (!resolved) return internal::public_error(resolved.error());
    return Platform(std::make_shared<const internal::PlatformData>(with_text(std::move(*resolved))));
}

Result<Platform> Platform::parse(std::string_view json, std::string_view origin) {
    auto resolved = sim::parse_platform(json, origin);
    if (!resolved) return internal::public_error(resolved.error());
    return Platform(std::make_shared<const internal::PlatformData>(with_text(std::move(*resolved))));
}

const std::string& Platform::name() const { return data_->resolved.platform.name; }

const std::string& Platform::hash() const { return data_->resolved.hash; }

const std::string& Platform::json() const { return data_->json; }

std::uint32_t Platform::sm_count() const { return data_->resolved.platform.gpu.sm_count; }

double Platform::clock_hertz() const { return data_->resolved.platform.clock.sm_mhz * hertz_per_megahertz; }

std::uint32_t Platform::compute_capability() const {
    const sim::GpuParameters& gpu = data_->resolved.platform.gpu;
    return gpu.compute_capability_major * 10 + gpu.compute_capability_minor;
}

}  // namespace sassafras::SASSAFRAS_VERSIONED
