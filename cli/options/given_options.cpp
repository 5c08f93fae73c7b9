#include "cli/options/given_options.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sassafras::cli {

bool GivenOptions::has(std::string_view name) const {
    return std::find(names.begin(), names.end(), name) != names.end();
}

Result<void> GivenOptions::refuse(std::initializer_list<std::string_view> unwanted, const std::string& reason,
                                  const std::string& remedy) const {
    std::string found;
    for (const std::string_view name : unwanted)
        if (has(name)) found += (found.empty() ? "" : ", ") + std::string(name);
    if (found.empty()) return {};
    return Error{ErrorKind::bad_input,
                 found + " would have no effect: " + reason,
                 {},
                 remedy.empty() ? std::string("leave it out") : remedy + ", or leave it out"};
}

GivenOptions given_options(const CLI::App& command) {
    GivenOptions given;
    for (const CLI::Option* option : command.get_options()) {
        if (option->count() == 0) continue;
        const auto& names = option->get_lnames();
        if (!names.empty())
            given.names.push_back("--" + names.front());
        else if (!option->get_snames().empty())
            given.names.push_back("-" + option->get_snames().front());
    }
    return given;
}

}  // namespace sassafras::cli
