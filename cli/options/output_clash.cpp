#include "cli/options/output_clash.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/options/usage.hpp"
#include "core/output_place.hpp"

namespace sassafras::cli {

namespace {

namespace files = std::filesystem;

struct Named {
    std::string option;
    std::string path;
    bool is_written = false;
    bool is_of_program = false;  ///< of the user's: itself, or one of its arguments
};

std::string use_of(const Named& named) {
    if (named.is_of_program) return "the program that is to run needs";
    return named.is_written ? named.option + " writes" : "is read";
}

/// Of an argument that names a file behind a word of its own: file:FILE, buffer:BYTES:file=FILE.
std::string path_in(const std::string& value) {
    for (const std::string_view before : {"file:", ":file="})
        if (const auto at = value.find(before); at != std::string::npos) return value.substr(at + before.size());
    return value;
}

std::vector<Named> named_by(const CLI::App& command) {
    std::vector<Named> all;
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        // A search's state is read and written: it is looked at where it is used.
        if (option->get_items_expected() == 0 || name == "--resume") continue;
        const bool is_written = name == "--json" || name == "--html" || name == "--svg" || name == "--timeline" ||
                                name == "--interval-csv" || name == "--log-file" || name == "--latex" ||
                                name.ends_with("--output");
        std::error_code failed;
        for (const std::string& value : option->results())
            if (name == "--svg" && files::is_directory(value, failed))
                continue;  // of charts: others may write there, too
            else if (!value.empty() && value != "-" &&
                     !(name == "--log-file" && (value == "stdout" || value == "stderr")))
                all.push_back({name, path_in(value), is_written});
    }
    return all;
}

bool is_device(const std::string& path) {
    std::error_code failed;
    const auto status = files::status(path, failed);
    return files::exists(status) && !files::is_regular_file(status) && !files::is_directory(status);
}

/// What is printed would be mixed with the file, or lost when the file takes its place. Where nothing is kept, nothing
/// is mixed.
bool is_standard_output(const std::string& path) {
    struct stat named {};
    struct stat printed {};
    if (stat(path.c_str(), &named) != 0 || fstat(STDOUT_FILENO, &printed) != 0) return false;
    const bool is_same = named.st_dev == printed.st_dev && named.st_ino == printed.st_ino;
    return is_same && (!S_ISCHR(named.st_mode) || isatty(STDOUT_FILENO) != 0);
}

/// What it holds is read by the command, and whoever reads it again would find more.
bool lies_in_trace(const Named& written, const Named& other) {
    std::error_code failed;
    const files::path folder = files::absolute(written.path, failed).lexically_normal().parent_path();
    return !other.is_written && files::exists(files::path(other.path) / "index.json", failed) &&
           same_file(folder.string(), other.path);
}

/// Devices and pipes take what several write.
bool clash(const Named& written, const Named& other) {
    std::error_code failed;
    if (is_device(written.path)) return false;
    if (!other.is_written && !files::exists(other.path, failed)) return false;  // no file at all
    if (same_file(written.path, other.path)) return !files::is_directory(other.path, failed);
    if (written.option.ends_with("--output")) return lies_in_trace(written, other);
    const bool is_folder = other.option.ends_with("--output") || files::is_directory(other.path, failed);
    const files::path folder = files::absolute(written.path, failed).parent_path();
    return is_folder && written.option != other.option && same_file(folder.string(), other.path);
}

}  // namespace

std::optional<Error> find_output_clash(const CLI::App& app, const std::vector<std::string>& run) {
    std::vector<Named> all = named_by(chosen_command(app));
    std::error_code failed;
    for (const std::string& path : run)
        if (files::is_regular_file(path, failed)) all.push_back({{}, path, false, true});
    for (const Named& written : all) {
        if (!written.is_written) continue;
        if (is_standard_output(written.path))
            return Error{ErrorKind::bad_input,
                         fmt::format("{} names standard output, where the table goes", written.option), written.path,
                         "give it another file; `--json -` prints JSON alone"};
        for (const Named& other : all)
            if (&written != &other && clash(written, other))
                return Error{ErrorKind::bad_input,
                             fmt::format("{} would write over {}, which {}", written.option, other.path, use_of(other)),
                             written.path, fmt::format("give {} another file", written.option)};
    }
    return std::nullopt;
}

}  // namespace sassafras::cli
