#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/known_names.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "cli/pages/completion.hpp"

namespace sassafras::cli {

void add_completion(CLI::App& app, Program& program) {
    CLI::App* command = app.add_subcommand("completion", "Print what makes a shell complete command lines");
    const auto shell = std::make_shared<std::string>();
    command->add_option("shell", *shell, "the shell")->required()->check(one_of({"bash", "zsh", "fish"}));
    command->footer("For the shell at hand: source <(sassafras completion bash); sassafras completion fish | source");
    command->callback([&program, &app, shell] {
        program.chosen = [&program, &app, shell]() -> Result<int> {
            const CommandText text = describe_command(app, known_names());
            if (*shell == "zsh") return end_with(*program.console, zsh_completion(text));
            return end_with(*program.console, *shell == "fish" ? fish_completion(text) : bash_completion(text));
        };
    });
}

}  // namespace sassafras::cli
