#include "study/sweep/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <set>

#include <fmt/format.h>
#include <boost/random/sobol.hpp>

#include "sim/platform/platform_settings.hpp"
#include "study/sweep/launch_parts.hpp"

namespace sassafras::study::sweep {

namespace {

constexpr std::uint64_t most_runs = 1'000'000;

/// Of each axis, which of its values.
using Choice = std::vector<std::size_t>;

Result<std::vector<Choice>> product(const std::vector<Axis>& axes) {
    std::uint64_t count = 1;
    for (const Axis& axis : axes) {
        count *= axis.values.size();
        if (count > most_runs)
            return Error{ErrorKind::bad_input, fmt::format("the study has more than {} runs", most_runs), axis.name,
                         "vary less, or choose the design sobol:1000"};
    }
    std::vector<Choice> choices;
    Choice choice(axes.size(), 0);
    for (std::uint64_t run = 0; run < count; ++run) {
        choices.push_back(choice);
        for (std::size_t i = axes.size(); i-- != 0;) {
            if (++choice[i] != axes[i].values.size()) break;
            choice[i] = 0;
        }
    }
    return choices;
}

std::vector<Choice> list(const std::vector<Axis>& axes) {
    std::vector<Choice> choices;
    const std::size_t count = axes.empty() ? 1 : axes.front().values.size();
    for (std::size_t i = 0; i < count; ++i) choices.emplace_back(axes.size(), i);
    return choices;
}

/// Points of the sequence fall on the grid of values; those that fall where another did are left out, and the sequence
/// goes on until there are as many as asked for, or as the product has.
std::vector<Choice> sobol(const Description& description) {
    const std::vector<Axis>& axes = description.axes;
    double all = 1;
    for (const Axis& axis : axes) all *= static_cast<double>(axis.values.size());
    const auto wanted = static_cast<std::uint64_t>(std::min(all, static_cast<double>(description.samples)));
    std::vector<Choice> choices;
    std::set<Choice> seen;
    if (axes.empty()) return {Choice{}};
    boost::random::sobol points(axes.size());
    points.discard(description.seed * axes.size());
    // Where nearly all of the product is asked for, the last points of it are long in coming.
    const std::uint64_t most_points = 64 * wanted + 4096;
    for (std::uint64_t point = 0; point < most_points && choices.size() < wanted; ++point) {
        Choice choice;
        for (const Axis& axis : axes) {
            const double place = static_cast<double>(points() - boost::random::sobol::min()) * 0x1p-64;
            choice.push_back(std::min(axis.values.size() - 1,
                                      static_cast<std::size_t>(place * static_cast<double>(axis.values.size()))));
        }
        if (seen.insert(choice).second) choices.push_back(std::move(choice));
    }
    return choices;
}

void replace_all(std::string& text, const std::string& what, const std::string& by, bool& found) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
        found = true;
    }
}

PlannedRun run_of(const std::vector<std::string>& command, const std::vector<Axis>& axes, const Choice& choice) {
    PlannedRun run{command, {}};
    std::vector<std::string> more;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::string& value = axes[i].values[choice[i]];
        run.parameters.emplace_back(axes[i].name, value);
        bool placed = false;
        for (std::string& word : run.command) replace_all(word, "{" + axes[i].name + "}", value, placed);
        if (placed) continue;
        if (axes[i].kind == Axis::Kind::setting)
            more.insert(more.end(), {"--set", axes[i].name + "=" + value});
        else
            more.insert(more.end(), {"--" + axes[i].name, value});
    }
    // One spelling each, as the report's name of the platform has it.
    for (std::size_t i = 0; i + 1 < run.command.size() && run.command[i] != "--"; ++i)
        if (run.command[i] == "--set")
            if (const auto normal = sim::normal_setting(run.command[i + 1]);
                normal && normal->find('"') == std::string::npos) {
                std::string& word = run.command[i + 1];
                word = word.substr(0, word.find('=')) + normal->substr(normal->find('='));
            }
    const auto program = std::find(run.command.begin(), run.command.end(), "--");
    run.command.insert(program, more.begin(), more.end());
    return run;
}

}  // namespace

Result<std::vector<PlannedRun>> plan(const Description& description) {
    if (auto checked = check(description); !checked) return checked.error();
    Result<std::vector<Choice>> choices = description.design == Design::product ? product(description.axes)
                                          : description.design == Design::list  ? list(description.axes)
                                                                                : sobol(description);
    if (!choices) return choices.error();
    const std::uint64_t parts = description.split_launches;
    if (choices->size() * description.commands.size() > most_runs / parts)
        return Error{ErrorKind::bad_input, fmt::format("the study has more than {} runs", most_runs), "",
                     "vary less, or choose the design sobol:1000"};
    std::vector<PlannedRun> runs;
    runs.reserve(choices->size() * description.commands.size() * parts);
    for (const auto& command : description.commands)
        for (const Choice& choice : *choices) {
            const PlannedRun run = run_of(command, description.axes, choice);
            for (std::uint64_t part = 0; part < parts; ++part)
                runs.push_back(parts == 1 ? run : PlannedRun{part_of(run.command, part, parts), run.parameters});
        }
    return runs;
}

}  // namespace sassafras::study::sweep
