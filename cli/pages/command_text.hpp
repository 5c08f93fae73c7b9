// What a command is called, does and takes, as text: what manual pages and completion are made of. All of it comes from
// where options are declared, so that neither can say anything else than --help.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace sassafras::cli {

struct OptionText {
    std::vector<std::string> names;  ///< with their dashes, short ones first; of a positional its one name
    bool is_positional = false;
    bool is_required = false;
    std::string value;      ///< what kind of value it takes: "TEXT", "UINT"; empty for a flag
    std::string range;      ///< what its value may be, as --help says it: "[1 to 1024]"; mostly empty
    std::string otherwise;  ///< the value if it is not given; may be empty
    std::string description;
    std::vector<std::string> words;  ///< values that are known
    bool only_words = false;         ///< there are no others
};

struct CommandText {
    std::string name;  ///< of the innermost command: "capture"
    std::string path;  ///< "trace capture"; empty for the program itself
    std::string description;
    std::string footer;
    std::vector<OptionText> options;  ///< positionals among them, as they were declared
    std::vector<CommandText> commands;
};

/// Values of options and positionals, by name, that are names of things: "--platform", "workload".
using KnownNames = std::map<std::string, std::vector<std::string>>;

[[nodiscard]] CommandText describe_command(const CLI::App& command, const KnownNames& known);

/// The command and those below it, each before its own.
[[nodiscard]] std::vector<const CommandText*> all_of(const CommandText& command);

}  // namespace sassafras::cli
