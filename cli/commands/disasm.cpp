#include <fmt/format.h>

#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/options/option_values.hpp"
#include "cli/options/options.hpp"
#include "core/printable.hpp"
#include "core/whole_file.hpp"
#include "isa/cubin/cubin.hpp"
#include "isa/program/program.hpp"
#include "isa/sass/instruction.hpp"
#include "sim/device/parameter_area.hpp"

namespace sassafras::cli {

namespace {

struct DisasmOptions {
    std::string cubin;
    std::string kernel;
    bool control = false;
};

/// "B0-----:R1:W2:Y:S04": scoreboards waited for, set when sources are read, set when the result is there; yield hint;
/// stall cycles.
std::string control_text(const isa::ControlCode& control) {
    constexpr int no_barrier = 7;
    constexpr int scoreboards = 6;
    std::string waits;
    for (int barrier = 0; barrier < scoreboards; ++barrier)
        waits += (control.wait_mask >> barrier & 1) != 0 ? static_cast<char>('0' + barrier) : '-';
    const auto barrier_text = [](char letter, int barrier) {
        return barrier == no_barrier ? fmt::format("{}-", letter) : fmt::format("{}{}", letter, barrier);
    };
    return fmt::format("B{}:{}:{}:{}:S{:02}", waits, barrier_text('R', control.read_barrier),
                       barrier_text('W', control.write_barrier), control.stay ? '-' : 'Y', control.stall);
}

std::string listing(const isa::Kernel& kernel, bool control, std::size_t& unknown) {
    std::string text = fmt::format("\t.headerflags\t@\"EF_CUDA_SM{}\"\n.text.{}:\n",
                                   isa::layout_of(kernel.architecture).sm, kernel.name);
    for (std::size_t index = 0; index < kernel.code.size(); ++index) {
        const isa::Word128& word = kernel.code[index];
        const std::uint64_t pc = index * isa::instruction_bytes;
        const auto decoded = isa::decode(word, kernel.architecture);
        if (!decoded) ++unknown;
        // nvdisasm prints an unknown word as data as well.
        const std::string sass =
            decoded ? isa::print(*decoded, pc) : fmt::format(".dword {:#018x}, {:#018x}", word.low, word.high);
        if (control) {
            text += fmt::format("        /*{:04x}*/  {}  {:<64} /* {:#018x} */\n{:99}/* {:#018x} */\n", pc,
                                control_text(isa::control_code(word)), sass + " ;", word.low, "", word.high);
        } else {
            text += fmt::format("        /*{:04x}*/                   {} ;\n", pc, sass);
        }
    }
    return text;
}

Result<int> disasm(const DisasmOptions& options, const Console& console) {
    auto bytes = read_whole_file(options.cubin, most_code_bytes);
    if (!bytes) return bytes.error();
    auto cubin = isa::read_cubin(*bytes, options.cubin);
    if (!cubin) return cubin.error();
    std::string text;
    std::size_t unknown = 0;
    if (!options.kernel.empty()) {
        const isa::Kernel* kernel = cubin->find(options.kernel);
        if (kernel == nullptr) return sim::unknown_kernel(*cubin, options.kernel, options.cubin);
        text = listing(*kernel, options.control, unknown);
    } else {
        for (const auto& kernel : cubin->kernels) text += listing(kernel, options.control, unknown) + "\n";
    }
    if (auto printed = console.print(for_terminal(text)); !printed) return printed.error();
    if (unknown != 0)
        return Error{ErrorKind::not_modelled,
                     std::to_string(unknown) + " instructions cannot be decoded; they are printed as .dword",
                     options.cubin,
                     {}};
    return 0;
}

}  // namespace

void add_disasm(CLI::App& app, Program& program) {
    auto options = std::make_shared<DisasmOptions>();
    CLI::App* command = app.add_subcommand("disasm", "Print the instructions of a cubin as nvdisasm does");
    command->add_option("cubin", options->cubin, "cubin of sm_75, 80, 86, 89 or 90")->required();
    command->add_option("--kernel", options->kernel, "only this kernel (mangled name)")
        ->check(not_empty("a kernel's mangled name"));
    command->add_flag("--control", options->control, "with control codes and the 128-bit words");
    command->callback(
        [options, &program] { program.chosen = [options, &program] { return disasm(*options, *program.console); }; });
}

}  // namespace sassafras::cli
