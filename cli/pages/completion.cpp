#include "cli/pages/completion.hpp"

namespace sassafras::cli {

std::string shell_quoted(const std::string& text) {
    std::string result = "'";
    for (const char letter : text)
        if (letter == '\'')
            result += "'\\''";
        else
            result += letter;
    return result + "'";
}

}  // namespace sassafras::cli
