// What a study varies: a command of this program, and values of its options and of the GPU's numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras::study::sweep {

/// One thing that differs from run to run.
struct Axis {
    enum class Kind : std::uint8_t {
        option,   ///< --NAME VALUE, or {NAME} in the command
        setting,  ///< --set NAME=VALUE: a number of the platform
    };
    std::string name;
    Kind kind = Kind::option;
    std::vector<std::string> values;

    bool operator==(const Axis&) const = default;
};

/// Its values are amounts of something, several, all above 0: what a result may be a power of. A seed is none.
[[nodiscard]] bool is_factor(const Axis& axis);

enum class Design : std::uint8_t {
    product,  ///< every value with every other; the last axis changes fastest
    list,     ///< the first value of each axis, then the second of each: axes are equally long
    sobol,    ///< some of the product's runs, spread over it evenly (Sobol 1967, with Joe and Kuo's directions)
};

struct Description {
    std::vector<std::vector<std::string>> commands;  ///< words behind the program's name: run sort --variant mgpu
    std::vector<Axis> axes;
    Design design = Design::product;
    std::uint64_t samples = 0;  ///< of a Sobol design
    std::uint64_t seed = 1;     ///< of a Sobol design: where in the sequence it begins

    std::uint64_t split_launches = 1;  ///< parts of each run's launches, each timed by a run of its own
    /// Where relative names of the commands begin, absolute or seen from the description's own folder. Empty: in the
    /// current folder of whoever makes the runs.
    std::string directory;

    bool operator==(const Description&) const = default;
};

/// One axis as the command line spells it, NAME=VALUES: values separated by commas, a range of numbers as
/// core/value_series.hpp has it. Error bad_input, with `option` and the text.
[[nodiscard]] Result<Axis> parse_axis(std::string_view text, Axis::Kind kind, const std::string& option);

/// "product", "list" or "sobol:64" into `description`. Error bad_input.
[[nodiscard]] Result<void> parse_design(std::string_view text, Description& description);

/// From JSON, named `origin` in errors:
///   {"command": "run sort --variant mgpu" or a list of words, or "commands": a list of such,
///    "vary": {"n": "2^16..2^20:x4", "seed": [1, 2, 3]}, "set": {"l2.bytes": "25M,50M"},
///    "design": "product", "seed": 1, "split_launches": 4, "directory": ".."}
/// Errors: bad_input, all of its faults.
[[nodiscard]] Result<Description> parse_description(std::string_view text, std::string_view origin);

/// What parse_description() reads as the same description.
[[nodiscard]] std::string description_text(const Description& description);

/// No command, one that cannot be split where all are to be, an axis twice, without a value or with the name of a
/// column that the table of results has of its own, a value (in a list of axes: a run) twice, text that is no UTF-8, a
/// list of axes that differ in length, a design without runs: bad_input.
[[nodiscard]] Result<void> check(const Description& description);

}  // namespace sassafras::study::sweep
