// Platforms from JSON: whole ones, and ones that name a base and change some of its numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "sim/platform/platform.hpp"

namespace sassafras::sim {

/// Where a number comes from.
enum class Provenance : std::uint8_t {
    datasheet,  ///< the vendor published it
    measured,   ///< a microbenchmark that isolates it read it from the machine
    fitted,     ///< chosen so that microbenchmarks which do not isolate it come out right
    assumed,    ///< plausible; nobody has checked
    unused,     ///< no result depends on it (unused_parameters.hpp)
};
[[nodiscard]] std::string_view to_string(Provenance provenance);

/// Why one parameter has the value it has.
struct ParameterOrigin {
    std::string pointer;  ///< JSON pointer: "/lsu/l1_ways"
    Provenance provenance = Provenance::assumed;
    std::string source;  ///< document, microbenchmark or reasoning
};

struct ResolvedPlatform {
    Platform platform;
    std::string hash;                         ///< platform_hash(platform)
    std::vector<ParameterOrigin> parameters;  ///< one a parameter, in the order of Platform::visit
    std::vector<std::string> bases;           ///< names, nearest first; empty for a whole platform
    std::vector<std::string> base_files;      ///< paths of those of them that are files
};

/// Names what Platform values alone decide: 64-bit FNV-1a, in hex, over every "pointer=value" line of
/// Platform::visit_machine, in order of pointer. Neither the platform's name, provenance, limits nor the order of
/// declaration changes it.
[[nodiscard]] std::string platform_hash(const Platform& platform);

/// A name from platform_names(), or the path of a JSON file (anything with a slash or that ends in ".json").
/// Errors: bad_input, listing every fault of the file and of its bases with JSON pointers.
[[nodiscard]] Result<ResolvedPlatform> load_platform(std::string_view name_or_path);

/// The same for a text. `origin` names it in errors; a base that is a path is looked for beside it.
[[nodiscard]] Result<ResolvedPlatform> parse_platform(std::string_view text, std::string_view origin);

/// The platforms that are built into the program (configs/platforms/*.json), sorted.
[[nodiscard]] std::vector<std::string> platform_names();

}  // namespace sassafras::sim
