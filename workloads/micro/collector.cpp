#include "workloads/micro/collector.hpp"

#include <utility>

#include <fmt/format.h>

namespace sassafras::workloads::micro {

bool Collector::wants(const std::string& name, const std::string& parameter) const {
    return !error_ && filter_.accepts(name + " " + parameter);
}

bool Collector::wants_long(const std::string& name, const std::string& parameter) const {
    return filter_.takes_long_rows && wants(name, parameter);
}

void Collector::add(const std::string& name, const std::string& parameter, double value, const std::string& unit) {
    if (wants(name, parameter)) rows_.push_back({name, parameter, value, unit});
}

void Collector::latency(const std::string& name, const std::string& kernel, const std::string& parameter,
                        std::uint32_t threads, std::int32_t few, std::int32_t many, const sim::Arguments& more) {
    if (!wants(name, parameter)) return;
    const auto cycles = stopwatch_->trip_cycles(kernel, threads, few, many, more);
    if (!cycles) return fail(cycles.error());
    rows_.push_back({name, parameter, *cycles / chain_length, "cycles"});
}

void Collector::rate(const std::string& name, const std::string& kernel, const std::string& parameter,
                     double per_operation, const std::string& unit, const sim::Arguments& more) {
    if (!wants(name, parameter)) return;
    constexpr std::uint32_t warps = 32;
    const auto cycles = stopwatch_->trip_cycles(kernel, warps * lanes, 4, 12, more);
    if (!cycles) return fail(cycles.error());
    rows_.push_back({name, parameter, *cycles > 0 ? per_operation * chain_length * warps / *cycles : 0, unit});
}

void Collector::cycles_each(const std::string& name, const std::string& kernel, const std::string& parameter,
                            std::uint32_t warps, double operations, const std::string& unit,
                            const sim::Arguments& more) {
    if (!wants(name, parameter)) return;
    const auto cycles = stopwatch_->trip_cycles(kernel, warps * lanes, 4, 20, more);
    if (!cycles) return fail(cycles.error());
    rows_.push_back({name, parameter, *cycles / (operations * warps), unit});
}

void Collector::bandwidth(const std::string& name, const std::string& kernel, const std::string& parameter,
                          double bytes, const sim::Arguments& more) {
    if (!wants(name, parameter)) return;
    const auto cycles = stopwatch_->block_cycles(kernel, 2 * device().sm_count(), 1024, more);
    if (!cycles) return fail(cycles.error());
    rows_.push_back({name, parameter, *cycles > 0 ? bytes / *cycles : 0, "bytes/cycle"});
}

void Collector::pass(const std::string& name, const std::string& kernel, const std::string& parameter,
                     std::int32_t which) {
    if (!wants(name, parameter)) return;
    const auto cycles = stopwatch_->pass_cycles(kernel, which);
    if (!cycles) return fail(cycles.error());
    rows_.push_back({name, parameter, *cycles, "cycles"});
}

void Collector::launch(const std::string& name, const std::string& kernel, std::uint32_t blocks, std::uint32_t threads,
                       const sim::Arguments& arguments) {
    const std::string parameter = fmt::format("grid={} block={}", blocks, threads);
    if (!wants(name, parameter)) return;
    const auto time = stopwatch_->kernel_ns(kernel, blocks, threads, arguments);
    if (!time) return fail(time.error());
    rows_.push_back({name, parameter, *time, "ns"});
}

void Collector::null_blocks(std::uint32_t few_blocks, std::uint32_t many_blocks, std::uint32_t threads) {
    const std::string parameter = fmt::format("grid={}-{} block={}", few_blocks, many_blocks, threads);
    if (!wants("turnover null", parameter)) return;
    const auto few = stopwatch_->kernel_ns("micro_null", few_blocks, threads, {});
    if (!few) return fail(few.error());
    const auto many = stopwatch_->kernel_ns("micro_null", many_blocks, threads, {});
    if (!many) return fail(many.error());
    rows_.push_back({"turnover null", parameter, (*many - *few) / (many_blocks - few_blocks), "ns/block"});
}

Result<std::vector<Row>> Collector::finish() && {
    if (error_) return *error_;
    return std::move(rows_);
}

sim::Arguments words(std::initializer_list<std::uint32_t> values) {
    sim::Arguments arguments;
    for (const std::uint32_t value : values) arguments.add(value);
    return arguments;
}

}  // namespace sassafras::workloads::micro
