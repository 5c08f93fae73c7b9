#include "isa/cubin/line_info.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/demangle.hpp"
#include "isa/cubin/elf.hpp"

namespace sassafras::isa {
namespace {

constexpr std::string_view section_name = ".debug_line";
constexpr std::size_t most_inlined = 64;  ///< deeper chains are damage

/// DWARF 2, 6.2.5.2 and 6.2.5.3.
namespace standard {
constexpr std::uint8_t copy = 1;
constexpr std::uint8_t advance_pc = 2;
constexpr std::uint8_t advance_line = 3;
constexpr std::uint8_t set_file = 4;
constexpr std::uint8_t const_add_pc = 8;
constexpr std::uint8_t fixed_advance_pc = 9;
}  // namespace standard
namespace extended {
constexpr std::uint8_t end_sequence = 1;
constexpr std::uint8_t set_address = 2;
constexpr std::uint8_t inlined_call = 0x90;
}  // namespace extended

/// Reads that never leave the section; after a failed one, `good` is false and values are 0.
class LineProgramReader {
  public:
    explicit LineProgramReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] bool at_end() const { return at_ >= bytes_.size(); }
    [[nodiscard]] std::uint64_t position() const { return at_; }
    void seek(std::uint64_t to) {
        good_ = good_ && to <= bytes_.size();
        at_ = good_ ? to : bytes_.size();
    }
    template <class T>
    T take() {
        good_ = good_ && in_range(at_, sizeof(T), bytes_.size());
        if (!good_) return 0;
        const T value = read_value<T>(bytes_, at_);
        at_ += sizeof(T);
        return value;
    }
    std::uint64_t take_unsigned() { return take_leb(nullptr); }
    std::int64_t take_signed() {
        unsigned bits = 0;
        std::uint64_t value = take_leb(&bits);
        if (bits < 64 && bits != 0 && (value >> (bits - 1) & 1U) != 0) value |= ~std::uint64_t{0} << bits;
        return static_cast<std::int64_t>(value);
    }
    std::string take_text() {
        std::string text;
        while (good_) {
            const auto c = static_cast<char>(take<std::uint8_t>());
            if (c == '\0') break;
            text += c;
        }
        return text;
    }

  private:
    std::uint64_t take_leb(unsigned* bits) {
        std::uint64_t value = 0;
        for (unsigned shift = 0; good_ && shift < 64; shift += 7) {
            const auto byte = take<std::uint8_t>();
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            if (bits != nullptr) *bits = shift + 7;
            if ((byte & 0x80U) == 0) return value;
        }
        good_ = false;
        return 0;
    }

    std::span<const std::byte> bytes_;
    std::uint64_t at_ = 0;
    bool good_ = true;
};

/// A row of the state machine.
struct Row {
    std::uint64_t pc = 0;
    std::uint64_t file = 1;
    std::int64_t line = 1;
    std::uint64_t call = 0;      ///< the row of the call, from 1; 0: not inlined
    std::uint64_t function = 0;  ///< of its name in .debug_str
};

struct Sequence {
    std::uint64_t address_at = 0;  ///< where in the section its address stands, for the relocation
    std::vector<Row> rows;
};

struct Header {
    std::uint8_t minimum_length = 1;
    std::int8_t line_base = 0;
    std::uint8_t line_range = 1;
    std::vector<std::uint8_t> operands;  ///< by standard opcode
    /// From 1, as `sources`; without folders.
    std::vector<std::string> files;
    std::vector<std::shared_ptr<const SourceFile>> sources;
};

std::string without_folders(const std::string& path) {
    const std::size_t slash = path.find_last_of("/\\");
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

/// One unit; nothing if it is damaged. The reader is left behind it.
std::optional<Header> read_header(LineProgramReader& in, std::uint64_t& end) {
    Header header;
    const auto length = in.take<std::uint32_t>();
    end = in.position() + length;
    const auto version = in.take<std::uint16_t>();
    const auto header_length = in.take<std::uint32_t>();
    const std::uint64_t program = in.position() + header_length;
    header.minimum_length = in.take<std::uint8_t>();
    (void)in.take<std::uint8_t>();  // is_stmt by default
    header.line_base = in.take<std::int8_t>();
    header.line_range = in.take<std::uint8_t>();
    const auto opcode_base = in.take<std::uint8_t>();
    if (!in.good() || version != 2 || header.line_range == 0 || opcode_base == 0) return std::nullopt;
    header.operands.push_back(0);
    for (std::uint8_t opcode = 1; opcode < opcode_base; ++opcode) header.operands.push_back(in.take<std::uint8_t>());
    std::vector<std::string> folders(1);  // from 1
    while (in.good()) {
        folders.push_back(in.take_text());
        if (folders.back().empty()) break;
    }
    header.files.emplace_back();
    header.sources.emplace_back();
    while (in.good()) {
        const std::string name = in.take_text();
        if (name.empty()) break;
        const std::uint64_t folder = in.take_unsigned();
        SourceFile source{.path = name, .modified = in.take_unsigned(), .bytes = in.take_unsigned()};
        if (folder < folders.size() && !folders[folder].empty() && !name.starts_with('/'))
            source.path = folders[folder] + "/" + name;
        header.files.push_back(without_folders(name));
        header.sources.push_back(std::make_shared<const SourceFile>(std::move(source)));
    }
    in.seek(program);
    if (!in.good()) return std::nullopt;
    return header;
}

/// False if the program is damaged.
bool run_program(LineProgramReader& in, std::uint64_t end, const Header& header, std::vector<Sequence>& sequences) {
    Row row;
    bool open = false;
    const auto emit = [&] {
        if (open) sequences.back().rows.push_back(row);
    };
    const auto opcode_base = static_cast<std::uint8_t>(header.operands.size());
    while (in.good() && in.position() < end) {
        const auto opcode = in.take<std::uint8_t>();
        if (opcode >= opcode_base) {
            const int adjusted = opcode - opcode_base;
            row.pc += static_cast<std::uint64_t>(adjusted / header.line_range) * header.minimum_length;
            row.line += header.line_base + adjusted % header.line_range;
            emit();
        } else if (opcode == 0) {
            const std::uint64_t length = in.take_unsigned();
            const std::uint64_t next = in.position() + length;
            if (length == 0 || next < in.position()) return false;
            const auto operation = in.take<std::uint8_t>();
            if (operation == extended::end_sequence) {
                row = {};
                open = false;
            } else if (operation == extended::set_address) {
                sequences.push_back({.address_at = in.position(), .rows = {}});
                open = true;
                row.pc = in.take<std::uint64_t>();
            } else if (operation == extended::inlined_call) {
                row.call = in.take_unsigned();
                row.function = in.take_unsigned();
            }
            in.seek(next);
        } else {
            switch (opcode) {
                case standard::copy: emit(); break;
                case standard::advance_pc: row.pc += in.take_unsigned() * header.minimum_length; break;
                case standard::advance_line: row.line += in.take_signed(); break;
                case standard::set_file: row.file = in.take_unsigned(); break;
                case standard::const_add_pc:
                    row.pc +=
                        static_cast<std::uint64_t>((255 - opcode_base) / header.line_range) * header.minimum_length;
                    break;
                case standard::fixed_advance_pc: row.pc += in.take<std::uint16_t>(); break;
                default:
                    for (std::uint8_t i = 0; i < header.operands[opcode]; ++i) (void)in.take_unsigned();
            }
        }
    }
    return in.good();
}

/// Nothing if a number in the row points nowhere.
std::optional<SourceLocation> location_of(const Sequence& sequence, const Row& row, const Header& header,
                                          std::span<const std::byte> names) {
    const auto file_of = [&](const Row& of) { return of.file < header.files.size() ? header.files[of.file] : ""; };
    SourceLocation location{.file = file_of(row), .line = static_cast<std::uint32_t>(row.line), .inlined = {}};
    if (row.file < header.sources.size()) location.source = header.sources[row.file];
    const Row* at = &row;
    while (at->call != 0) {
        if (at->call > sequence.rows.size() || at->function >= names.size() || location.inlined.size() >= most_inlined)
            return std::nullopt;
        LineProgramReader name(names);
        name.seek(at->function);
        std::string function = readable_function(name.take_text());
        const Row& call = sequence.rows[at->call - 1];
        location.inlined.push_back({std::move(function), file_of(call), static_cast<std::uint32_t>(call.line)});
        at = &call;
    }
    return location;
}

}  // namespace

Result<std::map<std::string, LineTable>> read_line_info(std::span<const std::byte> cubin, std::string_view origin) {
    auto file = ElfFile::open(cubin, origin);
    if (!file) return file.error();
    std::map<std::string, LineTable> tables;
    const ElfSection* section = file->find_section(section_name);
    if (section == nullptr) return tables;
    const ElfSection* names = file->find_section(".debug_str");
    const ElfSection* placed = file->find_section(".rela.debug_line");
    if (placed == nullptr) placed = file->find_section(".rel.debug_line");
    std::map<std::uint64_t, std::string> kernel_at;  // where an address stands -> the kernel that it is of
    if (placed != nullptr) {
        auto relocations = file->relocations(*placed);
        if (!relocations) return relocations.error();
        for (const ElfRelocation& relocation : *relocations) {
            const ElfSymbol& symbol = file->symbols()[relocation.symbol];
            std::string_view name = symbol.name;
            if (symbol.type == elf::symbol_section && symbol.section < file->sections().size())
                name = file->sections()[symbol.section].name;
            if (name.starts_with(elf::text_prefix)) name.remove_prefix(elf::text_prefix.size());
            kernel_at.emplace(relocation.offset, name);
        }
    }
    const Error damaged = file->fault("the table of lines is damaged, or not of DWARF 2", section_name,
                                      "make the cubin again with nvcc -lineinfo, or without it");
    LineProgramReader in(section->bytes);
    while (!in.at_end()) {
        std::uint64_t end = 0;
        const auto header = read_header(in, end);
        std::vector<Sequence> sequences;
        if (!header || end > section->bytes.size() || !run_program(in, end, *header, sequences)) return damaged;
        for (const Sequence& sequence : sequences) {
            const auto kernel = kernel_at.find(sequence.address_at);
            if (kernel == kernel_at.end()) continue;
            LineTable& table = tables[kernel->second];
            for (const Row& row : sequence.rows) {
                auto location =
                    location_of(sequence, row, *header, names == nullptr ? std::span<const std::byte>() : names->bytes);
                if (!location) return damaged;
                table.add(row.pc, std::move(*location));
            }
        }
    }
    return tables;
}

LineTable lines_of_code(const Kernel& kernel, const std::map<std::string, LineTable>& tables) {
    LineTable lines;
    if (const auto own = tables.find(kernel.name); own != tables.end()) lines = own->second;
    const std::string inside = "$" + kernel.name + "$";  // what is in the kernel's own section has its lines there
    for (const LocalFunction& function : kernel.functions) {
        if (function.name.starts_with(inside) || function.name == kernel.name) continue;
        lines.add(function.offset, {});  // it may have none
        const auto table = tables.find(function.name);
        if (table == tables.end()) continue;
        for (const auto& [pc, location] : table->second.rows())
            if (pc < function.size) lines.add(function.offset + pc, location);
    }
    return lines;
}

std::string readable_function(const std::string& mangled) {
    const std::string signature = demangled(mangled);
    if (signature == mangled) return mangled;
    std::string text;
    int depth = 0;
    for (const char c : signature) {
        const bool opens = c == '<' || c == '(';
        const bool closes = c == '>' || c == ')';
        if (opens) ++depth;
        if (depth == 0 && !closes) text += c;
        if (closes && depth > 0) --depth;
    }
    if (const std::size_t call = text.find("::operator"); call != std::string::npos) text.resize(call);
    if (const std::size_t qualifier = text.find(" const"); qualifier != std::string::npos) text.resize(qualifier);
    if (const std::size_t result = text.rfind(' '); result != std::string::npos) text.erase(0, result + 1);
    if (text.starts_with("_INTERNAL_"))
        if (const std::size_t end = text.find("::"); end != std::string::npos) text.erase(0, end + 2);
    return text;
}

}  // namespace sassafras::isa
