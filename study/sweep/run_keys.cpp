#define XXH_INLINE_ALL
#include "study/sweep/run_keys.hpp"

#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "sim/platform/platform_reader.hpp"
#include "sim/platform/platform_settings.hpp"

namespace sassafras::study::sweep {

namespace {

/// The words with each of ours that is --NAME=VALUE as two, which mean the same.
std::vector<std::string> separated(const std::vector<std::string>& command) {
    std::vector<std::string> words;
    bool own = true;
    for (const std::string& word : command) {
        own = own && word != "--";
        const std::size_t equals = own && word.starts_with("--") ? word.find('=') : std::string::npos;
        words.push_back(word.substr(0, equals));
        if (equals != std::string::npos) words.push_back(word.substr(equals + 1));
    }
    return words;
}

/// Where execvp() finds a program that is named without a slash; empty if it does not.
std::string found_by_path(const std::string& name) {
    if (name.empty() || name.find('/') != std::string::npos) return {};
    const char* variable = std::getenv("PATH");
    const std::string_view folders = variable != nullptr ? variable : "/bin:/usr/bin";
    for (std::size_t at = 0; at <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', at), folders.size());
        const std::string_view folder = folders.substr(at, end - at);
        const std::string path = fmt::format("{}/{}", folder.empty() ? "." : folder, name);
        std::error_code ignored;
        if (std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0) return path;
        at = end + 1;
    }
    return {};
}

template <std::size_t count>
bool is_one_of(const std::string& word, const std::array<std::string_view, count>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Options whose values name what is written: it is there, with other content, once the run has been made. A search's
/// --resume is read, too, but a result is of the state that the search began with.
bool names_output(const std::string& option) {
    return is_one_of<10>(option, {"-o", "--output", "--timeline", "--interval-csv", "--html", "--svg", "--resume",
                                  "--log-file", "--save-measurements", "--json"});
}

/// Options whose values are never read as files, whatever files there are.
bool names_no_file(const std::string& option) {
    return is_one_of<11>(option, {"--n", "--seed", "--variant", "--device", "--threads", "--launches", "--page",
                                  "--cache-control", "--metric", "--model", "--evaluations"});
}

/// The first words that are the command's name and a workload's.
std::size_t own_words(const std::vector<std::string>& command) {
    if (command.empty()) return 0;
    const bool has_second = is_one_of<9>(command[0], {"run", "conflicts", "diagnose", "estimate", "worst-case",
                                                      "best-case", "trace", "validate", "calibrate"});
    if (command.size() < 2 || !has_second || command[1].starts_with("-")) return 1;
    const bool has_third = command[0] == "trace" && command[1] == "capture" && command.size() > 2;
    return has_third && !command[2].starts_with("-") ? 3 : 2;
}

}  // namespace

Result<const RunKeys::KnownPlatform*> RunKeys::platform(const std::string& name) {
    if (const auto known = platforms_.find(name); known != platforms_.end()) return &known->second;
    KnownPlatform found;
    std::error_code ignored;
    const std::string path = inputs_.path_of(name);
    const std::string& place = std::filesystem::is_regular_file(path, ignored) ? path : name;
    if (const auto first = sim::load_platform(place)) {
        for (const std::string& base : first->base_files) {
            auto input = inputs_.of(base);
            if (!input) return input.error();
            if (*input) found.bases.push_back(std::move(*input));
        }
        // Once more: its numbers are those of files whose times are known by now.
        const auto resolved = sim::load_platform(place);
        found.hash = resolved ? resolved->hash : "";
    }
    return &platforms_.emplace(name, std::move(found)).first->second;
}

Result<void> RunKeys::add_files(const std::string& word, std::string& text, RunInputs& read) {
    for (std::size_t at = 0; at < word.size();) {
        const std::string name = word.substr(at);
        auto input = inputs_.of(name);
        if (!input) return input.error();
        if (*input) {
            text += fmt::format("{} {} {}\n", (*input)->is_folder ? "folder" : "file", name, (*input)->digest);
            read.push_back(std::move(*input));
        }
        const std::size_t next = word.find_first_of("=:", at);
        if (next == std::string::npos) break;
        at = next + 1;
    }
    return {};
}

Result<RunKey> RunKeys::of(const std::vector<std::string>& given) {
    const std::vector<std::string> command = separated(given);
    std::string text = fmt::format("sassafras {}\n", version_);
    RunKey key;
    const std::size_t names = own_words(command);
    bool own = true;  // words of ours, not of a program behind --
    for (std::size_t i = 0; i < command.size(); ++i) {
        const std::string& word = command[i];
        const bool has_next = i + 1 < command.size();
        if (own && has_next && word == "--") {
            own = false;
            if (const std::string program = found_by_path(command[i + 1]); !program.empty()) {
                auto input = inputs_.of(program);
                if (!input) return input.error();
                if (*input) text += fmt::format("program {}\n", (*input)->digest);
                if (*input) key.inputs.push_back(std::move(*input));
            }
        }
        if (own && has_next && (word == "--threads" || word == "--json")) {
            ++i;
            continue;
        }
        if (own && has_next && word == "--set") {
            const auto setting = sim::normal_setting(command[++i]);
            text += fmt::format("set {}\n", setting ? *setting : command[i]);
            continue;
        }
        text += fmt::format("word {}\n", word);
        if (own && has_next && word == "--platform") {
            const auto known = platform(command[i + 1]);
            if (!known) return known.error();
            text += fmt::format("platform {}\n", (*known)->hash);
            key.inputs.insert(key.inputs.end(), (*known)->bases.begin(), (*known)->bases.end());
        }
        const bool is_value = own && i != 0 && (names_output(command[i - 1]) || names_no_file(command[i - 1]));
        const bool is_name = own && (i < names || word.starts_with("--"));
        if (is_value || is_name) continue;
        if (auto added = add_files(word, text, key.inputs); !added) return added.error();
    }
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    key.digits = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
    return key;
}

}  // namespace sassafras::study::sweep
