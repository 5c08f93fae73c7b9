#include "isa/cubin/cubin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "isa/cubin/elf.hpp"
#include "isa/cubin/link.hpp"
#include "isa/cubin/nv_info.hpp"

namespace sassafras::isa {
namespace {

constexpr int supported_sm = 90;
constexpr std::uint8_t os_abi_cuda_13 = 0x41;    ///< e_flags bits 15..8 hold the SM; before (0x33), bits 7..0
constexpr std::uint8_t symbol_is_kernel = 0x10;  ///< st_other of an entry point
constexpr std::uint64_t reserved_shared = 0x400; ///< the driver's part of sm_90 shared memory, counted in .nv.shared.*
constexpr std::uint32_t unbounded_stack = 0xffffffff;   ///< what nvlink writes for recursion
constexpr std::uint64_t constant_bank_limit = 0x10000;  ///< bytes that an instruction can address (16-bit offset)
constexpr std::string_view text_prefix = ".text.";
constexpr std::string_view constant_prefix = ".nv.constant";

std::vector<std::byte> copy(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

Dim3 read_dim3(const InfoItem& item) { return {item.word(0), item.word(1), item.word(2)}; }

/// Builds a Cubin section by section; every step fails with the section it was in.
class Reader {
  public:
    explicit Reader(const ElfFile& file) : file_(file) {}

    Result<Cubin> read() {
        for (auto step : {&Reader::check_target, &Reader::check_volume, &Reader::find_kernels, &Reader::read_constants, &Reader::read_globals,
                          &Reader::read_module_info, &Reader::read_kernels})
            if (auto done = (this->*step)(); !done) return done.error();
        if (auto done = link_code(file_, kernel_sections_, cubin_); !done) return done.error();
        for (Kernel& kernel : cubin_.kernels)
            if (auto done = finish(kernel); !done) return done.error();
        std::sort(cubin_.kernels.begin(), cubin_.kernels.end(), [](const Kernel& a, const Kernel& b) { return a.name < b.name; });
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
    Result<void> read_kernel_info(Kernel& kernel, const ElfSection& section);
    Result<void> read_indirect_branches(Kernel& kernel, const ElfSection& section, const InfoItem& item);
    Result<void> finish(Kernel& kernel) const;
    Kernel* kernel_of_symbol(std::uint32_t symbol);

    const ElfFile& file_;
    Cubin cubin_;
    KernelSections kernel_sections_;
    std::map<std::string, std::size_t, std::less<>> kernel_by_name_;
};

Result<void> Reader::check_target() {
    const std::uint32_t flags = file_.flags();
    cubin_.sm = static_cast<int>(file_.os_abi() >= os_abi_cuda_13 ? (flags >> 8U) & 0xffU : flags & 0xffU);
    if (cubin_.sm != supported_sm)
        return file_.fault(fmt::format("the cubin is for sm_{}, the simulator runs sm_{}", cubin_.sm, supported_sm), "",
                           "compile it with nvcc -arch=sm_90 -cubin");
    if (file_.type() == elf::type_relocatable)
        return file_.fault("the cubin is relocatable, not linked", "", "link it with nvlink -arch=sm_90, or compile without -rdc=true");
    if (file_.type() != elf::type_executable) return file_.fault(fmt::format("ELF type {} is not an executable", file_.type()), "");
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
            return file_.fault(fmt::format("kernel {} is in section {}, which does not exist", symbol.name, symbol.section), ".symtab");
        const ElfSection& text = file_.sections()[symbol.section];
        if (text.name.substr(0, text_prefix.size()) != text_prefix || text.name.substr(text_prefix.size()) != symbol.name)
            return file_.fault(fmt::format("kernel {} is not in a section of its own name", symbol.name), text.name);
        if (!kernel_sections_.emplace(symbol.section, cubin_.kernels.size()).second || kernel_by_name_.contains(symbol.name))
            return file_.fault(fmt::format("kernel {} is defined twice", symbol.name), text.name);
        kernel_by_name_.emplace(symbol.name, cubin_.kernels.size());
        cubin_.kernels.emplace_back().name = symbol.name;
    }
    return {};
}

Result<void> Reader::read_constants() {
    for (const ElfSection& section : file_.sections()) {
        if (section.name.substr(0, constant_prefix.size()) != constant_prefix) continue;
        const std::string_view rest = section.name.substr(constant_prefix.size());
        int bank = 0;
        const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), bank);
        if (parsed.ec != std::errc{} || bank < 0 || bank > 31) return file_.fault("the name has no constant bank of 0 to 31", section.name);
        if (section.type == elf::section_nobits) return file_.fault("a constant bank without contents", section.name);
        if (section.bytes.size() > constant_bank_limit)
            return file_.fault(fmt::format("a constant bank of {} bytes exceeds {}", section.bytes.size(), constant_bank_limit), section.name);
        std::string_view owner = rest.substr(static_cast<std::size_t>(parsed.ptr - rest.data()));
        if (owner.empty()) {
            if (!cubin_.constant_banks.emplace(bank, copy(section.bytes)).second) return file_.fault("constant bank defined twice", section.name);
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
    if (const ElfSection* section = file_.find_section(".nv.global.init")) cubin_.global_initialised = copy(section->bytes);
    for (const ElfSymbol& symbol : file_.symbols()) {
        if (symbol.type != elf::symbol_object || symbol.section == elf::undefined_section || symbol.section >= file_.sections().size()) continue;
        const ElfSection& section = file_.sections()[symbol.section];
        const auto space = space_of(section.name);
        if (!space) continue;
        if (!in_range(symbol.value, symbol.size, section.size))
            return file_.fault(fmt::format("variable {} ({} bytes at {:#x}) is outside its section of {} bytes", symbol.name, symbol.size,
                                           symbol.value, section.size), section.name);
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
        if (!is_register_count && item.attribute != InfoAttribute::frame_size && item.attribute != InfoAttribute::min_stack_size) continue;
        Kernel* kernel = kernel_of_symbol(item.word(0));
        if (kernel == nullptr) continue;
        if (is_register_count)
            kernel->registers_per_thread = item.word(1);
        else
            kernel->local_per_thread = std::max(kernel->local_per_thread, item.word(1) == unbounded_stack ? default_stack_limit : Bytes{item.word(1)});
    }
    return {};
}

Result<void> Reader::read_kernels() {
    for (Kernel& kernel : cubin_.kernels) {
        const ElfSection* info = file_.find_section(".nv.info." + kernel.name);
        if (info == nullptr) return file_.fault(fmt::format("kernel {} has no .nv.info section", kernel.name), ".text." + kernel.name);
        if (auto done = read_kernel_info(kernel, *info); !done) return done;
        const std::string shared_name = ".nv.shared." + kernel.name;
        if (const ElfSection* shared = file_.find_section(shared_name); shared != nullptr && shared->size != 0) {
            if (shared->size < reserved_shared)
                return file_.fault(fmt::format("{} bytes do not hold the {} that sm_90 reserves", shared->size, reserved_shared), shared_name);
            kernel.static_shared = {shared->size - reserved_shared};
        }
    }
    return {};
}

Result<void> Reader::read_kernel_info(Kernel& kernel, const ElfSection& section) {
    const auto items = read_info_items(file_, section);
    if (!items) return items.error();
    for (const InfoItem& item : *items) {
        switch (item.attribute) {
            case InfoAttribute::max_threads: {
                const Dim3 bound = read_dim3(item);
                if (bound.x == 0 || bound.y == 0 || bound.z == 0 || bound.x > 1024 || bound.y > 1024 || bound.z > 1024 || bound.volume() > 1024)
                    return file_.fault(fmt::format("MAX_THREADS {}x{}x{} is not 1 to 1024 threads", bound.x, bound.y, bound.z), section.name);
                kernel.max_threads = static_cast<std::uint32_t>(bound.volume());
                break;
            }
            case InfoAttribute::required_block: kernel.required_block = read_dim3(item); break;
            case InfoAttribute::cta_per_cluster: kernel.required_cluster = read_dim3(item); break;
            case InfoAttribute::barrier_count: kernel.barrier_count = item.value; break;
            case InfoAttribute::param_cbank:
                kernel.parameter_base = item.half(2);
                kernel.parameter_bytes = item.half(3);
                break;
            case InfoAttribute::kernel_parameter:
                kernel.parameters.push_back({item.half(2), item.half(3), static_cast<std::uint16_t>(item.word(2) >> 18U)});
                break;
            case InfoAttribute::kernel_parameter_v2: {
                if (item.word(2) > 0xffffU) return file_.fault(fmt::format("a parameter of {} bytes", item.word(2)), section.name);
                kernel.parameters.push_back({item.half(2), item.half(3), static_cast<std::uint16_t>(item.word(2))});
                break;
            }
            case InfoAttribute::exit_offsets:
                if (item.payload.size() % 4 != 0) return file_.fault("EXIT_INSTR_OFFSETS is not a list of 32-bit offsets", section.name);
                for (std::uint64_t i = 0; i < item.payload.size() / 4; ++i) kernel.exit_offsets.push_back(item.word(i));
                break;
            case InfoAttribute::indirect_branch_targets:
                if (auto done = read_indirect_branches(kernel, section, item); !done) return done;
                break;
            default: break;
        }
    }
    return {};
}

Result<void> Reader::read_indirect_branches(Kernel& kernel, const ElfSection& section, const InfoItem& item) {
    constexpr std::uint64_t record_header_words = 3;
    const std::uint64_t words = item.payload.size() / 4;
    if (item.payload.size() % 4 != 0) return file_.fault("INDIRECT_BRANCH_TARGETS is not a list of 32-bit words", section.name);
    for (std::uint64_t at = 0; at < words;) {
        if (!in_range(at, record_header_words, words)) return file_.fault("INDIRECT_BRANCH_TARGETS is cut off", section.name);
        IndirectBranch branch{item.word(at), {}};
        const std::uint64_t count = item.word(at + 2);
        at += record_header_words;
        if (!in_range(at, count, words))
            return file_.fault(fmt::format("INDIRECT_BRANCH_TARGETS promises {} targets and has {}", count, words - at), section.name);
        for (std::uint64_t i = 0; i < count; ++i) branch.targets.push_back(item.word(at + i));
        at += count;
        kernel.indirect_branches.push_back(std::move(branch));
    }
    std::stable_sort(kernel.indirect_branches.begin(), kernel.indirect_branches.end(),
                     [](const IndirectBranch& a, const IndirectBranch& b) { return a.offset < b.offset; });
    return {};
}

/// What can be checked only once code and banks are there.
Result<void> Reader::finish(Kernel& kernel) const {
    const std::string info = ".nv.info." + kernel.name;
    const std::uint64_t code_bytes = kernel.code.size() * sizeof(Word128);
    if (kernel.registers_per_thread == 0 || kernel.registers_per_thread > 255)
        return file_.fault(fmt::format("kernel {} has a register count (REGCOUNT) of {}, not 1 to 255", kernel.name, kernel.registers_per_thread),
                           ".nv.info");
    std::sort(kernel.parameters.begin(), kernel.parameters.end(),
              [](const KernelParameter& a, const KernelParameter& b) { return a.ordinal < b.ordinal; });
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const KernelParameter& parameter = kernel.parameters[i];
        if (parameter.ordinal != i) return file_.fault(fmt::format("parameter {} is missing or given twice", i), info);
        if (!in_range(parameter.offset, parameter.size, kernel.parameter_bytes))
            return file_.fault(fmt::format("parameter {} ({} bytes at {}) is outside the {} bytes of parameters", i, parameter.size,
                                           parameter.offset, kernel.parameter_bytes), info);
    }
    if (const auto bank = kernel.constant_banks.find(0);
        bank != kernel.constant_banks.end() && !in_range(kernel.parameter_base, kernel.parameter_bytes, bank->second.size()))
        return file_.fault(fmt::format("{} bytes of parameters at {:#x} are outside constant bank 0 of {} bytes", kernel.parameter_bytes,
                                       kernel.parameter_base, bank->second.size()), info);
    const auto is_code = [&](std::uint64_t offset) { return offset % sizeof(Word128) == 0 && offset < code_bytes; };
    for (const std::uint32_t offset : kernel.exit_offsets)
        if (!is_code(offset)) return file_.fault(fmt::format("EXIT offset {:#x} is not an instruction of the kernel", offset), info);
    for (const IndirectBranch& branch : kernel.indirect_branches) {
        if (!is_code(branch.offset)) return file_.fault(fmt::format("indirect branch {:#x} is not an instruction of the kernel", branch.offset), info);
        for (const std::uint32_t target : branch.targets)
            if (!is_code(target))
                return file_.fault(fmt::format("target {:#x} of the indirect branch at {:#x} is not an instruction", target, branch.offset), info);
    }
    const auto is_the_programs = [](const LocalFunction& function) { return function.name.compare(0, 12, "$__internal_") != 0; };
    if (std::any_of(kernel.functions.begin(), kernel.functions.end(), is_the_programs))
        kernel.local_per_thread = std::max(kernel.local_per_thread, default_stack_limit);
    return {};
}

}  // namespace

const Kernel* Cubin::find(std::string_view name) const {
    const auto at = std::lower_bound(kernels.begin(), kernels.end(), name, [](const Kernel& kernel, std::string_view wanted) { return kernel.name < wanted; });
    return at != kernels.end() && at->name == name ? &*at : nullptr;
}

Result<Cubin> read_cubin(std::span<const std::byte> bytes, std::string_view origin) {
    const auto file = ElfFile::open(bytes, origin);
    if (!file) return file.error();
    return Reader(*file).read();
}

}  // namespace sassafras::isa
