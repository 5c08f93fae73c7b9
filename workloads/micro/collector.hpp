// Runs the measurements that are asked for, one row each, until the first error.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "workloads/micro/micro.hpp"
#include "workloads/micro/stopwatch.hpp"

namespace sassafras::workloads::micro {

constexpr int chain_length = 64;  ///< operations in one trip of a kernel's loop; `unrolled` in micro.cu

/// Which rows are measured.
struct RowFilter {
    std::function<bool(const std::string&)> accepts;  ///< given "name parameter"
    bool takes_long_rows = false;
};

/// Each measurement launches nothing if its row is not wanted or an earlier one failed.
class Collector {
  public:
    Collector(Stopwatch& stopwatch, RowFilter filter) : stopwatch_(&stopwatch), filter_(std::move(filter)) {}

    /// Whether the filter accepts the row and nothing failed so far.
    [[nodiscard]] bool wants(const std::string& name, const std::string& parameter) const;
    /// The same for a row that takes so long that it has to be asked for.
    [[nodiscard]] bool wants_long(const std::string& name, const std::string& parameter) const;
    /// A row measured by other means; dropped if it is not wanted.
    void add(const std::string& name, const std::string& parameter, double value, const std::string& unit);

    /// Cycles per operation of a chain.
    void latency(const std::string& name, const std::string& kernel, const std::string& parameter,
                 std::uint32_t threads, std::int32_t few, std::int32_t many, const sim::Arguments& more);
    /// Operations of all warps of one full block, `per_operation` units each, per cycle.
    void rate(const std::string& name, const std::string& kernel, const std::string& parameter, double per_operation,
              const std::string& unit, const sim::Arguments& more);
    /// Cycles of the SM for each of `operations` operations of each warp in a trip, all warps in one block.
    void cycles_each(const std::string& name, const std::string& kernel, const std::string& parameter,
                     std::uint32_t warps, double operations, const std::string& unit, const sim::Arguments& more);
    /// Bytes moved by the whole grid per cycle of its slowest block.
    void bandwidth(const std::string& name, const std::string& kernel, const std::string& parameter, double bytes,
                   const sim::Arguments& more);
    /// Cycles of the given pass (0: the first) through a kernel of straight-line code.
    void pass(const std::string& name, const std::string& kernel, const std::string& parameter, std::int32_t which);
    /// gpu__time_duration.sum of a kernel.
    void launch(const std::string& name, const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                const sim::Arguments& arguments);
    /// What each further block of an empty kernel adds to gpu__time_duration.sum.
    void null_blocks(std::uint32_t few_blocks, std::uint32_t many_blocks, std::uint32_t threads);

    void fail(const Error& error) { error_ = error; }
    [[nodiscard]] Result<std::vector<Row>> finish() &&;
    [[nodiscard]] Stopwatch& stopwatch() const { return *stopwatch_; }
    [[nodiscard]] sim::Device& device() const { return stopwatch_->device(); }

  private:
    Stopwatch* stopwatch_;
    RowFilter filter_;
    std::vector<Row> rows_;
    std::optional<Error> error_;
};

/// Values of 32 bits.
[[nodiscard]] sim::Arguments words(std::initializer_list<std::uint32_t> values);

}  // namespace sassafras::workloads::micro
