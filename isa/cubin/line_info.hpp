// Which line of which source file an instruction comes from: the .debug_line of a cubin that nvcc made with -lineinfo.
// Format: DWARF 2 (section 6.2), one sequence a kernel, whose address a relocation gives, and NVIDIA's extended opcode
// 0x90, by which a row names the row of the call that it was inlined at and the inlined function (LLVM's
// DW_LNE_inlined_call; docs/isa.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "isa/cubin/cubin.hpp"

namespace sassafras::isa {

/// A function that was inlined, and the line that calls it.
struct InlinedCall {
    std::string function;  ///< as readable_function() makes it
    std::string file;      ///< of the call; its name without folders
    std::uint32_t line = 0;
    friend bool operator==(const InlinedCall&, const InlinedCall&) = default;
};

/// A source as the compiler found it.
struct SourceFile {
    std::string path;            ///< with its folder, which nvcc makes absolute
    std::uint64_t modified = 0;  ///< seconds since 1970; 0: not said
    std::uint64_t bytes = 0;     ///< 0: not said
};

struct SourceLocation {
    std::string file;  ///< its name without folders
    std::uint32_t line = 0;
    std::vector<InlinedCall> inlined;               ///< innermost first
    std::shared_ptr<const SourceFile> source = {};  ///< of `file`; nothing if it is not known
    /// Names and lines count: where the files lie says nothing of the code.
    friend bool operator==(const SourceLocation& a, const SourceLocation& b) {
        return a.line == b.line && a.file == b.file && a.inlined == b.inlined;
    }
};

/// The locations of one kernel.
class LineTable {
  public:
    /// From `pc` (bytes) on, up to the next row.
    void add(std::uint64_t pc, SourceLocation location) { rows_[pc] = std::move(location); }
    /// Nothing before the first row, and where a row has no file.
    [[nodiscard]] const SourceLocation* find(std::uint64_t pc) const {
        const auto after = rows_.upper_bound(pc);
        if (after == rows_.begin() || std::prev(after)->second.file.empty()) return nullptr;
        return &std::prev(after)->second;
    }
    [[nodiscard]] const std::map<std::uint64_t, SourceLocation>& rows() const { return rows_; }

  private:
    std::map<std::uint64_t, SourceLocation> rows_;
};

/// By kernel, and by device function that has a section of its own; empty if the cubin has no .debug_line. Error
/// bad_input: the section is damaged or of a version that nvcc does not write. Any bytes are safe input.
[[nodiscard]] Result<std::map<std::string, LineTable>> read_line_info(std::span<const std::byte> cubin,
                                                                      std::string_view origin);

/// Of all of a kernel's code: its own lines, and those of the functions that were linked behind it (nvcc -rdc=true).
/// `tables` are those of its cubin.
[[nodiscard]] LineTable lines_of_code(const Kernel& kernel, const std::map<std::string, LineTable>& tables);

/// "SerialMerge::take" for "_ZN11SerialMerge4takeI6Keys32Li15ELi128EEEvPKNT_7ElementEjjjjRAT0__S2_": no parameters, no
/// template arguments, no result type.
[[nodiscard]] std::string readable_function(const std::string& mangled);

}  // namespace sassafras::isa
