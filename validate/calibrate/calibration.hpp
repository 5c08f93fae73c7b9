// A platform from a GPU: what its driver says, and what microbenchmarks on it tell (rule.hpp). No workload is looked
// at.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/platform/platform_reader.hpp"
#include "validate/calibrate/measurements.hpp"
#include "validate/calibrate/rule.hpp"
#include "validate/calibrate/solve.hpp"

namespace sassafras::validate::calibrate {

/// These microbenchmarks, "name parameter" each, on a modelled GPU: their values in the same order.
using SimulateRows =
    std::function<Result<std::vector<double>>(const sim::Platform& platform, const std::vector<std::string>& rows)>;

struct Request {
    Measurements measurements;
    sim::ResolvedPlatform base;  ///< whose numbers stay where nothing tells another
    std::vector<Rule> rules;     ///< all_rules(), or some of them
    SimulateRows simulate;
    std::function<void(const std::string& line)> progress = {};  ///< told what is done next
};

enum class How : std::uint8_t {
    attribute,     ///< the driver says it
    measured,      ///< a rule found it
    insensitive,   ///< it has a rule, but on this GPU the row does not depend on it: as in the base
    out_of_reach,  ///< it has a rule, but no value gives what was measured: as in the base
    refused,       ///< what the driver says is outside of what a platform can be: as in the base
    left,          ///< nothing tells it, on GPUs of this compute capability at least: as in the base
};

/// One number of the platform.
struct CalibratedNumber {
    std::string pointer;
    How how = How::left;
    double value = 0;
    double before = 0;              ///< in the base
    std::string said_by = {};       ///< attribute, refused: by which name the driver knows it
    std::optional<Rule> rule = {};  ///< measured, insensitive, out_of_reach
    Measurement measured = {};
    double simulated = 0;  ///< the row, with this platform
    double least = 0;      ///< values from here...
    double greatest = 0;   ///< ...to here give the row within what was measured
};

struct Calibration {
    sim::Platform platform;
    std::vector<CalibratedNumber> numbers;  ///< of every number, in the order of Platform::visit
    bool settled = true;                    ///< nothing moved in the last pass over the rules
};

/// Whether the GPU has another number than the base, or one that no platform or no value of the rule can be.
[[nodiscard]] bool differs(const CalibratedNumber& number);

/// Rules are solved in their order, each against the numbers found so far, and again until none moves (three times at
/// most); then what was found the time before stands where the base's number stood. Errors: bad_input if a row was not
/// measured; the first of the simulator, which has to run the base.
[[nodiscard]] Result<Calibration> calibrate(const Request& request);

}  // namespace sassafras::validate::calibrate
