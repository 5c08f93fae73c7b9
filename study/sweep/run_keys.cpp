#define XXH_INLINE_ALL
#include "study/sweep/run_keys.hpp"

#include <xxhash.h>

#include <filesystem>

#include <fmt/format.h>

#include "core/whole_file.hpp"
#include "sim/platform/platform_reader.hpp"
#include "sim/platform/platform_settings.hpp"

namespace sassafras::study::sweep {

namespace {

constexpr std::uint64_t most_input_bytes = std::uint64_t{1} << 40U;

std::string digest_of(const void* data, std::size_t size) {
    const XXH128_hash_t hash = XXH3_128bits(data, size);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

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

}  // namespace

Result<std::string> file_digest(const std::string& path) {
    auto content = read_whole_file(path, most_input_bytes);
    if (!content) return content.error();
    return digest_of(content->data(), content->size());
}

Result<void> RunKeys::add_files(const std::string& word, std::string& text) {
    for (std::size_t at = 0; at < word.size();) {
        const std::string name = word.substr(at);
        auto known = files_.find(name);
        if (known == files_.end()) {
            std::string digest;
            std::error_code ignored;
            if (std::filesystem::is_regular_file(name, ignored)) {
                auto read = file_digest(name);
                if (!read) return read.error();
                digest = std::move(*read);
            }
            known = files_.emplace(name, std::move(digest)).first;
        }
        if (!known->second.empty()) text += fmt::format("file {} {}\n", name, known->second);
        const std::size_t next = word.find_first_of("=:", at);
        if (next == std::string::npos) break;
        at = next + 1;
    }
    return {};
}

Result<std::string> RunKeys::of(const std::vector<std::string>& given) {
    const std::vector<std::string> command = separated(given);
    std::string text = fmt::format("sassafras {}\n", version_);
    bool own = true;  // words of ours, not of a program behind --
    for (std::size_t i = 0; i < command.size(); ++i) {
        const std::string& word = command[i];
        const bool has_next = i + 1 < command.size();
        if (word == "--") own = false;
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
        if (auto added = add_files(word, text); !added) return added.error();
    }
    return digest_of(text.data(), text.size());
}

}  // namespace sassafras::study::sweep
