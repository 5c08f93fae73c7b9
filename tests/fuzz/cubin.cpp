// Any bytes given as a cubin: read it, build every kernel's program, print every instruction. Nothing may crash, hang
// or leak.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "isa/cubin/cubin.hpp"
#include "isa/cubin/line_info.hpp"
#include "isa/program/program.hpp"

using namespace sassafras;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto lines = isa::read_line_info({reinterpret_cast<const std::byte*>(data), size}, "fuzzed.cubin");
    if (!lines && (lines.error().what.empty() || lines.error().where.empty())) std::abort();
    const auto cubin = isa::read_cubin({reinterpret_cast<const std::byte*>(data), size}, "fuzzed.cubin");
    if (!cubin) {
        if (cubin.error().what.empty() || cubin.error().where.empty()) std::abort();
        return 0;
    }
    for (const isa::Kernel& kernel : cubin->kernels) {
        const auto program = isa::build_program(kernel);
        if (!program) {
            if (program.error().what.empty() || program.error().where.empty()) std::abort();
            continue;
        }
        for (std::size_t i = 0; i < program->instructions.size(); ++i)
            if (isa::print(program->instructions[i], i * isa::instruction_bytes).empty()) std::abort();
    }
    return 0;
}
