#include "isa/cubin/kernel_info.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "isa/cubin/nv_info.hpp"

namespace sassafras::isa {
namespace {

Dim3 read_dim3(const InfoItem& item) { return {item.word(0), item.word(1), item.word(2)}; }

Result<void> read_indirect_branches(const ElfFile& file, const ElfSection& section, const InfoItem& item,
                                    Kernel& kernel) {
    constexpr std::uint64_t record_header_words = 3;
    const std::uint64_t words = item.payload.size() / 4;
    if (item.payload.size() % 4 != 0)
        return file.fault("INDIRECT_BRANCH_TARGETS is not a list of 32-bit words", section.name);
    for (std::uint64_t at = 0; at < words;) {
        if (!in_range(at, record_header_words, words))
            return file.fault("INDIRECT_BRANCH_TARGETS is cut off", section.name);
        IndirectBranch branch{item.word(at), {}};
        const std::uint64_t count = item.word(at + 2);
        at += record_header_words;
        if (!in_range(at, count, words))
            return file.fault(fmt::format("INDIRECT_BRANCH_TARGETS promises {} targets and has {}", count, words - at),
                              section.name);
        for (std::uint64_t i = 0; i < count; ++i) branch.targets.push_back(item.word(at + i));
        at += count;
        kernel.indirect_branches.push_back(std::move(branch));
    }
    std::stable_sort(kernel.indirect_branches.begin(), kernel.indirect_branches.end(),
                     [](const IndirectBranch& a, const IndirectBranch& b) { return a.offset < b.offset; });
    return {};
}

}  // namespace

Result<void> read_kernel_info(const ElfFile& file, const ElfSection& section, Kernel& kernel) {
    const auto items = read_info_items(file, section);
    if (!items) return items.error();
    for (const InfoItem& item : *items) {
        switch (item.attribute) {
            case InfoAttribute::max_threads: {
                const Dim3 bound = read_dim3(item);
                if (bound.x == 0 || bound.y == 0 || bound.z == 0 || bound.x > 1024 || bound.y > 1024 ||
                    bound.z > 1024 || bound.volume() > 1024)
                    return file.fault(
                        fmt::format("MAX_THREADS {}x{}x{} is not 1 to 1024 threads", bound.x, bound.y, bound.z),
                        section.name);
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
                kernel.parameters.push_back(
                    {item.half(2), item.half(3), static_cast<std::uint16_t>(item.word(2) >> 18U)});
                break;
            case InfoAttribute::kernel_parameter_v2: {
                if (item.word(2) > 0xffffU)
                    return file.fault(fmt::format("a parameter of {} bytes", item.word(2)), section.name);
                kernel.parameters.push_back({item.half(2), item.half(3), static_cast<std::uint16_t>(item.word(2))});
                break;
            }
            case InfoAttribute::exit_offsets:
                if (item.payload.size() % 4 != 0)
                    return file.fault("EXIT_INSTR_OFFSETS is not a list of 32-bit offsets", section.name);
                for (std::uint64_t i = 0; i < item.payload.size() / 4; ++i) kernel.exit_offsets.push_back(item.word(i));
                break;
            case InfoAttribute::warp_wide_offsets:
                for (std::uint64_t i = 0; i < item.payload.size() / 4; ++i)
                    kernel.warp_wide_offsets.push_back(item.word(i));
                break;
            case InfoAttribute::indirect_branch_targets:
                if (auto done = read_indirect_branches(file, section, item, kernel); !done) return done;
                break;
            default: break;
        }
    }
    return {};
}

Result<void> check_kernel(const ElfFile& file, Kernel& kernel) {
    const std::string info = ".nv.info." + kernel.name;
    const std::uint64_t code_bytes = kernel.code.size() * sizeof(Word128);
    if (kernel.registers_per_thread == 0 || kernel.registers_per_thread > 255)
        return file.fault(fmt::format("kernel {} has a register count (REGCOUNT) of {}, not 1 to 255", kernel.name,
                                      kernel.registers_per_thread),
                          ".nv.info");
    std::sort(kernel.parameters.begin(), kernel.parameters.end(),
              [](const KernelParameter& a, const KernelParameter& b) { return a.ordinal < b.ordinal; });
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const KernelParameter& parameter = kernel.parameters[i];
        if (parameter.ordinal != i) return file.fault(fmt::format("parameter {} is missing or given twice", i), info);
        if (!in_range(parameter.offset, parameter.size, kernel.parameter_bytes))
            return file.fault(fmt::format("parameter {} ({} bytes at {}) is outside the {} bytes of parameters", i,
                                          parameter.size, parameter.offset, kernel.parameter_bytes),
                              info);
    }
    if (const auto bank = kernel.constant_banks.find(0);
        bank != kernel.constant_banks.end() &&
        !in_range(kernel.parameter_base, kernel.parameter_bytes, bank->second.size()))
        return file.fault(fmt::format("{} bytes of parameters at {:#x} are outside constant bank 0 of {} bytes",
                                      kernel.parameter_bytes, kernel.parameter_base, bank->second.size()),
                          info);
    const auto is_code = [&](std::uint64_t offset) { return offset % sizeof(Word128) == 0 && offset < code_bytes; };
    for (const std::uint32_t offset : kernel.exit_offsets)
        if (!is_code(offset))
            return file.fault(fmt::format("EXIT offset {:#x} is not an instruction of the kernel", offset), info);
    for (const IndirectBranch& branch : kernel.indirect_branches) {
        if (!is_code(branch.offset))
            return file.fault(fmt::format("indirect branch {:#x} is not an instruction of the kernel", branch.offset),
                              info);
        for (const std::uint32_t target : branch.targets)
            if (!is_code(target))
                return file.fault(fmt::format("target {:#x} of the indirect branch at {:#x} is not an instruction",
                                              target, branch.offset),
                                  info);
    }
    const auto is_the_programs = [](const LocalFunction& function) {
        return function.name.compare(0, 12, "$__internal_") != 0;
    };
    if (std::any_of(kernel.functions.begin(), kernel.functions.end(), is_the_programs))
        kernel.local_per_thread = std::max(kernel.local_per_thread, default_stack_limit);
    return {};
}

}  // namespace sassafras::isa
