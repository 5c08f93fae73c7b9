// What the instruction list says of an operation whatever its form.
#include <algorithm>
#include <array>
#include <cstddef>

#include "isa/sass/instruction.hpp"
#include "isa/sass/instruction_list.hpp"

namespace sassafras::isa {
namespace {

constexpr std::size_t opcode_count = static_cast<std::size_t>(Opcode::count_);

struct Traits {
    const char* mnemonic = "invalid";
    bool accesses_memory = false;
    Opcode vector_twin = Opcode::invalid;
};

constexpr std::array<Traits, opcode_count> build_traits() {
    std::array<Traits, opcode_count> traits{};
    for (std::size_t i = 1; i < opcode_count; ++i) traits[i].mnemonic = opcode_names[i];
    for (const table::Entry& entry : table::entries) {
        Traits& of = traits[static_cast<std::size_t>(entry.opcode)];
        if (entry.mnemonic != nullptr) of.mnemonic = entry.mnemonic;
        if (entry.vector_twin != Opcode::invalid) of.vector_twin = entry.vector_twin;
        of.accesses_memory = of.accesses_memory || (entry.properties & accesses_memory) != 0;
    }
    return traits;
}
constexpr std::array<Traits, opcode_count> all_traits = build_traits();

constexpr bool entries_agree() {
    return std::all_of(std::begin(table::entries), std::end(table::entries), [](const table::Entry& entry) {
        const bool accesses = (entry.properties & accesses_memory) != 0;
        return accesses == all_traits[static_cast<std::size_t>(entry.opcode)].accesses_memory;
    });
}
static_assert(entries_agree(), "some entries of an operation access memory and some do not");

const Traits& traits_of(Opcode opcode) {
    const auto index = static_cast<std::size_t>(opcode);
    return all_traits[index < opcode_count ? index : 0];
}

}  // namespace

const char* mnemonic(Opcode opcode) { return traits_of(opcode).mnemonic; }

bool is_memory_access(Opcode opcode) { return traits_of(opcode).accesses_memory; }

Opcode vector_equivalent(Opcode opcode) { return traits_of(opcode).vector_twin; }

}  // namespace sassafras::isa
