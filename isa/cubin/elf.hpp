// A bounds-checked view of a 64-bit little-endian ELF file. It owns nothing: the bytes must outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/result.hpp"

namespace sassafras::isa {

/// True if [offset, offset + size) lies within `total` bytes; never overflows.
[[nodiscard]] constexpr bool in_range(std::uint64_t offset, std::uint64_t size, std::uint64_t total) {
    return offset <= total && size <= total - offset;
}

/// Reads a little-endian value. The caller has checked the range; a broken check throws.
template <class T>
[[nodiscard]] T read_value(std::span<const std::byte> bytes, std::uint64_t offset) {
    static_assert(std::is_trivially_copyable_v<T>);
    require_invariant(in_range(offset, sizeof(T), bytes.size()), "read_value: the range was not checked");
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

struct ElfSection {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint32_t link = 0;
    std::uint32_t info = 0;
    std::uint64_t size = 0;  ///< bytes; for NOBITS, bytes in memory
    std::uint64_t alignment = 0;
    std::span<const std::byte> bytes;  ///< empty for NOBITS
};

struct ElfSymbol {
    std::string_view name;
    std::uint8_t type = 0;   ///< STT_*
    std::uint8_t other = 0;  ///< st_other: NVIDIA's flags
    std::uint16_t section = 0;
    std::uint64_t value = 0;  ///< offset into the section
    std::uint64_t size = 0;
};

struct ElfRelocation {
    std::uint64_t offset = 0;
    std::uint32_t type = 0;
    std::uint32_t symbol = 0;  ///< index; checked against the symbol table
    std::int64_t addend = 0;
};

/// ELF constants that a cubin needs (System V ABI, chapter 4).
namespace elf {
inline constexpr std::string_view text_prefix = ".text.";  ///< of the name of a kernel's section
inline constexpr std::uint16_t type_relocatable = 1;
inline constexpr std::uint16_t type_executable = 2;
inline constexpr std::uint16_t machine_cuda = 190;
inline constexpr std::uint32_t section_symbol_table = 2;
inline constexpr std::uint32_t section_rela = 4;
inline constexpr std::uint32_t section_nobits = 8;
inline constexpr std::uint32_t section_dynamic = 6;
inline constexpr std::uint32_t section_rel = 9;
inline constexpr std::uint32_t section_dynamic_symbols = 11;
inline constexpr std::uint16_t undefined_section = 0;
inline constexpr std::uint8_t symbol_object = 1;
inline constexpr std::uint8_t symbol_function = 2;
inline constexpr std::uint8_t symbol_section = 3;
}  // namespace elf

[[nodiscard]] bool begins_as_elf(std::span<const std::byte> bytes);

class ElfFile {
  public:
    /// `origin` names the file in errors. Fails (bad_input) if it is not an ELF or any table or section is out of
    /// range.
    [[nodiscard]] static Result<ElfFile> open(std::span<const std::byte> bytes, std::string_view origin);
    /// The same of a file of any other machine; its symbols are read on demand, as a stripped one has none.
    [[nodiscard]] static Result<ElfFile> open_host(std::span<const std::byte> bytes, std::string_view origin);

    [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }
    [[nodiscard]] std::uint16_t type() const { return type_; }
    [[nodiscard]] std::uint16_t machine() const { return machine_; }
    [[nodiscard]] std::uint32_t flags() const { return flags_; }
    [[nodiscard]] std::uint8_t os_abi() const { return os_abi_; }
    [[nodiscard]] const std::vector<ElfSection>& sections() const { return sections_; }
    [[nodiscard]] const std::vector<ElfSymbol>& symbols() const { return symbols_; }
    [[nodiscard]] const ElfSection* find_section(std::string_view name) const;
    /// Of a table of symbols; fails if it, its names or one of them is out of range.
    [[nodiscard]] Result<std::vector<ElfSymbol>> symbols_in(const ElfSection& table) const;
    /// The libraries that the loader brings (DT_NEEDED).
    [[nodiscard]] Result<std::vector<std::string>> needed() const;
    /// The entries of a .rela or .rel section; fails if one names a symbol that does not exist.
    [[nodiscard]] Result<std::vector<ElfRelocation>> relocations(const ElfSection& section) const;

    /// An Error bad_input about this file; `section` may be empty.
    [[nodiscard]] Error fault(std::string what, std::string_view section, std::string remedy = {}) const;

  private:
    /// All but the machine and the symbols.
    [[nodiscard]] static Result<ElfFile> open_any(std::span<const std::byte> bytes, std::string_view origin);
    [[nodiscard]] Result<void> read_sections(std::span<const std::byte> bytes);
    [[nodiscard]] Result<void> read_symbols();

    std::string origin_;
    std::uint64_t file_bytes_ = 0;
    std::uint16_t type_ = 0;
    std::uint16_t machine_ = 0;
    std::uint32_t flags_ = 0;
    std::uint8_t os_abi_ = 0;
    std::vector<ElfSection> sections_;
    std::vector<ElfSymbol> symbols_;
    std::map<std::string_view, std::size_t> section_by_name_;  ///< the first of each name
};

}  // namespace sassafras::isa
