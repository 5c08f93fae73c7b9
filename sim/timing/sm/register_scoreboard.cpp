#include "sim/timing/sm/register_scoreboard.hpp"

#include <algorithm>

#include "isa/sass/instruction.hpp"

namespace sassafras::sim {

namespace {

using File = isa::RegisterSpan::File;

constexpr std::uint16_t uniform_registers = 63;
constexpr std::uint16_t predicates = 7;

/// Vector registers come last, as a kernel has few of the 255.
std::uint16_t number_of(File file, std::uint32_t index) {
    std::uint32_t base = 0;
    switch (file) {
        case File::predicate: break;
        case File::uniform_predicate: base = predicates; break;
        case File::uniform: base = 2 * predicates; break;
        case File::vector: base = 2 * predicates + uniform_registers; break;
    }
    return static_cast<std::uint16_t>(base + index);
}

}  // namespace

RegisterDependences::RegisterDependences(const isa::Program& program) {
    uses_.reserve(program.instructions.size());
    for (const isa::Instruction& instruction : program.instructions) {
        const isa::RegisterUse use = isa::register_use(instruction);
        const std::size_t first = numbers_.size();
        const auto add = [&](const isa::RegisterSpan& span) {
            for (std::uint32_t i = 0; i < span.count; ++i) {
                const std::uint16_t number = number_of(span.file, span.first + i);
                const auto begin = numbers_.begin() + static_cast<std::ptrdiff_t>(first);
                if (std::find(begin, numbers_.end(), number) != numbers_.end()) continue;
                numbers_.push_back(number);
                register_count_ = std::max<std::uint32_t>(register_count_, number + 1U);
            }
        };
        for (std::size_t i = 0; i < use.write_count; ++i) add(use.writes[i]);
        const std::size_t written = numbers_.size() - first;
        for (std::size_t i = 0; i < use.read_count; ++i) add(use.reads[i]);
        uses_.push_back({.first = static_cast<std::uint32_t>(first),
                         .written = static_cast<std::uint16_t>(written),
                         .touched = static_cast<std::uint16_t>(numbers_.size() - first)});
    }
}

RegisterScoreboard::RegisterScoreboard(const RegisterDependences& dependences, std::size_t warps)
    : dependences_(dependences), registers_(warps * dependences.register_count()) {}

void RegisterScoreboard::clear(std::size_t warp) { std::fill_n(of(warp), dependences_.register_count(), Register{}); }

RegisterScoreboard::Wait RegisterScoreboard::wait(std::size_t warp, std::uint32_t pc) const {
    const Register* registers = of(warp);
    Wait wait;
    for (const std::uint16_t number : dependences_.touched(pc)) {
        const Register& one = registers[number];
        if (one.outstanding != 0) return {never, Stall::long_scoreboard};
        if (one.ready > wait.until) wait = {one.ready, one.reason};
    }
    return wait;
}

void RegisterScoreboard::written_at(std::size_t warp, std::uint32_t pc, std::uint64_t time, Stall reason) {
    Register* registers = of(warp);
    for (const std::uint16_t number : dependences_.written(pc))
        if (time > registers[number].ready) {
            registers[number].ready = time;
            registers[number].reason = reason;
        }
}

void RegisterScoreboard::hold(std::size_t warp, std::uint32_t pc) {
    Register* registers = of(warp);
    for (const std::uint16_t number : dependences_.written(pc)) ++registers[number].outstanding;
}

void RegisterScoreboard::release(std::size_t warp, std::uint32_t pc, std::uint64_t now) {
    Register* registers = of(warp);
    for (const std::uint16_t number : dependences_.written(pc)) {
        --registers[number].outstanding;
        registers[number].ready = std::max(registers[number].ready, now);
    }
}

}  // namespace sassafras::sim
