#include "validate/compare/hardware/ratchet.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "validate/records/csv.hpp"

namespace sassafras::validate {

namespace {

constexpr std::string_view mean_name = "mean";

bool same_kernel(const RatchetLine& line, const CycleComparison& kernel) {
    return line.workload == kernel.workload && line.variant == kernel.variant && line.n == kernel.n &&
           line.kernel == kernel.kernel;
}

bool same_kernel(const RatchetLine& line, const RatchetLine& other) {
    return line.workload == other.workload && line.variant == other.variant && line.n == other.n &&
           line.kernel == other.kernel;
}

std::string name_of(const RatchetLine& line) {
    if (line.kernel.empty()) return "the mean over all kernels";
    return fmt::format("{} {} {} {}", line.workload, line.variant, line.n, line.kernel);
}

double two_decimals(double percent) { return std::round(percent * 100) / 100; }

/// A line for what is compared, as it would be written.
RatchetLine line_of(const CycleComparison& kernel) {
    return {
        kernel.workload, kernel.variant, kernel.n, kernel.kernel, two_decimals(std::abs(kernel.error_percent())), {}};
}

bool worse(const RatchetLine& line, double error_percent) {
    return error_percent > line.error_percent + ratchet_tolerance;
}

std::string worse_text(const RatchetLine& line, double error_percent) {
    return fmt::format("{}: off by {:.2f} %, the ratchet holds {:.2f} %", name_of(line), error_percent,
                       line.error_percent);
}

/// A cell in quotes if it needs them.
std::string cell(const std::string& text) {
    if (text.find_first_of(",\"") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + '"';
}

/// Puts an error into its line, or names it in `refused`.
void replace(RatchetLine& line, double error_percent, const std::optional<std::string>& reason, std::string& refused) {
    if (worse(line, error_percent)) {
        if (!reason) {
            refused += (refused.empty() ? "" : "; ") + worse_text(line, error_percent);
            return;
        }
        line.accepted += fmt::format("{}from {:.2f} to {:.2f}: {}", line.accepted.empty() ? "" : "; ",
                                     line.error_percent, error_percent, *reason);
        line.error_percent = two_decimals(error_percent);
    } else if (two_decimals(error_percent) < line.error_percent) {
        line.error_percent = two_decimals(error_percent);
    }
}

}  // namespace

Ratchet empty_ratchet() {
    Ratchet ratchet;
    ratchet.mean.workload = mean_name;
    ratchet.mean.error_percent = std::numeric_limits<double>::infinity();
    return ratchet;
}

Result<Ratchet> parse_ratchet(std::string_view text, const std::string& origin) {
    const auto table = CsvTable::parse(text, origin);
    if (!table) return table.error();
    constexpr std::array<const char*, 6> names{"workload", "variant", "n", "kernel", "error_percent", "accepted"};
    std::array<std::size_t, names.size()> columns{};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto column = table->column(names[i]);
        if (!column) return column.error();
        columns[i] = *column;
    }
    Ratchet ratchet;
    bool has_mean = false;
    for (std::size_t row = 0; row < table->rows(); ++row) {
        const auto n = table->whole(row, columns[2]);
        if (!n) return n.error();
        const auto error = table->real(row, columns[4]);
        if (!error) return error.error();
        const auto malformed = [&](const std::string& what) {
            return Error{ErrorKind::bad_input, what, table->where(row),
                         "let compare_hardware --update-ratchet write it"};
        };
        if (!(*error >= 0) || !std::isfinite(*error)) return malformed("an error is no percentage of at least 0");
        RatchetLine line{
            table->text(row, columns[0]), table->text(row, columns[1]), *n, table->text(row, columns[3]), *error,
            table->text(row, columns[5])};
        if (line.kernel.empty()) {
            if (line.workload != mean_name) return malformed("a line names no kernel and is not the mean's");
            if (has_mean) return malformed("a second line of the mean");
            has_mean = true;
            ratchet.mean = std::move(line);
            continue;
        }
        if (std::any_of(ratchet.kernels.begin(), ratchet.kernels.end(),
                        [&](const RatchetLine& other) { return same_kernel(other, line); }))
            return malformed("a second line of " + name_of(line));
        ratchet.kernels.push_back(std::move(line));
    }
    if (!has_mean)
        return Error{ErrorKind::bad_input, "no line of the mean", origin,
                     "let compare_hardware --update-ratchet write it"};
    return ratchet;
}

Result<Ratchet> read_ratchet(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return Error{ErrorKind::bad_input, "cannot be read", file.string(),
                     "compare_hardware --update-ratchet writes it"};
    std::ostringstream text;
    text << stream.rdbuf();
    return parse_ratchet(text.str(), file.string());
}

std::string ratchet_text(const Ratchet& ratchet) {
    std::string text = "workload,variant,n,kernel,error_percent,accepted\n";
    text += fmt::format("{},,,,{:.2f},{}\n", mean_name, ratchet.mean.error_percent, cell(ratchet.mean.accepted));
    for (const RatchetLine& line : ratchet.kernels)
        text += fmt::format("{},{},{},{},{:.2f},{}\n", cell(line.workload), cell(line.variant), line.n,
                            cell(line.kernel), line.error_percent, cell(line.accepted));
    return text;
}

std::vector<std::string> broken_lines(const Ratchet& held, std::span<const CycleComparison> kernels,
                                      Compared compared) {
    std::vector<std::string> broken;
    for (const CycleComparison& kernel : kernels) {
        const auto line = std::find_if(held.kernels.begin(), held.kernels.end(),
                                       [&](const RatchetLine& other) { return same_kernel(other, kernel); });
        const double error = std::abs(kernel.error_percent());
        if (line == held.kernels.end())
            broken.push_back(name_of(line_of(kernel)) + ": the ratchet has no line of it");
        else if (worse(*line, error))
            broken.push_back(worse_text(*line, error));
    }
    if (compared == Compared::some) return broken;
    for (const RatchetLine& line : held.kernels)
        if (std::none_of(kernels.begin(), kernels.end(),
                         [&](const CycleComparison& kernel) { return same_kernel(line, kernel); }))
            broken.push_back(name_of(line) + ": the ratchet has a line of it, and it was not compared");
    const double mean = summarise(kernels).mean_absolute_percent;
    if (worse(held.mean, mean)) broken.push_back(worse_text(held.mean, mean));
    return broken;
}

Result<Ratchet> updated_ratchet(const Ratchet& held, std::span<const CycleComparison> kernels, Compared compared,
                                const std::optional<std::string>& reason) {
    if (reason && (reason->empty() || reason->find_first_of("\r\n") != std::string::npos))
        return Error{ErrorKind::bad_input, "the reason is empty or has several lines", "--accept-worse",
                     "say in one line why the errors may grow"};
    Ratchet next = held;
    if (compared == Compared::all) next.kernels.clear();  // in the record's order
    std::string refused;
    for (const CycleComparison& kernel : kernels) {
        const auto same = [&](const RatchetLine& line) { return same_kernel(line, kernel); };
        if (compared == Compared::all) {
            const auto old = std::find_if(held.kernels.begin(), held.kernels.end(), same);
            next.kernels.push_back(old == held.kernels.end() ? line_of(kernel) : *old);
        } else if (std::none_of(next.kernels.begin(), next.kernels.end(), same)) {
            next.kernels.push_back(line_of(kernel));
        }
        replace(*std::find_if(next.kernels.begin(), next.kernels.end(), same), std::abs(kernel.error_percent()), reason,
                refused);
    }
    if (compared == Compared::all) replace(next.mean, summarise(kernels).mean_absolute_percent, reason, refused);
    if (!refused.empty())
        return Error{ErrorKind::check_failed, "errors are greater than the ratchet holds: " + refused,
                     "--update-ratchet", "find out why, or give the reason with --accept-worse"};
    return next;
}

}  // namespace sassafras::validate
