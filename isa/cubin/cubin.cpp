#include "isa/cubin/cubin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "isa/cubin/elf.hpp"
#include "isa/cubin/kernel_info.hpp"
#include "isa/cubin/link.hpp"
#include "isa/cubin/nv_info.hpp"

namespace sassafras::isa {
namespace {

constexpr std::uint8_t os_abi_cuda_13 = 0x41;           ///< e_flags bits 15..8 hold the SM; before (0x33), bits 7..0
constexpr std::uint8_t symbol_is_kernel = 0x10;         ///< st_other of an entry point
constexpr std::uint32_t unbounded_stack = 0xffffffff;   ///< what nvlink writes for recursion
constexpr std::uint64_t constant_bank_limit = 0x10000;  ///< bytes that an instruction can address (16-bit offset)
constexpr std::string_view constant_prefix = ".nv.constant";

std::vector<std::byte> copy(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

/// Builds a Cubin section by section; every step fails with the section it was in.
class Reader {
  public:
    explicit Reader(const ElfFile& file) : file_(file) {}

    Result<Cubin> read() {
        for (auto step : {&Reader::check_target, &Reader::check_volume, &Reader::find_kernels, &Reader::read_constants,
                          &Reader::read_globals, &Reader::read_module_info, &Reader::read_kernels})
            if (auto done = (this->*step)(); !done) return done.error();
        if (auto done = link_code(file_, kernel_sections_, cubin_); !done) return done.error();
        for (Kernel& kernel : cubin_.kernels)
            if (auto done = check_kernel(file_, kernel); !done) return done.error();
        std::sort(cubin_.kernels.begin(), cubin_.kernels.end(),
                  [](const Kernel& a, const Kernel& b) { return a.name < b.name; });
        return std::move(cubin_);
    }

  private:
    Result<void> check_target();
    Result<void> check_volume();
    Result<void> find_kernels();
    Result<void> read_constants();
    Result<void> read_globals();
    Result<void> read_module_info();
    Result<void> read_kernels();
    Kernel* kernel_of_symbol(std::uint32_t symbol);

    const ElfFile& file_;
    Cubin cubin_;
    KernelSections kernel_sections_;
    std::map<std::string, std::size_t, std::less<>> kernel_by_name_;
};

Result<void> Reader::check_target() {
    const std::uint32_t flags = file_.flags();
    const auto sm = static_cast<int>(file_.os_abi() >= os_abi_cuda_13 ? (flags >> 8U) & 0xffU : flags & 0xffU);
    const auto architecture = architecture_of(sm);
    if (!architecture) {
        std::string known;
        for (const ArchitectureLayout& layout : architecture_layouts)
            known += fmt::format("{}{}", known.empty() ? "" : ", ", layout.sm);
        return file_.fault(fmt::format("the cubin is for sm_{}, the simulator runs sm_{}", sm, known), "",
                           "compile it with nvcc -arch=sm_90 -cubin");
    }
    cubin_.architecture = *architecture;
    if (file_.type() == elf::type_relocatable)
        return file_.fault("the cubin is relocatable, not linked", "",
                           "link it with nvlink -arch=sm_90, or compile without -rdc=true");
    if (file_.type() != elf::type_executable)
        return file_.fault(fmt::format("ELF type {} is not an executable", file_.type()), "");
    return {};
}

/// Sections that overlap could make a small file ask for any amount of memory.
Result<void> Reader::check_volume() {
    std::uint64_t total = 0;
    for (const ElfSection& section : file_.sections()) total += section.bytes.size();
    if (total > file_.file_bytes()) return file_.fault("sections overlap", "");
    return {};
}

Result<void> Reader::find_kernels() {
    for (const ElfSymbol& symbol : file_.symbols()) {
        if (symbol.type != elf::symbol_function || (symbol.other & symbol_is_kernel) == 0) continue;
        if (symbol.section == elf::undefined_section) continue;
        if (symbol.section >= file_.sections().size())
            return file_.fault(
                fmt::format("kernel {} is in section {}, which does not exist", symbol.name, symbol.section),
                ".symtab");
        const ElfSection& text = file_.sections()[symbol.section];
        if (text.name.substr(0, elf::text_prefix.size()) != elf::text_prefix ||
            text.name.substr(elf::text_prefix.size()) != symbol.name)
            return file_.fault(fmt::format("kernel {} is not in a section of its own name", symbol.name), text.name);
        if (!kernel_sections_.emplace(symbol.section, cubin_.kernels.size()).second ||
            kernel_by_name_.contains(symbol.name))
            return file_.fault(fmt::format("kernel {} is defined twice", symbol.name), text.name);
        kernel_by_name_.emplace(symbol.name, cubin_.kernels.size());
        Kernel& kernel = cubin_.kernels.emplace_back();
        kernel.name = symbol.name;
        kernel.architecture = cubin_.architecture;
        kernel.parameter_base = layout_of(cubin_.architecture).parameters;
    }
    return {};
}

Result<void> Reader::read_constants() {
    for (const ElfSection& section : file_.sections()) {
        if (section.name.substr(0, constant_prefix.size()) != constant_prefix) continue;
        const std::string_view rest = section.name.substr(constant_prefix.size());
        int bank = 0;
        const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), bank);
        if (parsed.ec != std::errc{} || bank < 0 || bank > 31)
            return file_.fault("the name has no constant bank of 0 to 31", section.name);
        if (section.type == elf::section_nobits) return file_.fault("a constant bank without contents", section.name);
        if (section.bytes.size() > constant_bank_limit)
            return file_.fault(
                fmt::format("a constant bank of {} bytes exceeds {}", section.bytes.size(), constant_bank_limit),
                section.name);
        std::string_view owner = rest.substr(static_cast<std::size_t>(parsed.ptr - rest.data()));
        if (owner.empty()) {
            if (!cubin_.constant_banks.emplace(bank, copy(section.bytes)).second)
                return file_.fault("constant bank defined twice", section.name);
            continue;
        }
        owner.remove_prefix(1);
        const auto kernel = kernel_by_name_.find(owner);
        if (kernel == kernel_by_name_.end())
            return Error{ErrorKind::not_modelled, "a constant bank belongs to a function that is not a kernel",
                         file_.fault("", section.name).where, "compile without -rdc=true"};
        if (!cubin_.kernels[kernel->second].constant_banks.emplace(bank, copy(section.bytes)).second)
            return file_.fault("constant bank defined twice", section.name);
    }
    return {};
}

Result<void> Reader::read_globals() {
    const auto space_of = [](std::string_view section) -> std::optional<DeviceVariable::Space> {
        if (section == ".nv.global") return DeviceVariable::Space::global_zero;
        if (section == ".nv.global.init") return DeviceVariable::Space::global_initialised;
        if (section == ".nv.constant3") return DeviceVariable::Space::constant3;
        return std::nullopt;
    };
    if (const ElfSection* section = file_.find_section(".nv.global")) cubin_.global_zero = {section->size};
    if (const ElfSection* section = file_.find_section(".nv.global.init"))
        cubin_.global_initialised = copy(section->bytes);
    for (const ElfSymbol& symbol : file_.symbols()) {
        if (symbol.type != elf::symbol_object || symbol.section == elf::undefined_section ||
            symbol.section >= file_.sections().size())
            continue;
        const ElfSection& section = file_.sections()[symbol.section];
        const auto space = space_of(section.name);
        if (!space) continue;
        if (!in_range(symbol.value, symbol.size, section.size))
            return file_.fault(fmt::format("variable {} ({} bytes at {:#x}) is outside its section of {} bytes",
                                           symbol.name, symbol.size, symbol.value, section.size),
                               section.name);
        cubin_.variables.push_back({std::string(symbol.name), symbol.value, symbol.size, *space});
    }
    std::stable_sort(cubin_.variables.begin(), cubin_.variables.end(),
                     [](const DeviceVariable& a, const DeviceVariable& b) { return a.name < b.name; });
    return {};
}

Kernel* Reader::kernel_of_symbol(std::uint32_t symbol) {
    if (symbol >= file_.symbols().size()) return nullptr;
    const ElfSymbol& entry = file_.symbols()[symbol];
    if (entry.type != elf::symbol_function || (entry.other & symbol_is_kernel) == 0) return nullptr;
    const auto found = kernel_sections_.find(entry.section);
    return found == kernel_sections_.end() ? nullptr : &cubin_.kernels[found->second];
}

/// .nv.info: registers and stack of every function; only the kernels' matter.
Result<void> Reader::read_module_info() {
    const ElfSection* section = file_.find_section(".nv.info");
    if (section == nullptr) {
        if (cubin_.kernels.empty()) return {};
        return file_.fault("there is no .nv.info section", "");
    }
    const auto items = read_info_items(file_, *section);
    if (!items) return items.error();
    for (const InfoItem& item : *items) {
        const bool is_register_count = item.attribute == InfoAttribute::register_count;
        if (!is_register_count && item.attribute != InfoAttribute::frame_size &&
            item.attribute != InfoAttribute::min_stack_size)
            continue;
        Kernel* kernel = kernel_of_symbol(item.word(0));
        if (kernel == nullptr) continue;
        if (is_register_count)
            kernel->registers_per_thread = item.word(1);
        else
            kernel->local_per_thread = std::max(
                kernel->local_per_thread, item.word(1) == unbounded_stack ? default_stack_limit : Bytes{item.word(1)});
    }
    return {};
}

Result<void> Reader::read_kernels() {
    for (Kernel& kernel : cubin_.kernels) {
        const ElfSection* info = file_.find_section(".nv.info." + kernel.name);
        if (info == nullptr)
            return file_.fault(fmt::format("kernel {} has no .nv.info section", kernel.name), ".text." + kernel.name);
        if (auto done = read_kernel_info(file_, *info, kernel); !done) return done;
        const std::string shared_name = ".nv.shared." + kernel.name;
        if (const ElfSection* shared = file_.find_section(shared_name); shared != nullptr && shared->size != 0) {
            const std::uint64_t reserved_shared = layout_of(cubin_.architecture).reserved_shared_bytes;
            if (shared->size < reserved_shared)
                return file_.fault(fmt::format("{} bytes do not hold the {} that {} reserves", shared->size,
                                               reserved_shared, name_of(cubin_.architecture)),
                                   shared_name);
            kernel.static_shared = {shared->size - reserved_shared};
        }
    }
    return {};
}

}  // namespace

const Kernel* Cubin::find(std::string_view name) const {
    const auto at =
        std::lower_bound(kernels.begin(), kernels.end(), name,
                         [](const Kernel& kernel, std::string_view wanted) { return kernel.name < wanted; });
    return at != kernels.end() && at->name == name ? &*at : nullptr;
}

Result<Cubin> read_cubin(std::span<const std::byte> bytes, std::string_view origin) {
    const auto file = ElfFile::open(bytes, origin);
    if (!file) return file.error();
    return Reader(*file).read();
}

}  // namespace sassafras::isa
