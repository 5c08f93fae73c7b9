#include "cli/commands/command_line.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/commands/command_list.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/program_file.hpp"
#include "cli/options/help_format.hpp"
#include "cli/options/interruptible.hpp"
#include "cli/options/options.hpp"
#include "cli/options/output_clash.hpp"
#include "cli/options/usage.hpp"
#include "core/build_version.hpp"
#include "core/file_writer.hpp"
#include "core/interrupted.hpp"
#include "core/printable.hpp"
#include "sim/execute/affordable_space.hpp"

namespace sassafras::cli {

namespace {

constexpr int internal_error_status = 70;  // EX_SOFTWARE: the simulator itself is wrong

int report_error(const Error& error) {
    process_console().note("sassafras: error: " + for_terminal(error.message()) + "\n");
    return error.exit_status();
}

Error no_memory() {
    const std::string limit = sim::space_limit_text();
    if (limit.empty())
        return {ErrorKind::bad_input, "this machine has not enough memory", {}, "choose a smaller problem"};
    return {ErrorKind::bad_input, "not enough memory: " + limit, {}, "raise the limit, or choose a smaller problem"};
}

/// The words of the command line, with `help COMMAND` as `COMMAND --help`.
std::vector<const char*> words_of(int argc, char** argv) {
    std::vector<const char*> words(argv, argv + argc);
    if (argc < 2 || std::strcmp(argv[1], "help") != 0) return words;
    words.erase(words.begin() + 1);
    words.insert(std::find_if(words.begin() + 1, words.end(), [](const char* word) { return word[0] == '-'; }),
                 "--help");
    return words;
}

/// The kernel's message of a stack that is too small is a signal. Below this, `run` and `exec` have been seen to get
/// it.
std::optional<Error> too_small_a_stack() {
    constexpr rlim_t least_bytes = 128U << 10U;
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= least_bytes)
        return std::nullopt;
    return Error{ErrorKind::bad_input,
                 fmt::format("the stack of this process is limited to {} KiB by ulimit -s", limit.rlim_cur >> 10U),
                 {},
                 fmt::format("raise the limit to {} KiB or more", least_bytes >> 10U)};
}

/// Whether `program` has something to do: not if the words ask for help or the version, which is then printed.
Result<bool> parse_words(CLI::App& app, Program& program, const std::vector<const char*>& words) {
    app.formatter(std::make_shared<HelpFormat>());  // subcommands take it over when they are added
    app.set_version_flag("--version", build_version());
    app.require_subcommand(1);
    program.arguments.assign(words.begin() + 1, words.end());
    const auto dashes =
        std::find_if(words.begin() + 1, words.end(), [](const char* word) { return std::strcmp(word, "--") == 0; });
    if (dashes != words.end()) program.user_program.assign(dashes + 1, words.end());
    const std::vector<std::string> files = files_of_program(program.user_program);  // parsing moves it away
    const int own_arguments = static_cast<int>(dashes - words.begin());
    for (const AddCommand add : all_commands) add(app, program);
    if (const auto unknown = check_command(app, program.arguments)) return *unknown;
    try {
        app.parse(own_arguments, words.data());
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {  // --help, --version
            std::ostringstream text;
            app.exit(error, text, text);
            const auto printed = program.console->print(text.str());
            return printed ? Result<bool>(false) : printed.error();
        }
        return usage_error(app, error, program.arguments);
    }
    if (const auto clash = find_output_clash(app, files)) return *clash;
    if (!program.user_program.empty())
        return Error{ErrorKind::bad_input, "this command runs no program", "-- " + program.user_program.front(),
                     "see sassafras exec --help, and sassafras trace capture --help"};
    return true;
}

constexpr const char* about = "Runs real GPU machine code (SASS) on a modelled GPU, cycle by cycle.";

Result<int> parse_and_run(const std::vector<const char*>& words, const Console& console) {
    CLI::App app(about, "sassafras");
    Program program;
    program.console = &console;
    const auto is_to_run = parse_words(app, program, words);
    if (!is_to_run) return is_to_run.error();
    return *is_to_run ? program.chosen() : Result<int>(0);
}

}  // namespace

int run_command_line(int argc, char** argv) {
    try {
        if (const auto refused = too_small_a_stack()) return report_error(*refused);
        const auto ended = parse_and_run(words_of(argc, argv), process_console());
        const int status = ended ? *ended : report_error(ended.error());
        // A full disk or a closed pipe must not pass for success.
        const bool flushed = std::fflush(stdout) == 0;
        if (status == 0 && (!flushed || std::ferror(stdout) != 0))
            return report_error(
                cannot_write("the output", "standard output", flushed ? 0 : errno, "check where it goes"));
        return status;
    } catch (const std::bad_alloc&) {
        return report_error(no_memory());
    } catch (const Interrupted&) {
        process_console().note("sassafras: error: interrupted\n");
        return status_interrupted;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sassafras: internal error: %s; please report it with the command line\n",
                     for_terminal(error.what()).c_str());
        return internal_error_status;
    }
}

Result<void> check_command_line(const std::vector<std::string>& words) {
    std::vector<const char*> all{"sassafras"};
    for (const std::string& word : words) all.push_back(word.c_str());
    Console silent;
    silent.print = [](std::string_view) { return Result<void>(); };
    silent.note = [](std::string_view) {};
    CLI::App app(about, "sassafras");
    Program program;
    program.console = &silent;
    const auto is_to_run = parse_words(app, program, all);
    if (!is_to_run) return is_to_run.error();
    if (!*is_to_run)
        return Error{ErrorKind::bad_input, "this prints help and computes nothing",
                     words.empty() ? std::string() : words.front(), "leave out what asks for help"};
    return program.check ? program.check() : Result<void>();
}

Result<int> run_command(const std::vector<std::string>& words, const Console& console) {
    std::vector<const char*> all{"sassafras"};
    for (const std::string& word : words) all.push_back(word.c_str());
    try {
        return parse_and_run(all, console);
    } catch (const std::bad_alloc&) {
        return no_memory();
    }
}

}  // namespace sassafras::cli
