// Reading a file that is needed whole: no more of it than such a file can have, whatever the name leads to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras {

inline constexpr std::uint64_t most_json_bytes = std::uint64_t{64} << 20U;  ///< of a platform, an index, an instance
inline constexpr std::uint64_t most_code_bytes = std::uint64_t{1} << 30U;   ///< of a cubin
/// Of what does not say how long it is: pipes, devices, files of /proc.
inline constexpr std::uint64_t most_unsized_bytes = std::uint64_t{256} << 20U;

/// The whole file. Error bad_input, naming it: as InputFile, or it is longer than `most` bytes; then no more than that
/// was read.
[[nodiscard]] Result<std::vector<std::byte>> read_whole_file(const std::string& path, std::uint64_t most);
/// The same as text.
[[nodiscard]] Result<std::string> read_whole_text(const std::string& path, std::uint64_t most);

/// Whether a name that is none of the known ones means a file in `folder` (empty: the working directory): it has a
/// slash, ends in .json, or something that is no folder has it.
[[nodiscard]] bool means_file(std::string_view name, const std::filesystem::path& folder = {});

}  // namespace sassafras
