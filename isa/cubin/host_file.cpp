#include "isa/cubin/host_file.hpp"

#include <algorithm>
#include <utility>

#include "isa/cubin/elf.hpp"
#include "isa/cubin/fat_binary.hpp"

namespace sassafras::isa {

namespace {

/// What nvcc's code calls before main for each source file, with the file's device code.
constexpr std::string_view registering = "__cudaRegisterFatBinary";
constexpr std::string_view code_section = ".nv_fatbin";
constexpr std::string_view unlinked_section = "__nv_relfatbin";
/// A wrapper for each source file with device code, and one more in what nvcc links.
constexpr std::string_view wrapper_section = ".nvFatBinSegment";
constexpr std::uint64_t wrapper_bytes = 24;

/// Containers stand behind one another, each at a multiple of 8.
Result<std::vector<std::span<const std::byte>>> containers(std::span<const std::byte> bytes, std::string_view origin) {
    std::vector<std::span<const std::byte>> found;
    while (bytes.size() >= fat_header_bytes) {
        const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
        if (std::all_of(bytes.begin(), bytes.begin() + 8, is_zero)) {
            bytes = bytes.subspan(8);
            continue;
        }
        const auto size = fat_binary_size(bytes, origin);
        if (!size) return size.error();
        const std::uint64_t whole = std::min<std::uint64_t>(*size, bytes.size());
        found.push_back(bytes.first(whole));
        bytes = bytes.subspan(std::min<std::uint64_t>((whole + 7) / 8 * 8, bytes.size()));
    }
    return found;
}

/// Where the function is: in this file, in a library, or nowhere that can be seen.
struct Registering {
    bool is_inside = false;
    bool is_elsewhere = false;
};

Result<Registering> find_registering(const ElfFile& file) {
    Registering found;
    for (const ElfSection& section : file.sections()) {
        if (section.type != elf::section_symbol_table && section.type != elf::section_dynamic_symbols) continue;
        const auto symbols = file.symbols_in(section);
        if (!symbols) return symbols.error();
        for (const ElfSymbol& symbol : *symbols) {
            if (symbol.name != registering) continue;
            (symbol.section == elf::undefined_section ? found.is_elsewhere : found.is_inside) = true;
        }
    }
    return found;
}

}  // namespace

bool HostFile::needs(std::string_view library) const {
    return std::any_of(needed.begin(), needed.end(),
                       [&](const std::string& name) { return name.starts_with(library); });
}

Result<HostFile> read_host_file(std::span<const std::byte> bytes, std::string_view origin) {
    const auto file = ElfFile::open_host(bytes, origin);
    if (!file) return file.error();
    HostFile read;
    auto needed = file->needed();
    if (!needed) return needed.error();
    read.needed = std::move(*needed);
    if (const ElfSection* code = file->find_section(code_section)) {
        auto found = containers(code->bytes, origin);
        if (!found) return found.error();
        read.fat_binaries = std::move(*found);
    }
    read.has_unlinked_code = file->type() == elf::type_relocatable && file->find_section(unlinked_section) != nullptr;
    const auto where = find_registering(*file);
    if (!where) return where.error();
    // A stripped file does not say what is inside; but one with device code of its own calls the function.
    const ElfSection* wrappers = file->find_section(wrapper_section);
    const bool registers = wrappers != nullptr && wrappers->size > wrapper_bytes;
    read.has_runtime_inside =
        file->type() != elf::type_relocatable && !where->is_elsewhere && (where->is_inside || registers);
    return read;
}

}  // namespace sassafras::isa
