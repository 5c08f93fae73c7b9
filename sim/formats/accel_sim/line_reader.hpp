// Lines of a text file, plain or compressed by xz, without the whole of it in memory.
#pragma once

#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras::sim::accel_sim {

/// What xz compresses, in pieces. Any bytes are safe input; what they say they need of memory is bounded.
class XzDecoder;

class LineReader {
  public:
    /// A file whose name ends in ".xz" is decompressed. Error bad_input if it cannot be opened.
    [[nodiscard]] static Result<LineReader> open(const std::string& path);
    /// `name` stands for the file in errors.
    LineReader(std::unique_ptr<std::istream> bytes, std::string name, bool compressed);
    LineReader(LineReader&&) noexcept;
    LineReader& operator=(LineReader&&) noexcept;
    ~LineReader();

    /// The next line without its end, valid until the next call; nothing at the end of the file. Error bad_input: a
    /// line longer than any of a trace, damaged compression.
    [[nodiscard]] Result<std::optional<std::string_view>> next();

    /// Of the line that next() gave last, from 1.
    [[nodiscard]] std::uint64_t line() const { return line_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    /// "file, line 12"
    [[nodiscard]] std::string place() const;

  private:
    /// More bytes behind those that are there; nothing more at the end.
    [[nodiscard]] Result<void> fill();

    std::unique_ptr<std::istream> bytes_;
    std::string name_;
    std::unique_ptr<XzDecoder> xz_;  ///< null: not compressed
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    bool ended_ = false;
    std::uint64_t line_ = 0;
};

}  // namespace sassafras::sim::accel_sim
