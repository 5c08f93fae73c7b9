// Scripts by which shells complete a command line: commands, options, and values of options that have a fixed set.
#pragma once

#include <string>

#include "cli/pages/command_text.hpp"

namespace sassafras::cli {

/// Each for its shell, to be read at the shell's start or to lie where it looks for such scripts.
[[nodiscard]] std::string bash_completion(const CommandText& program);
[[nodiscard]] std::string zsh_completion(const CommandText& program);
[[nodiscard]] std::string fish_completion(const CommandText& program);

/// Whether a value of this kind may be the name of a file.
[[nodiscard]] inline bool may_be_file(const OptionText& option) { return option.value == "TEXT" && !option.only_words; }

/// Text between single quotes, as each of the shells reads it: 'it'\''s'.
[[nodiscard]] std::string shell_quoted(const std::string& text);

}  // namespace sassafras::cli
