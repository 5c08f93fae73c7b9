// What `sassafras exec` tells the runtime library inside the program: a JSON file, whose path is in the environment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/part.hpp"
#include "core/result.hpp"
#include "sim/device/conflict_device.hpp"
#include "sim/device/launch_selection.hpp"

namespace sassafras::cudart {

/// The environment variable that holds the path of the settings file.
inline constexpr const char* settings_variable = "SASSAFRAS_EXEC";

struct ExecSettings {
    enum class Device : std::uint8_t { simulated, functional, capture, conflicts };
    Device device = Device::simulated;
    std::string platform = "h200";  ///< a name, or the text of a whole platform
    std::uint32_t threads = 1;
    bool cold_caches = false;                       ///< before every launch
    std::uint64_t instruction_limit = 0;            ///< as sim::ModelOptions has it
    bool source = false;                            ///< launch records carry their source rows
    bool check = false;                             ///< as sim::ModelOptions has it
    bool sample = false;                            ///< the same
    std::optional<double> narrow;                   ///< the same
    Part timed_launches;                            ///< as sim::ModelOptions has it
    std::uint64_t profile_interval = 0;             ///< as sim::ModelOptions has it
    std::optional<std::uint64_t> blocks_of_launch;  ///< the same, of each process
    std::uint64_t most_blocks = 0;                  ///< the same
    bool nvtx = false;                              ///< the program's ranges are taken
    sim::LaunchSelection selection;                 ///< the launches that are measured
    bool times_unselected = false;                  ///< as sim::ModelOptions has it
    bool full_metrics = false;                      ///< the same
    bool lists_work = false;                        ///< each copy, set and event has its record; else sums are enough
    std::string records;                            ///< file that launch records are appended to; empty for none
    std::string trace_folder;      ///< of Device::capture; of Device::simulated, to record there what is timed, if any
    std::string module_folder;     ///< of Device::conflicts: where the machine code goes that was loaded
    sim::RequestChoice explained;  ///< of Device::conflicts
};

[[nodiscard]] std::string to_json(const ExecSettings& settings);
/// Error bad_input, naming `origin`, if the text is not as to_json writes it.
[[nodiscard]] Result<ExecSettings> parse_settings(const std::string& text, const std::string& origin);

}  // namespace sassafras::cudart
