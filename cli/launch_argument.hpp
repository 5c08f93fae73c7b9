// Kernel arguments as the command line spells them: i32:5, f32:1.5, buffer:4096:iota.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.hpp"
#include "core/types.hpp"

namespace sassafras::cli {

struct BufferArgument {
    enum class Content : std::uint8_t {
        zero,
        iota,    ///< 32-bit words 0, 1, 2, ...
        random,  ///< bytes from the seed
    };
    Bytes size{};
    Content content = Content::zero;
};

/// Little-endian bytes of a number, or a buffer whose address is passed.
using LaunchArgument = std::variant<std::vector<std::byte>, BufferArgument>;

/// Types: i32 u32 i64 u64 f32 f64 buffer. Integers are decimal or 0x hexadecimal and must fit.
[[nodiscard]] Result<LaunchArgument> parse_launch_argument(const std::string& text);

/// "X", "X,Y" or "X,Y,Z". `option` names it in errors.
[[nodiscard]] Result<Dim3> parse_extents(const std::string& text, const char* option);

[[nodiscard]] std::vector<std::byte> make_content(const BufferArgument& buffer, std::uint64_t seed);

/// FNV-1a, 64 bits: tells whether two runs left the same bytes.
[[nodiscard]] std::uint64_t checksum(const std::vector<std::byte>& bytes);

}  // namespace sassafras::cli
