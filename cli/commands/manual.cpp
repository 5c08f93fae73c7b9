#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/known_names.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/pages/manual_page.hpp"
#include "core/build_version.hpp"
#include "core/spelling.hpp"
#include "core/staged_file.hpp"

namespace sassafras::cli {

namespace {

struct ManualOptions {
    std::vector<std::string> command;
    std::string folder;
};

Result<int> manual(const CLI::App& app, const ManualOptions& options, const Console& console) {
    const CommandText program = describe_command(app, known_names());
    const std::string release = version();
    std::string wanted;
    for (const std::string& word : options.command) wanted += (wanted.empty() ? "" : " ") + word;
    if (!options.folder.empty() && !wanted.empty())
        return Error{ErrorKind::bad_input, "a folder gets the pages of all commands", wanted,
                     "leave out the command, or --output"};
    std::vector<std::string> paths;
    for (const CommandText* command : all_of(program)) {
        const std::string page = manual_page(*command, program, release);
        if (options.folder.empty() && command->path == wanted) return end_with(console, page);
        paths.push_back(command->path);
        if (options.folder.empty()) continue;
        const std::string file = options.folder + "/" + page_name(*command) + ".1";
        if (auto done = write_output_file({file, "a manual page", "--output"}, page); !done) return done.error();
    }
    if (!options.folder.empty()) return 0;
    return Error{ErrorKind::bad_input, "there is no command \"" + wanted + "\"", {}, name_one_of(wanted, paths)};
}

}  // namespace

void add_manual(CLI::App& app, Program& program) {
    CLI::App* command = app.add_subcommand("manual", "Print the manual page of the program or of a command");
    const auto options = std::make_shared<ManualOptions>();
    command->add_option("command", options->command, "as on the command line: run, trace capture");
    command->add_option("-o,--output", options->folder, "a folder that is there: write the page of every command to it")
        ->check(not_empty("a folder"));
    command->footer("To read one: sassafras manual trace capture | man -l -");
    command->callback([&program, &app, options] {
        program.chosen = [&program, &app, options] { return manual(app, *options, *program.console); };
    });
}

}  // namespace sassafras::cli
