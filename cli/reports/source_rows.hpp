// The rows of a source page: a kernel's code without what fills it up.
#pragma once

#include <span>

#include "sim/device/device.hpp"

namespace sassafras::cli {

/// Behind the code stand NOPs up to a whole line of the cache.
[[nodiscard]] inline std::span<const sim::SourceRow> without_padding(std::span<const sim::SourceRow> rows) {
    while (!rows.empty() && rows.back().inst_executed == 0 && rows.back().instruction.opcode == isa::Opcode::NOP)
        rows = rows.first(rows.size() - 1);
    return rows;
}

}  // namespace sassafras::cli
