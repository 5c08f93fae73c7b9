#include "isa/cubin/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <string_view>

#include "isa/cubin/relocation_field.hpp"

namespace sassafras::isa {
namespace {

constexpr std::uint64_t code_alignment = 128;
constexpr Word128 padding{0x0000000000007918U,
                          0x000fc00000000000U};  ///< the NOP with which ptxas fills the end of a function
constexpr std::uint64_t linked_code_limit = std::uint64_t{1} << 30U;  ///< bytes in all; real modules stay far below

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) { return (value + step - 1) / step * step; }

class Linker {
  public:
    Linker(const ElfFile& file, const KernelSections& kernels, Cubin& cubin)
        : file_(file), kernels_(kernels), cubin_(cubin) {}

    Result<void> link() {
        for (auto step : {&Linker::check_code, &Linker::read_relocations, &Linker::place_shared_functions,
                          &Linker::link_kernels, &Linker::link_module_data})
            if (auto done = (this->*step)(); !done) return done;
        return {};
    }

  private:
    using Layout = std::map<std::uint16_t, std::uint64_t>;  ///< section number -> byte offset into Kernel::code

    Result<void> check_code();
    Result<void> read_relocations();
    Result<void> place_shared_functions();
    Result<void> link_kernels();
    Result<void> link_module_data();
    Result<void> add_local_functions(const Layout& layout, Kernel& kernel) const;
    Result<void> patch_code(const Layout& layout, std::uint16_t section, Kernel& kernel);
    Result<void> patch_data(const Layout& layout, const std::string& section, std::vector<std::byte>& bytes);
    [[nodiscard]] Result<Layout> lay_out(std::uint16_t kernel_section) const;
    [[nodiscard]] std::optional<std::uint64_t> code_address(const Layout& layout,
                                                            const ElfRelocation& relocation) const;
    void record(Relocation::Kind kind, std::string section, std::uint64_t offset, const ElfRelocation& relocation);
    [[nodiscard]] Error unknown_type(const ElfRelocation& relocation, std::string_view section) const;
    [[nodiscard]] bool is_device_function(const ElfSymbol& symbol) const {
        return symbol.section != elf::undefined_section && symbol.section < file_.sections().size() &&
               is_text(file_.sections()[symbol.section]) && !kernels_.contains(symbol.section);
    }

    const ElfFile& file_;
    const KernelSections& kernels_;
    Cubin& cubin_;
    std::map<std::string, std::vector<ElfRelocation>, std::less<>>
        relocations_;  ///< by the name of the section that is patched
    std::map<std::uint16_t, std::vector<const ElfSymbol*>>
        functions_;  ///< by section: FUNC symbols that are not kernels
    Layout
        shared_;  ///< device functions at the same offset in every kernel; empty if no table of the module needs that
};

Error Linker::unknown_type(const ElfRelocation& relocation, std::string_view section) const {
    const ElfSymbol& symbol = file_.symbols()[relocation.symbol];
    if (kernels_.contains(symbol.section) && symbol.value == 0) {  // what device code wants with a kernel
        Error error = file_.fault(fmt::format("device code launches the kernel {} (dynamic parallelism), which is not "
                                              "modelled",
                                              symbol.name),
                                  section, "launch it from the host");
        error.kind = ErrorKind::not_modelled;
        return error;
    }
    Error error = file_.fault(fmt::format("relocation type {} (symbol {}, offset {:#x}) is not known", relocation.type,
                                          symbol.name, relocation.offset),
                              section, "compile without -rdc=true, or report the type");
    error.kind = ErrorKind::not_modelled;
    return error;
}

Result<void> Linker::check_code() {
    std::set<std::string_view> names;
    for (const ElfSection& section : file_.sections()) {
        if (!is_text(section)) continue;
        if (!names.insert(section.name).second) return file_.fault("there are two sections of this name", section.name);
        if (section.bytes.empty()) return file_.fault("there is no code", section.name);
        if (section.bytes.size() % sizeof(Word128) != 0)
            return file_.fault(
                fmt::format("{} bytes of code are not a multiple of {}", section.bytes.size(), sizeof(Word128)),
                section.name);
    }
    for (const ElfSymbol& symbol : file_.symbols()) {
        if (symbol.type != elf::symbol_function || symbol.section == elf::undefined_section ||
            symbol.section >= file_.sections().size())
            continue;
        const ElfSection& section = file_.sections()[symbol.section];
        if (!is_text(section)) continue;
        if (symbol.value % sizeof(Word128) != 0 || !in_range(symbol.value, symbol.size, section.bytes.size()))
            return file_.fault(fmt::format("function {} ({} bytes at {:#x}) is outside its section of {} bytes",
                                           symbol.name, symbol.size, symbol.value, section.bytes.size()),
                               section.name);
        const bool is_kernel = kernels_.contains(symbol.section) && symbol.value == 0;
        if (!is_kernel) functions_[symbol.section].push_back(&symbol);
    }
    return {};
}

Result<void> Linker::read_relocations() {
    for (const ElfSection& section : file_.sections()) {
        const std::string_view prefix = section.type == elf::section_rela ? ".rela" : ".rel";
        if (section.type != elf::section_rela && section.type != elf::section_rel) continue;
        if (section.name.substr(0, prefix.size()) != prefix || section.bytes.empty()) continue;
        const std::string_view target_name = section.name.substr(prefix.size());
        const bool matters = target_name.substr(0, elf::text_prefix.size()) == elf::text_prefix ||
                             target_name.substr(0, 12) == ".nv.constant" || target_name == ".nv.global.init";
        if (!matters) continue;  // debug information
        const ElfSection* target = file_.find_section(target_name);
        if (target == nullptr)
            return file_.fault(fmt::format("it patches {}, which does not exist", target_name), section.name);
        auto entries = file_.relocations(section);
        if (!entries) return entries.error();
        for (const ElfRelocation& relocation : *entries) {
            const std::uint64_t patched = is_text(*target) ? sizeof(Word128) : sizeof(std::uint64_t);
            if (!in_range(relocation.offset, patched, target->bytes.size()) ||
                (is_text(*target) && relocation.offset % sizeof(Word128) != 0))
                return file_.fault(fmt::format("a relocation at {:#x} is outside {}", relocation.offset, target_name),
                                   section.name);
        }
        if (section.type == elf::section_rel) {
            for (ElfRelocation& relocation : *entries) relocation.addend = addend_in_place(*target, relocation);
        }
        auto& list = relocations_[std::string(target_name)];
        list.insert(list.end(), entries->begin(), entries->end());
    }
    return {};
}

/// A table of function addresses in global memory has one value for all kernels, so the functions must have one place
/// in all.
Result<void> Linker::place_shared_functions() {
    bool needed = false;
    for (const auto& [section, list] : relocations_)
        if (section.substr(0, elf::text_prefix.size()) != elf::text_prefix)
            for (const ElfRelocation& relocation : list)
                needed = needed || is_device_function(file_.symbols()[relocation.symbol]);
    if (!needed) return {};
    std::uint64_t end = 0;
    for (const auto& [section, kernel] : kernels_)
        end = std::max<std::uint64_t>(end, file_.sections()[section].bytes.size());
    for (const auto& [section, symbols] : functions_) {
        if (kernels_.contains(section)) continue;
        end = round_up(end, code_alignment);
        shared_[section] = end;
        end += file_.sections()[section].bytes.size();
    }
    return {};
}

/// The kernel at 0, then every device function that it can reach, or all of them if they have fixed places.
Result<Linker::Layout> Linker::lay_out(std::uint16_t kernel_section) const {
    Layout layout = shared_;
    layout[kernel_section] = 0;
    if (!shared_.empty()) return layout;
    std::uint64_t end = file_.sections()[kernel_section].bytes.size();
    std::vector<std::uint16_t> to_visit{kernel_section};
    while (!to_visit.empty()) {
        const ElfSection& section = file_.sections()[to_visit.back()];
        to_visit.pop_back();
        const auto list = relocations_.find(section.name);
        if (list == relocations_.end()) continue;
        for (const ElfRelocation& relocation : list->second) {
            const ElfSymbol& symbol = file_.symbols()[relocation.symbol];
            if (!is_device_function(symbol) || layout.contains(symbol.section)) continue;
            end = round_up(end, code_alignment);
            layout[symbol.section] = end;
            end += file_.sections()[symbol.section].bytes.size();
            to_visit.push_back(symbol.section);
        }
    }
    return layout;
}

std::optional<std::uint64_t> Linker::code_address(const Layout& layout, const ElfRelocation& relocation) const {
    const ElfSymbol& symbol = file_.symbols()[relocation.symbol];
    const auto section = layout.find(symbol.section);
    if (symbol.section == elf::undefined_section || section == layout.end()) return std::nullopt;
    return section->second + symbol.value + static_cast<std::uint64_t>(relocation.addend);
}

Result<void> Linker::link_kernels() {
    std::uint64_t total = 0;
    for (const auto& [number, index] : kernels_) {
        Kernel& kernel = cubin_.kernels[index];
        const auto layout = lay_out(number);
        if (!layout) return layout.error();
        std::uint64_t end = 0;
        for (const auto& [section, offset] : *layout)
            end = std::max(end, offset + file_.sections()[section].bytes.size());
        total += end;
        if (total > linked_code_limit)
            return file_.fault(fmt::format("more than {} bytes of code", linked_code_limit),
                               file_.sections()[number].name);
        kernel.code.assign(end / sizeof(Word128), padding);
        for (const auto& [section, offset] : *layout) {
            const auto bytes = file_.sections()[section].bytes;
            for (std::uint64_t at = 0; at < bytes.size(); at += sizeof(Word128))
                kernel.code[(offset + at) / sizeof(Word128)] = {read_value<std::uint64_t>(bytes, at),
                                                                read_value<std::uint64_t>(bytes, at + 8)};
        }
        if (auto done = add_local_functions(*layout, kernel); !done) return done;
        for (const auto& [section, offset] : *layout)
            if (auto done = patch_code(*layout, section, kernel); !done) return done;
        for (auto& [bank, bytes] : kernel.constant_banks)
            if (auto done = patch_data(*layout, fmt::format(".nv.constant{}.{}", bank, kernel.name), bytes); !done)
                return done;
    }
    return {};
}

Result<void> Linker::add_local_functions(const Layout& layout, Kernel& kernel) const {
    for (const auto& [section, offset] : layout) {
        const auto symbols = functions_.find(section);
        if (symbols == functions_.end()) continue;
        for (const ElfSymbol* symbol : symbols->second)
            kernel.functions.push_back({std::string(symbol->name), offset + symbol->value, symbol->size});
    }
    std::sort(kernel.functions.begin(), kernel.functions.end(), [](const LocalFunction& a, const LocalFunction& b) {
        return a.offset != b.offset ? a.offset < b.offset : a.name < b.name;
    });
    return {};
}

Result<void> Linker::patch_code(const Layout& layout, std::uint16_t section, Kernel& kernel) {
    const ElfSection& text = file_.sections()[section];
    const auto list = relocations_.find(text.name);
    if (list == relocations_.end()) return {};
    for (const ElfRelocation& relocation : list->second) {
        const ElfSymbol& symbol = file_.symbols()[relocation.symbol];
        const std::uint64_t offset = layout.at(section) + relocation.offset;
        Word128& word = kernel.code[offset / sizeof(Word128)];
        const auto address = code_address(layout, relocation);
        switch (static_cast<RelocationType>(relocation.type)) {
            case RelocationType::address_low32:
            case RelocationType::address_high32: {
                const bool high = static_cast<RelocationType>(relocation.type) == RelocationType::address_high32;
                if (address) {
                    const std::uint64_t half = high ? *address >> 32U : *address & 0xffffffffU;
                    word.low = (word.low & 0xffffffffU) | (half << 32U);
                } else {
                    record(high ? Relocation::Kind::address_high32 : Relocation::Kind::address_low32,
                           std::string(elf::text_prefix) + kernel.name, offset + immediate_byte, relocation);
                }
                break;
            }
            case RelocationType::call_target_47:
            case RelocationType::call_target_55: {
                if (!address) {
                    kernel.unresolved_calls.push_back({std::string(symbol.name), offset});
                    break;
                }
                set_call_target(word, *address, cubin_.architecture);
                break;
            }
            default: return unknown_type(relocation, text.name);
        }
    }
    return {};
}

Result<void> Linker::patch_data(const Layout& layout, const std::string& section, std::vector<std::byte>& bytes) {
    const auto list = relocations_.find(section);
    if (list == relocations_.end()) return {};
    for (const ElfRelocation& relocation : list->second) {
        const auto type = static_cast<RelocationType>(relocation.type);
        if (type != RelocationType::address64 && type != RelocationType::generic_address64)
            return unknown_type(relocation, section);
        const ElfSymbol& symbol = file_.symbols()[relocation.symbol];
        if (const auto address = code_address(layout, relocation))
            std::memcpy(bytes.data() + relocation.offset, &*address, sizeof *address);
        else
            record(symbol.type == elf::symbol_function ? Relocation::Kind::function_address64
                                                       : Relocation::Kind::address64,
                   section, relocation.offset, relocation);
    }
    return {};
}

Result<void> Linker::link_module_data() {
    if (auto done = patch_data(shared_, ".nv.global.init", cubin_.global_initialised); !done) return done;
    for (auto& [bank, bytes] : cubin_.constant_banks)
        if (auto done = patch_data(shared_, fmt::format(".nv.constant{}", bank), bytes); !done) return done;
    return {};
}

/// Names the symbol so that Cubin::variables has exactly one entry for it: its own name, or the section's plus an
/// offset.
void Linker::record(Relocation::Kind kind, std::string section, std::uint64_t offset, const ElfRelocation& relocation) {
    const ElfSymbol& symbol = file_.symbols()[relocation.symbol];
    std::string name(symbol.name);
    std::int64_t addend = relocation.addend;
    auto& variables = cubin_.variables;
    const auto before = [](const DeviceVariable& a, const DeviceVariable& b) { return a.name < b.name; };
    const auto named = [&](const std::string& wanted) {
        return std::equal_range(variables.begin(), variables.end(), DeviceVariable{wanted, 0, 0, {}}, before);
    };
    const bool defined = symbol.section != elf::undefined_section && symbol.section < file_.sections().size();
    if (const auto [first, last] = named(name); defined && last - first != 1) {
        const ElfSection& home = file_.sections()[symbol.section];
        const auto space = home.name == ".nv.global"        ? std::optional(DeviceVariable::Space::global_zero)
                           : home.name == ".nv.global.init" ? std::optional(DeviceVariable::Space::global_initialised)
                           : home.name == ".nv.constant3"   ? std::optional(DeviceVariable::Space::constant3)
                                                            : std::nullopt;
        if (space) {
            name = home.name;
            addend = static_cast<std::int64_t>(static_cast<std::uint64_t>(addend) + symbol.value);
            if (const auto [at, end] = named(name); at == end) variables.insert(at, {name, 0, home.size, *space});
        }
    }
    cubin_.relocations.push_back({kind, std::move(section), offset, std::move(name), addend});
}

}  // namespace

Result<void> link_code(const ElfFile& file, const KernelSections& kernels, Cubin& cubin) {
    return Linker(file, kernels, cubin).link();
}

}  // namespace sassafras::isa
