// The GPU that is modelled: one of those built in, or one that a JSON text describes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sassafras/namespace.hpp>
#include <sassafras/result.hpp>

namespace sassafras::SASSAFRAS_VERSIONED {
class Device;

namespace internal {
struct PlatformData;
}

/// A value: copies share what cannot change.
class Platform {
  public:
    /// Names of the GPUs that are built in, sorted: "h200", "gtx980".
    [[nodiscard]] static std::vector<std::string> names();

    /// One of those names, or the path of a JSON file (with a slash, or ending in .json).
    /// Error bad_input: there is none, or the file is wrong; then every fault of it is listed with its JSON
    /// pointer.
    [[nodiscard]] static Result<Platform> load(std::string_view name_or_path);

    /// A JSON text, as docs/platforms.md describes it: {"name": "wide", "base": "h200", "gpu": {"sm_count": 200}}.
    /// `origin` names it in errors; a base that is a path is looked for beside it. Errors as of load.
    [[nodiscard]] static Result<Platform> parse(std::string_view json, std::string_view origin);

    [[nodiscard]] const std::string& name() const;
    /// Equal for platforms that differ in no number, 16 hexadecimal digits.
    [[nodiscard]] const std::string& hash() const;
    /// With every number and where it comes from: JSON that parse takes.
    [[nodiscard]] const std::string& json() const;
    [[nodiscard]] std::uint32_t sm_count() const;
    /// Of the SMs, whose cycles are those of every metric.
    [[nodiscard]] double clock_hertz() const;
    /// 90 for compute capability 9.0.
    [[nodiscard]] std::uint32_t compute_capability() const;

  private:
    friend class Device;
    explicit Platform(std::shared_ptr<const internal::PlatformData> data);

    std::shared_ptr<const internal::PlatformData> data_;
};

}  // namespace sassafras::SASSAFRAS_VERSIONED
