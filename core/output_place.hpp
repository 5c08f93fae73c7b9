// Whether a file that is to be written is one that is read.
#pragma once

#include <string>

#include "core/result.hpp"

namespace sassafras {

/// Whether two names are of one file: by links, too, and for files that do not exist yet.
[[nodiscard]] bool same_file(const std::string& one, const std::string& other);

/// Error bad_input if the file to be written, which `option` names, is one that is read: by another name or link, too.
[[nodiscard]] Result<void> check_not_read(const std::string& path, const char* option, const std::string& read);

}  // namespace sassafras
