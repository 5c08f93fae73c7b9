// Manual pages: sassafras(1), and one for each command.
#pragma once

#include <string>

#include "cli/pages/command_text.hpp"

namespace sassafras::cli {

/// "sassafras-trace-capture": of a command's page.
[[nodiscard]] std::string page_name(const CommandText& command);

/// Roff with the macros of man(7). `program`: what all commands belong to; `version` stands in the page's foot.
[[nodiscard]] std::string manual_page(const CommandText& command, const CommandText& program,
                                      const std::string& version);

}  // namespace sassafras::cli
