#include "cli/reports/source_layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "cli/reports/columns.hpp"
#include "core/number_text.hpp"

namespace sassafras::cli {

namespace {

constexpr std::size_t most_reasons = 3;
constexpr std::size_t texts_first = 3;  ///< columns
constexpr std::size_t least_text = 24;  ///< of the source, before a reason to wait goes for it
constexpr std::size_t most_place = 20;  ///< of a file's name and line, where room is short
constexpr double bytes_of_a_sector = 32;

/// How the rows are written to be narrower.
struct Layout {
    bool leaves_out_zeros = false;
    bool shortens_numbers = false;
    std::size_t reasons = most_reasons;
    std::optional<std::size_t> text_width = {};
};

struct Count {
    const char* heading;
    std::uint64_t Heat::*value;
};
constexpr std::array<Count, 6> counts{{{"Inst", &Heat::executed},
                                       {"Thread Inst", &Heat::threads},
                                       {"Shared Wvfr", &Heat::wavefronts},
                                       {"Over Ideal", &Heat::wavefronts_over},
                                       {"Gl. Sectors", &Heat::sectors},
                                       {"Over Ideal", &Heat::sectors_over}}};
constexpr std::array<const char*, counts.size()> short_headings{"Inst", "Thr.", "Wvfr", "+Wv", "Sect.", "+Sec"};

std::string short_number(std::uint64_t value) {
    constexpr std::array units{"", "K", "M", "G", "T", "P", "E"};
    constexpr double thousand = 1000;
    auto size = static_cast<double>(value);
    std::size_t unit = 0;
    while (size >= thousand - 0.5 && unit + 1 < units.size()) {
        size /= thousand;
        ++unit;
    }
    constexpr double two_digits = 9.95;
    return unit != 0 && size < two_digits ? fmt::format("{:.1f}{}", size, units[unit])
                                          : fmt::format("{:.0f}{}", size, units[unit]);
}

std::string reasons_text(const Heat& heat, std::size_t most) {
    std::vector<std::size_t> order;
    for (std::size_t reason = 0; reason < sim::stall_count; ++reason)
        if (heat.stalls[reason] != 0) order.push_back(reason);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return heat.stalls[a] > heat.stalls[b]; });
    if (order.size() > most) order.resize(most);
    std::string text;
    for (const std::size_t reason : order)
        text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", sim::stall_rows[reason].name,
                            100.0 * static_cast<double>(heat.stalls[reason]) / static_cast<double>(heat.cycles));
    return text;
}

/// Of UTF-8, by characters: a line may have any in its comments.
std::string without_end(const std::string& text, std::size_t width) {
    const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    if (static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins)) <= width) return text;
    constexpr std::string_view dots = "...";
    std::size_t end = 0;
    for (std::size_t kept = 0; end < text.size(); ++end)
        if (begins(text[end]) && ++kept > width - dots.size()) break;
    return text.substr(0, end) + std::string(dots);
}

std::string without_begin(const std::string& place, std::size_t width) {
    return place.size() <= width ? place : "..." + place.substr(place.size() - (width - 3));
}

std::vector<std::vector<std::string>> rows_of(const std::vector<SourceLine>& lines, double all_cycles,
                                              const Layout& layout) {
    std::vector<std::string> headings{"Line", "Source", "Waits For", layout.shortens_numbers ? "Cyc.%" : "Cycles %"};
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto is_there = [&](const SourceLine& line) { return line.heat.*counts[i].value != 0; };
        if (layout.leaves_out_zeros && !std::any_of(lines.begin(), lines.end(), is_there)) continue;
        shown.push_back(i);
        headings.emplace_back(layout.shortens_numbers ? short_headings[i] : counts[i].heading);
    }
    std::vector<std::vector<std::string>> rows{headings};
    for (const SourceLine& line : lines) {
        const auto cycles = static_cast<double>(line.heat.cycles);
        rows.push_back({layout.shortens_numbers ? without_begin(line.place, most_place) : line.place,
                        layout.text_width ? without_end(line.text, *layout.text_width) : line.text,
                        reasons_text(line.heat, layout.reasons),
                        fmt::format("{:.1f}", all_cycles == 0 ? 0 : 100 * cycles / all_cycles)});
        for (const std::size_t i : shown) {
            const std::uint64_t value = line.heat.*counts[i].value;
            rows.back().push_back(layout.shortens_numbers ? short_number(value) : grouped(value));
        }
    }
    return rows;
}

std::size_t widest(const std::string& text) {
    std::size_t most = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        most = std::max(most, end - begin);
        begin = end + 1;
    }
    return most;
}

}  // namespace

void Heat::add(const sim::SourceRow& row) {
    executed += row.inst_executed;
    threads += row.thread_inst_executed;
    wavefronts += row.shared_wavefronts;
    wavefronts_over += row.shared_wavefronts - std::min(row.shared_wavefronts, row.shared_wavefronts_ideal);
    sectors += row.global_sectors;
    const auto needed =
        static_cast<std::uint64_t>(std::ceil(static_cast<double>(row.global_bytes) / bytes_of_a_sector));
    sectors_over += row.global_sectors - std::min(row.global_sectors, needed);
    for (std::size_t reason = 0; reason < sim::stall_count; ++reason) {
        stalls[reason] += row.stalls[reason];
        cycles += row.stalls[reason];
    }
}

std::string laid_out(const std::vector<SourceLine>& lines, double all_cycles, std::size_t columns) {
    const auto table = [&](const Layout& layout) { return aligned(rows_of(lines, all_cycles, layout), texts_first); };
    std::string text = table({});
    std::size_t longest = 0;
    for (const SourceLine& line : lines) longest = std::max(longest, line.text.size());
    Layout layout;
    const auto fits = [&] {
        text = table(layout);
        const std::size_t width = widest(text);
        if (width <= columns) return true;
        // What is over may come off the source's text, if enough of that is left.
        const std::size_t over = width - columns;
        if (longest < over + least_text) return false;
        layout.text_width = longest - over;
        text = table(layout);
        layout.text_width.reset();
        return widest(text) <= columns;
    };
    if (widest(text) <= columns) return text;
    layout.leaves_out_zeros = true;
    if (fits()) return text;
    for (layout.reasons = most_reasons - 1; layout.reasons != 0; --layout.reasons)
        if (fits()) return text;
    layout.shortens_numbers = true;
    for (layout.reasons = most_reasons; layout.reasons != 0; --layout.reasons)
        if (fits()) return text;
    if (fits()) return text;  // without reasons
    layout.text_width = least_text;
    return table(layout);
}

}  // namespace sassafras::cli
