#include "isa/cubin/elf.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <optional>
#include <utility>

namespace sassafras::isa {
namespace {

static_assert(std::endian::native == std::endian::little, "read_value copies little-endian fields");

// Field offsets of Elf64_Ehdr, Elf64_Shdr, Elf64_Sym, Elf64_Rel and Elf64_Rela.
namespace header {
constexpr std::uint64_t bytes = 64;
constexpr std::uint64_t os_abi = 7;
constexpr std::uint64_t type = 16;
constexpr std::uint64_t machine = 18;
constexpr std::uint64_t segment_offset = 32;
constexpr std::uint64_t section_offset = 40;
constexpr std::uint64_t flags = 48;
constexpr std::uint64_t segment_entry_bytes = 54;
constexpr std::uint64_t segment_count = 56;
constexpr std::uint64_t section_entry_bytes = 58;
constexpr std::uint64_t section_count = 60;
constexpr std::uint64_t section_names = 62;
}  // namespace header
constexpr std::uint64_t section_header_bytes = 64;
constexpr std::uint64_t symbol_bytes = 24;
constexpr std::uint64_t rel_bytes = 16;
constexpr std::uint64_t rela_bytes = 24;
constexpr std::uint16_t extended_index = 0xffff;

constexpr const char* remake = "the file is truncated or damaged; make it again with nvcc -arch=sm_90 -cubin";

/// The zero-terminated string at `offset`, or nothing if it runs out of the table.
std::optional<std::string_view> string_at(std::span<const std::byte> table, std::uint64_t offset) {
    if (offset >= table.size()) return std::nullopt;
    const char* start = reinterpret_cast<const char*>(table.data()) + offset;
    const auto* end = static_cast<const char*>(std::memchr(start, 0, table.size() - offset));
    if (end == nullptr) return std::nullopt;
    return std::string_view(start, static_cast<std::size_t>(end - start));
}

constexpr const char* give_a_cubin = "give a cubin, as nvcc -arch=sm_90 -cubin makes it";

}  // namespace

bool begins_as_elf(std::span<const std::byte> bytes) {
    constexpr std::array magic{std::byte{0x7f}, std::byte{'E'}, std::byte{'L'}, std::byte{'F'}};
    return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

Error ElfFile::fault(std::string what, std::string_view section, std::string remedy) const {
    std::string where = origin_;
    if (!section.empty()) where += fmt::format(", section {}", section);
    return {ErrorKind::bad_input, std::move(what), std::move(where), remedy.empty() ? remake : std::move(remedy)};
}

Result<ElfFile> ElfFile::open_any(std::span<const std::byte> bytes, std::string_view origin) {
    ElfFile file;
    file.origin_ = origin;
    file.file_bytes_ = bytes.size();
    if (bytes.empty()) return file.fault("the file is empty", "");
    if (!begins_as_elf(bytes)) return file.fault("not an ELF file", "", give_a_cubin);
    if (bytes.size() < header::bytes)
        return file.fault(fmt::format("the ELF header needs {} bytes, the file has {}", header::bytes, bytes.size()),
                          "");
    if (bytes[4] != std::byte{2} || bytes[5] != std::byte{1})
        return file.fault("not a 64-bit little-endian ELF file", "", give_a_cubin);
    file.os_abi_ = read_value<std::uint8_t>(bytes, header::os_abi);
    file.type_ = read_value<std::uint16_t>(bytes, header::type);
    file.machine_ = read_value<std::uint16_t>(bytes, header::machine);
    file.flags_ = read_value<std::uint32_t>(bytes, header::flags);
    return file;
}

Result<ElfFile> ElfFile::open(std::span<const std::byte> bytes, std::string_view origin) {
    auto file = open_any(bytes, origin);
    if (!file) return file;
    if (file->machine_ != elf::machine_cuda)
        return file->fault(fmt::format("ELF machine {} is not an NVIDIA GPU ({})", file->machine_, elf::machine_cuda),
                           "",
                           "give a cubin, not a host object; extract one with cuobjdump -xelf all, or use nvcc -cubin");
    // The segments are not used, but they are what nvcc writes last: a file without them is cut short.
    const std::uint64_t segment_bytes = std::uint64_t{read_value<std::uint16_t>(bytes, header::segment_count)} *
                                        read_value<std::uint16_t>(bytes, header::segment_entry_bytes);
    if (!in_range(read_value<std::uint64_t>(bytes, header::segment_offset), segment_bytes, bytes.size()))
        return file->fault("the table of segments is out of range", "");
    if (auto read = file->read_sections(bytes); !read) return read.error();
    if (auto read = file->read_symbols(); !read) return read.error();
    return file;
}

Result<ElfFile> ElfFile::open_host(std::span<const std::byte> bytes, std::string_view origin) {
    auto file = open_any(bytes, origin);
    if (!file) return file;
    if (auto read = file->read_sections(bytes); !read) return read.error();
    return file;
}

Result<void> ElfFile::read_sections(std::span<const std::byte> bytes) {
    const auto table = read_value<std::uint64_t>(bytes, header::section_offset);
    std::uint64_t count = read_value<std::uint16_t>(bytes, header::section_count);
    std::uint64_t names_index = read_value<std::uint16_t>(bytes, header::section_names);
    if (table == 0) return fault("there is no section table", "");
    if (read_value<std::uint16_t>(bytes, header::section_entry_bytes) != section_header_bytes)
        return fault("section headers are not 64 bytes each", "");
    if (!in_range(table, section_header_bytes, bytes.size())) return fault("the section table is out of range", "");
    // More than 65,279 sections: the real numbers are in the first header.
    if (count == 0) count = read_value<std::uint64_t>(bytes, table + 32);
    if (names_index == extended_index) names_index = read_value<std::uint32_t>(bytes, table + 40);
    if (count > bytes.size() / section_header_bytes || !in_range(table, count * section_header_bytes, bytes.size()))
        return fault(fmt::format("the table of {} sections is out of range", count), "");
    if (names_index >= count)
        return fault(fmt::format("section name table {} of {} does not exist", names_index, count), "");

    sections_.resize(count);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t at = table + i * section_header_bytes;
        ElfSection& section = sections_[i];
        section.type = read_value<std::uint32_t>(bytes, at + 4);
        section.size = read_value<std::uint64_t>(bytes, at + 32);
        section.link = read_value<std::uint32_t>(bytes, at + 40);
        section.info = read_value<std::uint32_t>(bytes, at + 44);
        section.alignment = read_value<std::uint64_t>(bytes, at + 48);
        if (section.type == elf::section_nobits || section.type == 0) continue;
        const auto offset = read_value<std::uint64_t>(bytes, at + 24);
        if (!in_range(offset, section.size, bytes.size()))
            return fault(fmt::format("section {} (offset {:#x}, {} bytes) is out of range of the file's {} bytes", i,
                                     offset, section.size, bytes.size()),
                         "");
        section.bytes = bytes.subspan(offset, section.size);
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto name = read_value<std::uint32_t>(bytes, table + i * section_header_bytes);
        if (sections_[i].type == 0) continue;
        const auto text = string_at(sections_[names_index].bytes, name);
        if (!text) return fault(fmt::format("the name of section {} is out of range", i), "");
        sections_[i].name = *text;
        section_by_name_.emplace(*text, i);
    }
    return {};
}

Result<void> ElfFile::read_symbols() {
    const ElfSection* table = nullptr;
    for (const ElfSection& section : sections_)
        if (section.type == elf::section_symbol_table) {
            if (table != nullptr) return fault("there is more than one symbol table", section.name);
            table = &section;
        }
    if (table == nullptr) return fault("there is no symbol table", "");
    auto symbols = symbols_in(*table);
    if (!symbols) return symbols.error();
    symbols_ = std::move(*symbols);
    return {};
}

Result<std::vector<ElfSymbol>> ElfFile::symbols_in(const ElfSection& table) const {
    if (table.bytes.size() % symbol_bytes != 0) return fault("the size is not a multiple of 24 bytes", table.name);
    if (table.link >= sections_.size()) return fault("its string table does not exist", table.name);
    const std::span<const std::byte> names = sections_[table.link].bytes;
    std::vector<ElfSymbol> symbols(table.bytes.size() / symbol_bytes);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
        const std::uint64_t at = i * symbol_bytes;
        ElfSymbol& symbol = symbols[i];
        const auto name = string_at(names, read_value<std::uint32_t>(table.bytes, at));
        if (!name) return fault(fmt::format("the name of symbol {} is out of range", i), table.name);
        symbol.name = *name;
        symbol.type = static_cast<std::uint8_t>(read_value<std::uint8_t>(table.bytes, at + 4) & 0xfU);
        symbol.other = read_value<std::uint8_t>(table.bytes, at + 5);
        symbol.section = read_value<std::uint16_t>(table.bytes, at + 6);
        symbol.value = read_value<std::uint64_t>(table.bytes, at + 8);
        symbol.size = read_value<std::uint64_t>(table.bytes, at + 16);
    }
    return symbols;
}

Result<std::vector<std::string>> ElfFile::needed() const {
    constexpr std::uint64_t entry_bytes = 16;
    constexpr std::uint64_t tag_needed = 1;
    std::vector<std::string> names;
    for (const ElfSection& section : sections_) {
        if (section.type != elf::section_dynamic) continue;
        if (section.link >= sections_.size()) return fault("its string table does not exist", section.name);
        for (std::uint64_t at = 0; in_range(at, entry_bytes, section.bytes.size()); at += entry_bytes) {
            if (read_value<std::uint64_t>(section.bytes, at) != tag_needed) continue;
            const auto name =
                string_at(sections_[section.link].bytes, read_value<std::uint64_t>(section.bytes, at + 8));
            if (!name) return fault("the name of a library is out of range", section.name);
            names.emplace_back(*name);
        }
    }
    return names;
}

const ElfSection* ElfFile::find_section(std::string_view name) const {
    const auto found = section_by_name_.find(name);
    return found == section_by_name_.end() ? nullptr : &sections_[found->second];
}

Result<std::vector<ElfRelocation>> ElfFile::relocations(const ElfSection& section) const {
    const bool with_addend = section.type == elf::section_rela;
    const std::uint64_t entry = with_addend ? rela_bytes : rel_bytes;
    if (section.bytes.size() % entry != 0)
        return fault(fmt::format("the size is not a multiple of {} bytes", entry), section.name);
    std::vector<ElfRelocation> relocations(section.bytes.size() / entry);
    for (std::size_t i = 0; i < relocations.size(); ++i) {
        const std::uint64_t at = i * entry;
        ElfRelocation& relocation = relocations[i];
        relocation.offset = read_value<std::uint64_t>(section.bytes, at);
        relocation.type = read_value<std::uint32_t>(section.bytes, at + 8);
        relocation.symbol = read_value<std::uint32_t>(section.bytes, at + 12);
        if (with_addend) relocation.addend = read_value<std::int64_t>(section.bytes, at + 16);
        if (relocation.symbol >= symbols_.size())
            return fault(fmt::format("relocation {} names symbol {} of {}", i, relocation.symbol, symbols_.size()),
                         section.name);
    }
    return relocations;
}

}  // namespace sassafras::isa
