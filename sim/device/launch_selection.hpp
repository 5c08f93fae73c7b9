// Which launches of a program are measured: Nsight Compute's filters.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"

namespace sassafras::sim {

struct LaunchSelection {
    enum class NameBase : std::uint8_t {
        function,   ///< function_name()
        demangled,  ///< with everything
        mangled,
    };
    std::string kernel = {};  ///< a whole name, or "regex:" and what a part of it matches; empty: all
    NameBase base = NameBase::function;
    std::string kernel_id = {};            ///< "CONTEXT:STREAM:[regex:]NAME:INVOCATION", each empty for all; empty: all
    std::vector<std::string> ranges = {};  ///< of NVTX, "[DOMAIN@]NAME[/]", of which one is open; none: anywhere
    std::uint64_t skip_before = 0;         ///< so many launches first, whatever they are
    std::uint64_t skip = 0;                ///< so many of those that match first
    std::optional<std::uint64_t> count = {};  ///< so many at most

    [[nodiscard]] bool takes_all() const { return *this == LaunchSelection{.base = base}; }
    friend bool operator==(const LaunchSelection&, const LaunchSelection&) = default;
};

/// A range of NVTX that is open where a launch is made.
struct OpenRange {
    std::string domain;  ///< empty: the default one
    std::string name;
    bool is_pushed = false;  ///< by the thread that launches; else it has been started, for all threads
};

/// Is asked about every launch, in order.
class LaunchSelector {
  public:
    /// Error bad_input, naming the option, if an expression is none.
    [[nodiscard]] static Result<LaunchSelector> make(const LaunchSelection& selection);
    LaunchSelector(LaunchSelector&& other) noexcept;
    LaunchSelector& operator=(LaunchSelector&& other) noexcept;
    LaunchSelector(const LaunchSelector&) = delete;
    LaunchSelector& operator=(const LaunchSelector&) = delete;
    ~LaunchSelector();

    /// Whether the next launch is one of them. `kernel`: the mangled name.
    [[nodiscard]] bool takes(const std::string& kernel, std::uint64_t stream = default_stream,
                             std::span<const OpenRange> ranges = {});

  private:
    struct State;
    explicit LaunchSelector(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

/// A kernel's name in that form.
[[nodiscard]] std::string name_in(LaunchSelection::NameBase base, const std::string& kernel);

}  // namespace sassafras::sim
