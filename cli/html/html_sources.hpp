// The source view of a page: each kernel's instructions, all its launches together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/html/chart_sources.hpp"

namespace sassafras::cli {

/// What a page has room for: of a longer kernel those instructions that take most, and kernels that take most first.
struct SourceRoom {
    std::size_t instructions = 3'000;  ///< of a kernel
    std::size_t bytes = 5'000'000;     ///< of all
};

struct SourcePages {
    std::string json;
    std::size_t left_out = 0;  ///< kernels
};

/// JSON: a list of {kernel: its number, launches, measures: titles, lines: [place, text], rows: [address, SASS, number
/// of its line or -1, a number for each measure, reason that most warps wait for], note}. `kernels` are mangled names
/// by number. Lines are there where the code knows them; their text where the file is.
[[nodiscard]] SourcePages html_sources(const RunSource& run, const std::vector<std::string>& kernels,
                                       const SourceRoom& room = {});

}  // namespace sassafras::cli
