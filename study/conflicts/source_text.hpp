// The text of source lines, out of the sources themselves.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "study/conflicts/source_lines.hpp"

namespace sassafras::study {

/// Reads each file once.
class SourceTexts {
  public:
    /// Without indentation, tabs as spaces. Empty if there is no such file or no such line (from 1).
    [[nodiscard]] std::string line(const std::string& path, std::uint32_t number);

  private:
    std::map<std::string, std::vector<std::string>> files_;
};

/// Gives the lines that know their source its text, where the file is still the one that was compiled: of the same
/// length, and last changed at the same second. Else a line of it could be another by now.
void add_source_texts(LinesByKernel& lines);

}  // namespace sassafras::study
