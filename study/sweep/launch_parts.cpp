#include "study/sweep/launch_parts.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sassafras::study::sweep {

namespace {

using Json = nlohmann::ordered_json;

/// As sim::total_of has it of these two, which are sums; none where a launch has no time.
Json sum_over(const Json& kernels, const char* metric) {
    double sum = 0;
    for (const Json& kernel : kernels) {
        const auto value = kernel["metrics"].find(metric);
        if (value == kernel["metrics"].end()) return nullptr;
        sum += value->get<double>();
    }
    return sum;
}

Error unlike_parts(std::string_view what) {
    return {ErrorKind::bad_input, fmt::format("the parts of a run are not of one whole: {}", what), "split_launches",
            "a program can be split that makes the same launches each time; plan it without --split-launches"};
}

}  // namespace

Result<void> check_splits(const std::vector<std::string>& command) {
    const auto end = std::find(command.begin(), command.end(), "--");
    const auto has = [&](std::string_view word) {
        return std::any_of(command.begin(), end, [&](const std::string& one) {
            return one == word || (one.starts_with(word) && one[word.size()] == '=');
        });
    };
    const bool is_exec = !command.empty() && command[0] == "exec";
    const bool is_replay = command.size() > 1 && command[0] == "trace" && command[1] == "replay";
    const std::string text = fmt::format("{}", fmt::join(command, " "));
    const auto bad = [&](std::string_view what, std::string_view remedy) {
        return Error{ErrorKind::bad_input, what, text, remedy};
    };
    if (!is_exec && !is_replay) return bad("this command has no launches to split", "split exec or trace replay");
    if (has("--launches")) return bad("it says which launches are timed itself", "leave --launches out");
    if (has("--sample")) return bad("what a launch is estimated by is launches of other parts", "leave --sample out");
    if (has("--conflicts")) return bad("--conflicts has no times to split", "leave --split-launches out");
    const auto option = std::find(command.begin(), end, "--cache-control");
    const bool is_cold = has("--cache-control=all") || (option != end && option + 1 != end && option[1] == "all");
    const bool is_given = has("--cache-control");
    if (is_given ? !is_cold : is_exec)
        return bad("what a launch takes depends on what those before it left in caches",
                   "add --cache-control all to the command, which empties them before each launch");
    return {};
}

std::vector<std::string> part_of(std::vector<std::string> command, std::uint64_t index, std::uint64_t count) {
    const auto program = std::find(command.begin(), command.end(), "--");
    const std::string part = fmt::format("{}/{}", index, count);
    command.insert(program, {"--launches", part});
    return command;
}

Result<Json> whole_report(std::vector<Json> parts) {
    std::vector<std::optional<Json>> kernels;
    for (Json& part : parts) {
        if (!part.is_object() || !part.contains("launches") || !part.contains("kernels"))
            return unlike_parts("one says nothing of its launches");
        const Json& launches = part["launches"];
        const auto all = launches["all"].get<std::size_t>();
        if (&part == &parts.front()) kernels.resize(all);
        if (all != kernels.size())
            return unlike_parts(fmt::format("one made {} launches, another {}", kernels.size(), all));
        for (std::size_t i = 0; i < part["kernels"].size(); ++i) {
            const auto number = launches["numbers"][i].get<std::size_t>();
            if (number >= all || kernels[number])
                return unlike_parts(fmt::format("launch {} is in two of them", number));
            kernels[number] = std::move(part["kernels"][i]);
        }
    }
    Json whole = std::move(parts.front());
    whole.erase("launches");
    Json& all = whole["kernels"] = Json::array();
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (!kernels[i]) return unlike_parts(fmt::format("launch {} is in none of them", i));
        all.push_back(std::move(*kernels[i]));
    }
    whole["total"]["cycles"] = sum_over(all, "sm__cycles_elapsed.max");
    whole["total"]["time_ns"] = sum_over(all, "gpu__time_duration.sum");
    return whole;
}

}  // namespace sassafras::study::sweep
