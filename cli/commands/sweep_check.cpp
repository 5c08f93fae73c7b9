#include "cli/commands/sweep_check.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands/command_line.hpp"
#include "sim/platform/platform_settings.hpp"

namespace sassafras::cli {

namespace {

namespace sweep = study::sweep;

constexpr std::string_view usual_platform = "h200";
constexpr std::size_t most_tries_a_value = 8;  // GPUs that are read before a value counts as refused
constexpr std::size_t most_gpus = 128;         // half a second

/// What a run says of its GPU.
struct AskedGpu {
    std::string platform{usual_platform};
    std::vector<std::string> settings;
    auto operator<=>(const AskedGpu&) const = default;
};

AskedGpu asked_gpu(const std::vector<std::string>& command, const sweep::StudyFolder& study) {
    AskedGpu asked;
    for (std::size_t i = 0; i + 1 < command.size() && command[i] != "--"; ++i) {
        if (command[i] == "--set") asked.settings.push_back(command[i + 1]);
        if (command[i] == "--platform") asked.platform = study.path_of(command[i + 1]);
    }
    return asked;
}

/// GPUs that were read, and why those cannot be that cannot.
class KnownGpus {
  public:
    const Result<void>& of(const AskedGpu& asked) {
        if (const auto known = known_.find(asked); known != known_.end()) return known->second;
        auto resolved = sim::load_platform(asked.platform, asked.settings);
        return known_.emplace(asked, resolved ? Result<void>() : Result<void>(resolved.error())).first->second;
    }
    [[nodiscard]] bool is_full() const { return known_.size() >= most_gpus; }

  private:
    std::map<AskedGpu, Result<void>> known_;
};

/// A value may do with some of the others only, so it is refused where it is with all that are tried.
Result<void> check_settings(const sweep::StudyFolder& study) {
    using Value = std::pair<std::string, std::string>;
    struct Refusal {
        std::size_t tries = 0;
        Error error;
    };
    std::set<std::string> settings;
    for (const sweep::Axis& axis : study.description().axes)
        if (axis.kind == sweep::Axis::Kind::setting) settings.insert(axis.name);
    if (settings.empty()) return {};
    KnownGpus gpus;
    std::set<Value> taken;
    std::map<Value, Refusal> refused;
    for (const sweep::PlannedRun& run : study.runs()) {
        std::vector<Value> open;
        for (const Value& value : run.parameters)
            if (settings.contains(value.first) && !taken.contains(value) && refused[value].tries < most_tries_a_value)
                open.push_back(value);
        if (open.empty()) continue;
        if (gpus.is_full()) break;
        const auto& read = gpus.of(asked_gpu(run.command, study));
        for (const Value& value : open) {
            if (read) {
                taken.insert(value);
            } else {
                Refusal& refusal = refused[value];
                if (refusal.tries++ == 0) refusal.error = read.error();
            }
        }
    }
    for (const sweep::Axis& axis : study.description().axes)
        for (const std::string& text : axis.values)
            if (const auto found = refused.find({axis.name, text});
                found != refused.end() && found->second.tries != 0 && !taken.contains(found->first))
                return found->second.error;
    return {};
}

}  // namespace

Result<void> check_study(const sweep::StudyFolder& study) {
    const std::size_t of_a_command = study.runs().size() / study.description().commands.size();
    for (std::size_t i = 0; i < study.runs().size(); i += of_a_command) {
        std::vector<std::string> words = study.runs()[i].command;
        const std::vector<std::string> output{"--json", "/dev/null"};
        words.insert(std::find(words.begin(), words.end(), "--"), output.begin(), output.end());
        auto checked = check_command_line(words);
        if (checked) continue;
        Error error = checked.error();
        const std::string command = fmt::format("sassafras {}", fmt::join(study.runs()[i].command, " "));
        error.where = error.where.empty() ? command : error.where + " of " + command;
        return error;
    }
    return check_settings(study);
}

}  // namespace sassafras::cli
