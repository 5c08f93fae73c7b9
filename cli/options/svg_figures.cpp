#include "cli/options/svg_figures.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "cli/html/page_files.hpp"
#include "cli/options/temporary_folder.hpp"
#include "core/json_text.hpp"
#include "core/staged_file.hpp"
#include "core/whole_file.hpp"

namespace sassafras::cli {

namespace {

namespace folders = std::filesystem;

constexpr std::uint64_t most_drawing_bytes = std::uint64_t{64} << 20U;

/// On the PATH; empty if it is not.
std::string path_of_node() {
    const char* const path = std::getenv("PATH");
    std::string_view left = path == nullptr ? "" : path;
    while (!left.empty()) {
        const std::size_t end = std::min(left.find(':'), left.size());
        const std::string candidate = fmt::format("{}/node", end == 0 ? "." : left.substr(0, end));
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
        left.remove_prefix(std::min(end + 1, left.size()));
    }
    return {};
}

Error no_node() {
    return {ErrorKind::bad_input, "node, which draws charts as SVG, is not there", "--svg",
            "install it (Debian: apt-get install nodejs), or give --html, which needs none"};
}

Result<void> write_there(const std::string& path, std::string_view text) {
    return write_output_file({path, "a chart", "--svg"}, text);
}

/// Starts node on its script; what it says goes to `log`.
Result<void> run_node(const TemporaryFolder& folder) {
    const std::string node = path_of_node();
    if (node.empty()) return no_node();
    const std::string script = folder.file("render.js");
    const std::string log = folder.file("log");
    std::string own_node = node;
    std::string own_script = script;
    std::string own_folder = folder.path();
    char* arguments[] = {own_node.data(), own_script.data(), own_folder.data(), nullptr};
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    pid_t child = 0;
    const int failed = posix_spawn(&child, node.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0)
        return Error{ErrorKind::bad_input, fmt::format("cannot start node: {}", std::strerror(failed)), node,
                     "check that it can be executed"};
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    const auto said = read_whole_text(log, most_drawing_bytes);
    std::string what = said ? *said : std::string();
    what = what.substr(0, what.find('\n'));
    return Error{ErrorKind::bad_input, fmt::format("node could not draw the charts: {}", what), node,
                 "use node 18 or later, or give --html, which needs none"};
}

}  // namespace

Result<void> check_figures(const std::string& folder) {
    if (path_of_node().empty()) return no_node();
    std::error_code failed;
    if (folder.ends_with(".svg") && !folders::is_directory(folder, failed))
        return Error{ErrorKind::bad_input, "the charts of a page are several files", folder,
                     "give --svg a folder; a single file is for the drawing of a request, with --conflicts"};
    folders::create_directories(folder, failed);
    if (failed || !folders::is_directory(folder, failed) || access(folder.c_str(), W_OK) != 0)
        return Error{
            ErrorKind::bad_input,
            fmt::format("cannot write charts there: {}", failed ? failed.message() : "it is no folder to write to"),
            folder, "give --svg a folder that can be written"};
    return {};
}

Result<void> write_figures(const std::vector<Chart>& charts, const std::string& folder) {
    const auto work = TemporaryFolder::make();
    if (!work) return work.error();
    using page_files::text_of;
    auto specs = nlohmann::ordered_json::array();
    for (const Chart& chart : charts) specs.push_back({{"name", chart.name}, {"spec", chart.spec}});
    const std::pair<const char*, std::string> files[] = {
        {"vega.min.js", std::string(text_of(page_files::vega_script()))},
        {"vega-lite.min.js", std::string(text_of(page_files::vega_lite_script()))},
        {"theme.js", std::string(text_of(page_files::theme_script()))},
        {"render.js", std::string(text_of(page_files::render_script()))},
        {"charts.json", json_line(specs)}};
    for (const auto& [name, text] : files)
        if (auto written = write_there(work->file(name), text); !written) return written;
    if (auto drawn = run_node(*work); !drawn) return drawn;
    for (const Chart& chart : charts) {
        const auto drawing = read_whole_text(work->file(chart.name + ".svg"), most_drawing_bytes);
        if (!drawing) return drawing.error();
        const std::string place = folder + "/" + chart.name;
        if (auto written = write_there(place + ".svg", *drawing); !written) return written;
        if (auto written = write_there(place + ".vl.json", json_document(chart.spec)); !written) return written;
    }
    return {};
}

}  // namespace sassafras::cli
