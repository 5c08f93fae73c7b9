#define XXH_INLINE_ALL
#include "study/sweep/run_keys.hpp"

#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
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

}  // namespace

Result<void> RunKeys::add_files(const std::string& word, Folders folders, std::string& text, RunInputs& read) {
    for (std::size_t at = 0; at < word.size();) {
        const std::string name = word.substr(at);
        auto input = inputs_.of(name);
        if (!input) return input.error();
        if (*input && (folders == Folders::yes || !(*input)->is_folder)) {
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
            const std::string& name = command[i + 1];
            auto known = platforms_.find(name);
            if (known == platforms_.end()) {
                const auto resolved = sim::load_platform(name);
                known = platforms_.emplace(name, resolved ? resolved->hash : "").first;
            }
            text += fmt::format("platform {}\n", known->second);
        }
        // A folder for output may be there already, from the run before; what it holds is no input.
        const bool is_output = own && i != 0 && (command[i - 1] == "--output" || command[i - 1] == "-o");
        if (auto added = add_files(word, is_output ? Folders::no : Folders::yes, text, key.inputs); !added)
            return added.error();
    }
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    key.digits = fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
    return key;
}

}  // namespace sassafras::study::sweep
