// sassafras: runs real GPU machine code on a modelled GPU.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include <CLI/CLI.hpp>

#include "cli/commands/commands.hpp"
#include "cli/options/usage.hpp"
#include "cli/reports/report.hpp"

namespace {

constexpr int internal_error_status = 70;  // EX_SOFTWARE: the simulator itself is wrong

int fail(const sassafras::Error& error) {
    std::fprintf(stderr, "sassafras: error: %s\n", error.message().c_str());
    return error.exit_status();
}

int run(int argc, char** argv) {
    using namespace sassafras;
    CLI::App app("Runs real GPU machine code (SASS) on a modelled GPU, cycle by cycle.", "sassafras");
    app.set_version_flag("--version", cli::version());
    app.require_subcommand(1);
    cli::Program program;
    program.arguments.assign(argv + 1, argv + argc);
    char** const dashes =
        std::find_if(argv + 1, argv + argc, [](const char* word) { return std::strcmp(word, "--") == 0; });
    if (dashes != argv + argc) program.user_program.assign(dashes + 1, argv + argc);
    const int own_arguments = static_cast<int>(dashes - argv);
    cli::add_list(app, program);
    cli::add_run(app, program);
    cli::add_exec(app, program);
    cli::add_launch(app, program);
    cli::add_conflicts(app, program);
    cli::add_microbench(app, program);
    cli::add_trace(app, program);
    cli::add_worst_case(app, program);
    cli::add_best_case(app, program);
    cli::add_disasm(app, program);
    cli::add_estimate(app, program);
    cli::add_validate(app, program);
    if (const auto unknown = cli::check_command(app, program.arguments)) return fail(*unknown);
    try {
        app.parse(own_arguments, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        return fail(cli::usage_error(app, error));
    }
    if (!program.user_program.empty())
        return fail({ErrorKind::bad_input, "this command runs no program", "-- " + program.user_program.front(),
                     "see sassafras exec --help, and sassafras trace capture --help"});
    auto status = program.chosen();
    return status ? *status : fail(status.error());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const int status = run(argc, argv);
        // A full disk or a closed pipe must not pass for success.
        if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
            return fail({sassafras::ErrorKind::bad_input, "the output could not be written", "standard output",
                         "check the disk and the pipe it goes to"});
        return status;
    } catch (const std::bad_alloc&) {
        return fail(
            {sassafras::ErrorKind::bad_input, "this machine has not enough memory", {}, "choose a smaller problem"});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sassafras: internal error: %s; please report it with the command line\n", error.what());
        return internal_error_status;
    }
}
