#include "sim/what_if/shortened_program.hpp"

#include <array>
#include <span>
#include <utility>

#include "isa/program/targets.hpp"
#include "isa/sass/fields.hpp"
#include "sim/what_if/stall_counts.hpp"

namespace sassafras::sim {

namespace {

using File = isa::RegisterSpan::File;

/// Waits of instructions that are gone, on their way to those that are left.
class PassedWaits {
  public:
    void leave_out(const isa::Instruction& gone) {
        const std::uint8_t waits = gone.control.wait_mask;
        // A value that is no longer put away is waited for by whoever would have fetched it, not by who puts it away:
        // with a register more it could come as late as that (probes/what_if.cu: 48 loads, of which each waited for the
        // one before).
        if (gone.opcode == isa::Opcode::STL) {
            put_away_.push_back({.place = place_of(gone), .use = isa::register_use(gone), .waits = waits});
            return;
        }
        next_ |= waits;
        if (gone.opcode != isa::Opcode::LDL) return;
        const Place fetched = place_of(gone);
        let_go([&](const Value& value) { return value.place.overlaps(fetched); });
    }
    /// What the next one that is left waits for, besides its own.
    std::uint8_t keep(const isa::Instruction& kept) {
        const isa::RegisterUse use = isa::register_use(kept);
        // Who reads it from its register still, or where code goes on elsewhere: nobody may fetch it there.
        const bool leaves = isa::ends_block(kept.opcode);
        let_go([&](const Value& value) { return leaves || value.is_read_by(use); });
        for (Value& value : put_away_) {
            value.in_register = value.in_register && !value.is_overwritten_by(use);
            // A scoreboard that another instruction takes: who waits for that one waits for both.
            for (const std::uint8_t taken : {kept.control.write_barrier, kept.control.read_barrier})
                value.waits = static_cast<std::uint8_t>(value.waits & ~(1U << taken));
        }
        return std::exchange(next_, std::uint8_t{0});
    }

  private:
    /// Bytes of local memory, by the address as it is written.
    struct Place {
        std::uint64_t base = 0;
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
        [[nodiscard]] bool overlaps(const Place& other) const {
            return base == other.base && offset < other.offset + other.bytes && other.offset < offset + bytes;
        }
    };
    struct Value {
        Place place;
        isa::RegisterUse use;  ///< of the store
        std::uint8_t waits = 0;
        bool in_register = true;

        [[nodiscard]] bool is_read_by(const isa::RegisterUse& other) const {
            return in_register && meets(std::span(other.reads).first(other.read_count));
        }
        [[nodiscard]] bool is_overwritten_by(const isa::RegisterUse& other) const {
            return meets(std::span(other.writes).first(other.write_count));
        }
        /// Whether one of the registers that hold it is among these.
        [[nodiscard]] bool meets(std::span<const isa::RegisterSpan> spans) const {
            constexpr std::uint8_t address_slot = 0;
            for (const isa::RegisterSpan& data : std::span(use.reads).first(use.read_count))
                for (const isa::RegisterSpan& span : spans)
                    if (data.slot != address_slot && data.file == File::vector && span.file == File::vector &&
                        span.first < data.first + data.count && data.first < span.first + span.count)
                        return true;
            return false;
        }
    };

    static Place place_of(const isa::Instruction& access) {
        constexpr std::array<std::uint64_t, 8> bytes{1, 1, 2, 2, 4, 8, 16, 16};
        return {.base = access.word.get(isa::fields::register_a),
                .offset = access.word.get(isa::fields::memory_offset),
                .bytes = bytes[access.word.get(isa::fields::access_size)]};
    }
    /// The next one waits for these.
    template <class Which>
    void let_go(const Which& which) {
        std::erase_if(put_away_, [&](const Value& value) {
            if (!which(value)) return false;
            next_ |= value.waits;
            return true;
        });
    }

    std::vector<Value> put_away_;
    std::uint8_t next_ = 0;
};

}  // namespace

ShortenedProgram shorten(const isa::Program& program, const WhatIf& what_if, const LatenciesOf& latencies_of) {
    isa::Program replaced = program;
    std::vector<bool> is_gone;
    is_gone.reserve(program.instructions.size());
    for (isa::Instruction& instruction : replaced.instructions) {
        is_gone.push_back(what_if.drops != nullptr && what_if.drops(instruction));
        if (what_if.replaces != nullptr) what_if.replaces(instruction);
    }
    const std::vector<std::uint8_t> stalls = stall_counts(program, is_gone, latencies_of(replaced));
    ShortenedProgram result;
    result.program.kernel = program.kernel;
    std::vector<isa::Instruction>& left = result.program.instructions;
    PassedWaits waits;
    for (std::size_t i = 0; i < replaced.instructions.size(); ++i) {
        result.kept_before.push_back(static_cast<std::uint32_t>(left.size()));
        const isa::Instruction& instruction = replaced.instructions[i];
        if (is_gone[i]) {
            waits.leave_out(instruction);
            continue;
        }
        left.push_back(instruction);
        left.back().control.stall = stalls[i];
        left.back().control.wait_mask |= waits.keep(instruction);
    }
    result.kept_before.push_back(static_cast<std::uint32_t>(left.size()));
    return result;
}

}  // namespace sassafras::sim
