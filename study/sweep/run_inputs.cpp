#define XXH_INLINE_ALL
#include "study/sweep/run_inputs.hpp"

#include <sys/stat.h>
#include <xxhash.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/input_file.hpp"
#include "core/staged_file.hpp"

namespace sassafras::study::sweep {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t piece_bytes = std::size_t{1} << 20U;
constexpr std::uint64_t least_cached_bytes = std::uint64_t{1} << 16U;  // smaller ones are read as soon as looked up
constexpr std::int64_t settled_ns = 2'000'000'000;                     // the coarsest clock of a file system
constexpr int deepest_folder = 16;
constexpr std::size_t most_files = 1'000'000;

std::int64_t nanoseconds(const timespec& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec; }

std::optional<FileStamp> stamp_of(const std::string& path) {
    struct stat found {};
    if (stat(path.c_str(), &found) != 0) return std::nullopt;
    return FileStamp{static_cast<std::uint64_t>(found.st_size), nanoseconds(found.st_mtim), nanoseconds(found.st_ctim)};
}

/// A file that was written just now may be written again without its time becoming another.
bool is_settled(const FileStamp& stamp) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const std::int64_t age = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() - stamp.modified_ns;
    return age > settled_ns || age < -settled_ns;
}

std::string hexadecimal_digits(const XXH128_hash_t& hash) {
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

/// By how its index begins; replay takes no other.
bool is_trace(const std::string& folder) {
    constexpr std::size_t beginning = 256;
    std::string text(beginning, '\0');
    std::ifstream index(folder + "/index.json", std::ios::binary);
    index.read(text.data(), beginning);
    return text.find("\"sassafras_trace\"") != std::string::npos;
}

}  // namespace

Result<std::string> file_digest(const std::string& path) {
    auto file = InputFile::open(path);
    if (!file) return file.error();
    std::vector<std::byte> piece(piece_bytes);
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (std::size_t got = piece.size(); got == piece.size();) {
        auto read = file->read(piece);
        if (!read) return read.error();
        got = *read;
        XXH3_128bits_update(&state, piece.data(), got);
    }
    return hexadecimal_digits(XXH3_128bits_digest(&state));
}

std::optional<std::string> changed_since(const RunInputs& inputs) {
    for (const auto& input : inputs)
        for (const auto& [path, stamp] : input->stamps) {
            const auto now = stamp_of(path);
            if (!now || now->size != stamp.size || now->modified_ns != stamp.modified_ns) return path;
        }
    return std::nullopt;
}

InputFiles::InputFiles(fs::path cache, fs::path directory)
    : cache_(std::move(cache)), directory_(std::move(directory)) {
    if (cache_.empty()) return;
    std::ifstream file(cache_);
    Cached entry;
    std::string path;
    while (file >> entry.digest >> entry.stamp.size >> entry.stamp.modified_ns >> entry.stamp.changed_ns &&
           file.get() == ' ' && std::getline(file, path))
        cached_[path] = entry;
}

Result<std::string> InputFiles::hashed(const std::string& path, RunInput& input) {
    const auto before = stamp_of(path);
    if (!before) return Error{ErrorKind::bad_input, "an input cannot be read", path, "see whether it is there"};
    input.stamps[path] = *before;
    const std::string name = fs::absolute(path).string();
    const auto cached = cached_.find(name);
    if (cached != cached_.end() && cached->second.stamp == *before) {
        used_[name] = cached->second;
        return cached->second.digest;
    }
    auto digest = file_digest(path);
    if (!digest) return digest;
    if (stamp_of(path) != before)
        return Error{ErrorKind::bad_input, "an input changes while it is read", path, "wait until it is whole"};
    if (before->size >= least_cached_bytes && is_settled(*before) && name.find('\n') == std::string::npos)
        used_[name] = {*before, *digest};
    return digest;
}

Result<std::string> InputFiles::hashed_folder(const std::string& path, RunInput& input) {
    const auto refused = [&](std::string_view what) {
        return Error{ErrorKind::bad_input, what, path, "give a folder that sassafras trace capture or import wrote"};
    };
    std::vector<std::string> files;
    if (const auto stamp = stamp_of(path)) input.stamps[path] = *stamp;
    std::error_code failure;
    auto place = fs::recursive_directory_iterator(path, fs::directory_options::follow_directory_symlink, failure);
    for (; !failure && place != fs::recursive_directory_iterator(); place.increment(failure)) {
        std::error_code ignored;
        const std::string inner = place->path().string();
        if (place.depth() >= deepest_folder)
            return refused(fmt::format("a trace's folder is deeper than {} folders", deepest_folder));
        if (fs::is_regular_file(inner, ignored)) files.push_back(inner);
        if (files.size() > most_files) return refused(fmt::format("a trace's folder has over {} files", most_files));
        if (!fs::is_directory(inner, ignored)) continue;
        if (const auto stamp = stamp_of(inner)) input.stamps[inner] = *stamp;
    }
    if (failure) return refused("a trace's folder cannot be read: " + failure.message());
    std::sort(files.begin(), files.end());
    std::string text;
    for (const std::string& file : files) {
        auto digest = hashed(file, input);
        if (!digest) return digest;
        text += fmt::format("{} {}\n", *digest, fs::path(file).lexically_relative(path).string());
    }
    return hexadecimal_digits(XXH3_128bits(text.data(), text.size()));
}

Result<std::shared_ptr<const RunInput>> InputFiles::of(const std::string& name) {
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    auto& known = known_[name];
    std::error_code ignored;
    auto input = std::make_shared<RunInput>();
    const std::string path = path_of(name);
    input->is_folder = fs::is_directory(path, ignored);
    const bool is_input = input->is_folder ? is_trace(path) : fs::is_regular_file(path, ignored);
    if (!is_input) return known;
    auto digest = input->is_folder ? hashed_folder(path, *input) : hashed(path, *input);
    if (!digest) return digest.error();
    input->digest = std::move(*digest);
    known = std::move(input);
    return known;
}

void InputFiles::save() const {
    if (cache_.empty() || used_ == cached_) return;
    std::string text;
    for (const auto& [path, entry] : used_)
        text += fmt::format("{} {} {} {} {}\n", entry.digest, entry.stamp.size, entry.stamp.modified_ns,
                            entry.stamp.changed_ns, path);
    (void)write_output_file({cache_.string(), "the cache of digests", "STUDY"}, text);
}

}  // namespace sassafras::study::sweep
