#include <memory>
#include <utility>

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/options.hpp"
#include "cli/validate_claims.hpp"

namespace sassafras::cli {

namespace {

struct ValidateOptions {
    MeasureOptions measure;
    bool quick = false;
    bool claims = false;
};

Result<int> run_validate(const ValidateOptions& options, const std::vector<std::string>& command) {
    if (auto checked = check_outputs(options.measure); !checked) return checked.error();
    if (options.claims) return run_claims({options.measure, options.quick}, command);
    return Error{ErrorKind::not_modelled, "the comparison is not there yet", {}, "give --claims"};
}

}  // namespace

void add_validate(CLI::App& app, Program& program) {
    auto options = std::make_shared<ValidateOptions>();
    CLI::App* command = app.add_subcommand(
        "validate", "Set estimates, simulation and hardware side by side; or check what the sources claim");
    command->add_flag("--claims", options->claims,
                      "the quantitative claims of the sources instead: what they say, what we get, a verdict");
    command->add_flag("--quick", options->quick, "less of it, within two minutes");
    command->add_option("--json", options->measure.json,
                        "write the result as JSON to this file; - is standard output, in place of the table");
    command->add_flag("--csv", options->measure.csv, "print CSV instead of a table");
    command->add_option("--threads", options->measure.threads, "threads that simulate; the result does not depend on it")
        ->transform(whole_number(1, 1024))
        ->capture_default_str();
    command->callback([options, &program] {
        program.chosen = [options, &program] { return run_validate(*options, program.arguments); };
    });
}

}  // namespace sassafras::cli
