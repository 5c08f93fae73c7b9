#include "cli/pages/command_text.hpp"

#include <string_view>
#include <utility>

namespace sassafras::cli {

namespace {

/// Of "{details,raw,source}", as one_of describes itself.
std::vector<std::string> words_of_list(std::string_view list) {
    std::vector<std::string> words;
    while (!list.empty()) {
        const std::size_t end = list.find(',');
        words.emplace_back(list.substr(0, end));
        if (end == std::string_view::npos) break;
        list.remove_prefix(end + 1);
    }
    return words;
}

OptionText describe_option(const CLI::Option& option, const KnownNames& known) {
    OptionText text;
    text.is_positional = !option.nonpositional();
    text.is_required = option.get_required();
    text.description = option.get_description();
    if (text.is_positional) text.names.push_back(option.get_name(true));
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    if (option.get_type_size() == 0) return text;
    const std::string type = option.get_type_name();
    const std::size_t colon = type.find(':');
    text.value = type.substr(0, colon);
    text.otherwise = option.get_default_str();
    if (colon != std::string::npos) text.range = type.substr(colon + 1);
    if (text.range.starts_with('{') && text.range.ends_with('}')) {
        text.words = words_of_list(std::string_view(text.range).substr(1, text.range.size() - 2));
        text.only_words = true;
        text.range.clear();
    }
    for (const std::string& name : text.names)
        if (const auto names = known.find(name); text.words.empty() && names != known.end()) text.words = names->second;
    return text;
}

CommandText describe(const CLI::App& command, const std::string& above, const KnownNames& known) {
    CommandText text;
    text.description = command.get_description();
    text.footer = command.get_footer();
    text.name = command.get_name();
    if (command.get_parent() != nullptr) text.path = above.empty() ? text.name : above + " " + text.name;
    for (const CLI::Option* option : command.get_options())
        if (!option->get_group().empty()) text.options.push_back(describe_option(*option, known));
    for (const CLI::App* below : command.get_subcommands({}))
        if (!below->get_group().empty()) text.commands.push_back(describe(*below, text.path, known));
    return text;
}

void collect(const CommandText& command, std::vector<const CommandText*>& all) {
    all.push_back(&command);
    for (const CommandText& below : command.commands) collect(below, all);
}

}  // namespace

CommandText describe_command(const CLI::App& command, const KnownNames& known) { return describe(command, {}, known); }

std::vector<const CommandText*> all_of(const CommandText& command) {
    std::vector<const CommandText*> all;
    collect(command, all);
    return all;
}

}  // namespace sassafras::cli
