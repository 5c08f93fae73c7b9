// Kernel arguments as the command line spells them: i32:5, f32:1.5, buffer:4096:iota, file:keys.npy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/array_file/element_type.hpp"
#include "core/result.hpp"
#include "core/types.hpp"

namespace sassafras::study {

struct BufferArgument {
    enum class Content : std::uint8_t {
        zero,
        iota,    ///< 32-bit words 0, 1, 2, ...
        random,  ///< bytes from the seed
        file,    ///< a file's numbers, then zeros
    };
    std::optional<Bytes> size;  ///< none: as large as the file's numbers
    Content content = Content::zero;
    std::string file;
    std::string output = {};               ///< file that is written after the launch; empty for none
    std::optional<ElementType> type = {};  ///< of the numbers there, if it is said
};

/// Little-endian bytes of a number, or a buffer whose address is passed.
using LaunchArgument = std::variant<std::vector<std::byte>, BufferArgument>;

/// Types: i32 u32 i64 u64 f32 f64 buffer file. Integers are decimal or 0x hexadecimal and must fit. Behind a buffer or
/// file, :out=FILE or :out=FILE:TYPE says where it goes.
[[nodiscard]] Result<LaunchArgument> parse_launch_argument(const std::string& text);

/// "X", "X,Y" or "X,Y,Z". `option` names it in errors.
[[nodiscard]] Result<Dim3> parse_extents(const std::string& text, const char* option);

/// Of the buffer. Error bad_input: its file is not there or is damaged.
[[nodiscard]] Result<Bytes> size_of(const BufferArgument& buffer);
/// FNV-1a, 64 bits, of bytes that come piece by piece.
class Checksum {
  public:
    void add(std::span<const std::byte> bytes);
    void add_zeros(Bytes count);
    [[nodiscard]] std::uint64_t value() const { return hash_; }

  private:
    std::uint64_t hash_ = 0xcbf29ce484222325U;
};

}  // namespace sassafras::study
