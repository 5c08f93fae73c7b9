#include "sim/execute/coverage.hpp"

#include "sim/execute/lowering.hpp"

namespace sassafras::sim {

std::vector<bool> modelled_instructions(const isa::Program& program) {
    constexpr std::size_t bank_bytes = 65536;  // constants of any offset can be read; their values do not matter
    constexpr std::size_t bank_count = 32;
    Launch launch;
    launch.program = &program;
    launch.banks.assign(bank_count, std::vector<std::byte>(bank_bytes));
    Lowering(program, launch).run();
    std::vector<bool> modelled;
    for (std::size_t index = 0; index < program.instructions.size(); ++index)
        modelled.push_back(launch.ops[index].control != Control::not_modelled);
    return modelled;
}

}  // namespace sassafras::sim
