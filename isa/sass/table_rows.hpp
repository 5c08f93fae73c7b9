// The rows of the opcode table: the entries of the instruction list, one row an operand form.
#pragma once

#include <array>

#include "isa/sass/instruction_list.hpp"

namespace sassafras::isa::table {

constexpr std::size_t row_count() {
    std::size_t count = 0;
    for (const Entry& entry : entries) count += entry.operands.count();
    return count;
}

constexpr std::array<OpcodeRow, row_count()> build_rows() {
    std::array<OpcodeRow, row_count()> rows{};
    std::size_t next = 0;
    for (const Entry& entry : entries) {
        for (std::size_t i = 0; i < entry.operands.count(); ++i) {
            const OperandForm& form = entry.operands.form(i);
            rows[next++] = {.key = static_cast<std::uint16_t>(form.nibble | entry.key),
                            .opcode = entry.opcode,
                            .form = entry.encoding,
                            .sources = form.sources,
                            .second_port = form.second_port,
                            .properties = entry.properties,
                            .destination = entry.destination,
                            .pipe = entry.pipe,
                            .latency = entry.latency,
                            .since = entry.first,
                            .until = entry.last};
        }
    }
    return rows;
}

inline constexpr auto rows = build_rows();

}  // namespace sassafras::isa::table
