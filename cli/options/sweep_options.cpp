#include "cli/options/sweep_options.hpp"

#include <utility>

#include <fmt/format.h>

#include "cli/options/option_values.hpp"
#include "cli/options/own_place.hpp"
#include "core/build_version.hpp"
#include "study/sweep/run_inputs.hpp"

namespace sassafras::cli {

namespace sweep = study::sweep;

void add_study_options(CLI::App& command, SweepOptions& options) {
    command.add_option("study", options.study, "a folder with a study, or a JSON file that describes one")
        ->required()
        ->check(not_empty("a study"));
}

void add_description_options(CLI::App& command, SweepOptions& options) {
    command.add_option("--vary", options.vary, "an option and its values: n=2^16..2^20, seed=1,2,3; may be repeated")
        ->type_name("NAME=VALUES")
        ->check(not_empty("an option"))
        ->expected(1)
        ->take_all();
    command
        .add_option("--set", options.settings,
                    "a number of the GPU and its values: l2.bytes=25M,50M or gpu.sm_count=66..264:+33; may be repeated")
        ->type_name("GROUP.PARAMETER=VALUES")
        ->check(not_empty("a setting"))
        ->expected(1)
        ->take_all();
    command
        .add_option("--design", options.design,
                    "product: all combinations, if not given; list: values side by side; sobol:64: 64 of the "
                    "combinations, evenly spread")
        ->check(not_empty("a design"));
    command
        .add_option("--split-launches", options.split_launches,
                    "of exec and trace replay: time the launches of each run in so many parts, each a run of its own")
        ->transform(whole_number(1, 100'000));
}

Result<sweep::StudyFolder> chosen_study(const SweepOptions& options, const sweep::StudyFolder::Check& check) {
    const bool describes = !options.command.empty() || !options.vary.empty() || !options.settings.empty() ||
                           !options.design.empty() || options.split_launches != 1;
    if (!describes) {
        auto study = sweep::StudyFolder::open(options.study, study_version());
        if (study && check)
            if (auto checked = check(*study); !checked) return checked.error();
        return study;
    }
    if (options.study.ends_with(".json"))
        return Error{ErrorKind::bad_input, "the study is described twice", options.study,
                     "give the file alone, or a folder's name with --vary, --set and a command behind --"};
    sweep::Description description;
    if (!options.command.empty()) description.commands.push_back(options.command);
    using Kind = sweep::Axis::Kind;
    for (const auto& [texts, kind, option] :
         {std::tuple{&options.vary, Kind::option, "--vary"}, std::tuple{&options.settings, Kind::setting, "--set"}})
        for (const std::string& text : *texts) {
            auto axis = sweep::parse_axis(text, kind, option);
            if (!axis) return axis.error();
            description.axes.push_back(std::move(*axis));
        }
    if (!options.design.empty())
        if (auto parsed = sweep::parse_design(options.design, description); !parsed) return parsed.error();
    description.split_launches = options.split_launches;
    return sweep::StudyFolder::make(options.study, std::move(description), study_version(), check);
}

std::string study_version() {
    std::string name = build_version();
    // A commit names what the program computes; where it does not, the program's own bytes do.
    const bool is_commit = name.find('+') == std::string::npos && name.find("unknown") == std::string::npos;
    const auto program = own_program();
    if (is_commit || !program) return name;
    // And those of the library that simulates what exec runs.
    for (const std::string& file : {*program, runtime_library().string()})
        if (!file.empty())
            if (const auto digest = sweep::file_digest(file)) name += " " + *digest;
    return name;
}

}  // namespace sassafras::cli
