#include "sim/formats/accel_sim/traced_program.hpp"

#include <fmt/format.h>

#include "sim/formats/accel_sim/instruction_word.hpp"

namespace sassafras::sim::accel_sim {

namespace {

/// No kernel's code is larger by far; a damaged pc must not take the memory that its code would.
constexpr std::uint32_t most_code_bytes = 1U << 25U;
constexpr isa::Word128 nop{0x0000000000007918, 0x000fc00000000000};
constexpr isa::Word128 exit_word{0x000000000000794d, 0x000fc20003800000};

bool immediate_counts(std::string_view opcode) { return opcode.starts_with("DEPBAR"); }

}  // namespace

const TracedProgram::Site* TracedProgram::find(const InstructionLine& line) const {
    const std::uint32_t at = line.pc / isa::instruction_bytes;
    if (at >= sites_.size()) return nullptr;
    for (const Site& site : sites_[at])
        if (site.instruction == line.instruction &&
            (site.immediate == line.immediate || !immediate_counts(line.opcode)))
            return &site;
    return nullptr;
}

Result<void> TracedProgram::add(const InstructionLine& line) {
    if (line.pc % isa::instruction_bytes != 0 || line.pc >= most_code_bytes)
        return Error{
            ErrorKind::bad_input,
            fmt::format("pc {:#x} is no multiple of {} below {:#x}", line.pc, isa::instruction_bytes, most_code_bytes),
            "", "the trace is damaged, or of code for a GPU before sm_70"};
    if (find(line) != nullptr) return {};
    auto word = word_of(line);
    if (!word) return word.error();
    const std::uint32_t at = line.pc / isa::instruction_bytes;
    if (at >= sites_.size()) sites_.resize(std::size_t{at} + 1);
    if (!sites_[at].empty()) moved_.emplace_back(at, sites_[at].size());
    sites_[at].push_back({std::string(line.instruction), line.immediate, *word, at});
    return {};
}

void TracedProgram::finish() {
    code_.assign(sites_.size(), nop);
    for (std::size_t at = 0; at < sites_.size(); ++at)
        if (!sites_[at].empty()) code_[at] = sites_[at].front().word;
    for (const auto& [at, number] : moved_) {
        Site& site = sites_[at][number];
        site.index = static_cast<std::uint32_t>(code_.size());
        code_.push_back(site.word);
    }
    code_.push_back(exit_word);
}

std::uint32_t TracedProgram::index_of(const InstructionLine& line) const {
    const Site* site = find(line);
    require_invariant(site != nullptr, "an instruction that the first reading did not have");
    return site->index;
}

}  // namespace sassafras::sim::accel_sim
