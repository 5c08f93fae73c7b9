// Which source line a shared-memory instruction comes from. A cubin that was made with -lineinfo says so itself. Those
// of the workloads have no table of lines (hardware records name their bytes), so scripts/build-cubins compiles each a
// second time with -lineinfo, which leaves the code as it is, and keeps what is asked for here in NAME.lines beside
// NAME.cubin.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "isa/cubin/cubin.hpp"
#include "isa/cubin/line_info.hpp"

namespace sassafras::study {

struct SourceLine {
    isa::SourceLocation location;
    std::string text;  ///< of the line, without indentation; empty if the source is not at hand
};

struct KernelLines {
    std::uint64_t code_hash = 0;  ///< hash_of_code() of the kernel that the lines are of
    /// By pc; from there to the next, for shared-memory instructions only. No file: the line is not known.
    std::map<std::uint64_t, SourceLine> at;

    /// Nothing if the instruction's line is not known.
    [[nodiscard]] const SourceLine* find(std::uint64_t pc) const {
        const auto after = at.upper_bound(pc);
        if (after == at.begin() || std::prev(after)->second.location.file.empty()) return nullptr;
        return &std::prev(after)->second;
    }
};
/// By name: one kernel of each in a cubin; a program of several may have as many of one name, of different code.
using LinesByKernel = std::multimap<std::string, KernelLines, std::less<>>;

/// Those of the kernel of this name and this code; with code 0, the first of the name. Nothing if there are none.
[[nodiscard]] const KernelLines* find_lines(const LinesByKernel& lines, std::string_view kernel,
                                            std::uint64_t code_hash = 0);

/// "file:line", and with its callers "a.cu:3 < a.cu:9": the lines that call what was inlined there, innermost first.
[[nodiscard]] std::string place_of(const isa::SourceLocation& location, bool with_callers);

[[nodiscard]] std::uint64_t hash_of_code(const isa::Kernel& kernel);

/// True for what may access shared memory: the instructions that the tables list.
[[nodiscard]] bool may_access_shared(const isa::Kernel& kernel, std::size_t instruction);

/// A .lines file. Format: lines of fields that tabs separate,
///   L file line text [function file line]...    a location, numbered from 0; calls innermost first
///   K kernel hash                               what follows is of this kernel
///   I pc location                               from this pc on, both hexadecimal and decimal
[[nodiscard]] Result<LinesByKernel> parse_lines(std::string_view text, std::string_view origin);
[[nodiscard]] std::string format_lines(const LinesByKernel& lines);

/// The tables of all embedded kernels; names of kernels are unique.
[[nodiscard]] Result<LinesByKernel> embedded_lines();

/// Of every kernel of a cubin; the source's text is not looked for. Without -lineinfo kernels have no lines.
[[nodiscard]] Result<LinesByKernel> lines_of(std::span<const std::byte> bytes, std::string_view origin);

}  // namespace sassafras::study
