// What a launch did to shared memory, as the runtime library writes it down and `sassafras exec --conflicts` reads it.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "sim/device/conflict_device.hpp"

namespace sassafras::cudart {

/// Of a launch in a program, whose kernels come from several modules.
struct ProgramConflicts {
    std::uint64_t module = 0;  ///< its machine code is the file module_file() of ExecSettings::module_folder
    sim::LaunchConflicts launch;
};

[[nodiscard]] std::string module_file(std::uint64_t module);

[[nodiscard]] nlohmann::ordered_json conflicts_json(const ProgramConflicts& conflicts);
/// Throws nlohmann::json::exception or DamagedRecord if the JSON is not as conflicts_json writes it.
[[nodiscard]] ProgramConflicts read_conflicts(const nlohmann::ordered_json& json);

}  // namespace sassafras::cudart
