#include "cli/html/html_sources.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "cli/reports/source_rows.hpp"
#include "core/json_text.hpp"
#include "core/number_text.hpp"
#include "isa/program/program.hpp"
#include "study/conflicts/source_text.hpp"
#include "study/diagnose/hottest.hpp"

namespace sassafras::cli {

namespace {

using SourceJson = nlohmann::ordered_json;
using sim::SourceRow;

std::uint64_t cycles_of(const SourceRow& row) {
    return std::accumulate(row.stalls.begin(), row.stalls.end(), std::uint64_t{0});
}

struct SourceMeasure {
    const char* title;
    std::uint64_t (*of)(const SourceRow&);
};

constexpr auto source_measures = std::to_array<SourceMeasure>({
    {"Warp cycles", cycles_of},
    {"Instructions", [](const SourceRow& row) { return row.inst_executed; }},
    {"Threads", [](const SourceRow& row) { return row.thread_inst_executed; }},
    {"Global sectors", [](const SourceRow& row) { return row.global_sectors; }},
    {"Local sectors", [](const SourceRow& row) { return row.local_sectors; }},
    {"Shared passes", [](const SourceRow& row) { return row.shared_wavefronts; }},
    {"Beyond ideal",
     [](const SourceRow& row) {
         return row.shared_wavefronts - std::min(row.shared_wavefronts, row.shared_wavefronts_ideal);
     }},
});

/// All launches of one kernel.
struct KernelSource {
    std::size_t number = 0;
    std::size_t launches = 0;
    std::vector<SourceRow> rows;
    std::uint64_t cycles = 0;
};

std::string worst_wait(const SourceRow& row) {
    std::size_t worst = sim::stall_count;
    for (std::size_t i = 0; i < sim::stall_count; ++i)
        if (i != sim::index_of(sim::Stall::selected) && row.stalls[i] > 0 &&
            (worst == sim::stall_count || row.stalls[i] > row.stalls[worst]))
            worst = i;
    return worst == sim::stall_count ? std::string() : std::string(sim::stall_rows[worst].name);
}

class SourceWriter {
  public:
    SourceWriter(const RunSource& run, const std::vector<std::string>& kernels) {
        for (std::size_t i = 0; i < kernels.size(); ++i) numbers_.emplace(kernels[i], i);
        std::map<std::string, std::size_t> places;
        for (const sim::KernelResult& launch : run.report.kernels) {
            const auto number = numbers_.find(launch.name);
            if (launch.source.empty() || number == numbers_.end()) continue;
            const auto [place, is_new] = places.try_emplace(launch.name, all_.size());
            if (is_new) all_.push_back({number->second, 0, {}, 0});
            KernelSource& kernel = all_[place->second];
            // Of one name and other code, as two modules may have it: that of the first.
            if (!kernel.rows.empty() && kernel.rows.size() != launch.source.size()) continue;
            study::add_rows(kernel.rows, launch.source);
            ++kernel.launches;
        }
        for (KernelSource& kernel : all_) {
            kernel.rows.resize(without_padding(kernel.rows).size());
            for (const SourceRow& row : kernel.rows) kernel.cycles += cycles_of(row) + row.inst_executed;
        }
        std::stable_sort(all_.begin(), all_.end(), [](const KernelSource& left, const KernelSource& right) {
            return left.cycles > right.cycles;
        });
    }

    SourcePages write(const SourceRoom& room) {
        SourcePages pages;
        pages.json = "[";
        for (KernelSource& kernel : all_) {
            const std::string text = pages.left_out > 0 ? std::string() : kernel_text(kernel, room.instructions);
            if (text.empty() || pages.json.size() + text.size() > room.bytes) {
                ++pages.left_out;
                continue;
            }
            pages.json += (pages.json.size() > 1 ? "," : "") + text;
        }
        pages.json += "]";
        return pages;
    }

  private:
    std::string kernel_text(KernelSource& kernel, std::size_t most) {
        std::string note;
        if (kernel.rows.size() > most) {
            note = fmt::format("The {} instructions that take most; {} are left out.", grouped(most),
                               grouped(kernel.rows.size() - most));
            std::stable_sort(kernel.rows.begin(), kernel.rows.end(), [](const SourceRow& left, const SourceRow& right) {
                return std::pair(cycles_of(left), left.inst_executed) >
                       std::pair(cycles_of(right), right.inst_executed);
            });
            kernel.rows.resize(most);
            std::sort(kernel.rows.begin(), kernel.rows.end(),
                      [](const SourceRow& left, const SourceRow& right) { return left.pc < right.pc; });
        }
        SourceJson measures = SourceJson::array();
        for (const SourceMeasure& measure : source_measures) measures.push_back(measure.title);
        const std::vector<std::string> locations = locations_of(kernel.rows);
        std::map<std::string, std::size_t> lines;
        for (std::size_t i = 0; i < locations.size(); ++i) lines.emplace(locations[i], i);
        SourceJson rows = SourceJson::array();
        for (const SourceRow& row : kernel.rows) {
            SourceJson one{row.pc, isa::print(row.instruction, row.pc),
                           row.location.empty() ? -1 : static_cast<int>(lines.at(row.location))};
            for (const SourceMeasure& measure : source_measures) one.push_back(measure.of(row));
            one.push_back(worst_wait(row));
            rows.push_back(std::move(one));
        }
        SourceJson places = SourceJson::array();
        for (const std::string& location : locations) places.push_back(line_json(location));
        return json_line({{"kernel", kernel.number},
                          {"launches", kernel.launches},
                          {"measures", std::move(measures)},
                          {"lines", std::move(places)},
                          {"rows", std::move(rows)},
                          {"note", note}});
    }

    /// Of "file:line".
    static std::pair<std::string, std::uint32_t> file_and_line(const std::string& location) {
        const std::size_t colon = location.rfind(':');
        std::uint32_t line = 0;
        if (colon != location.npos)
            std::from_chars(location.data() + colon + 1, location.data() + location.size(), line);
        return {location.substr(0, colon), line};
    }

    /// In the order of files and their lines.
    static std::vector<std::string> locations_of(const std::vector<SourceRow>& rows) {
        std::map<std::pair<std::string, std::uint32_t>, std::string> order;
        for (const SourceRow& row : rows)
            if (!row.location.empty()) order.emplace(file_and_line(row.location), row.location);
        std::vector<std::string> locations;
        for (const auto& [place, location] : order) locations.push_back(location);
        return locations;
    }

    SourceJson line_json(const std::string& location) {
        const auto [file, line] = file_and_line(location);
        return {fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line), texts_.line(file, line)};
    }

    std::map<std::string, std::size_t> numbers_;
    std::vector<KernelSource> all_;
    study::SourceTexts texts_;
};

}  // namespace

SourcePages html_sources(const RunSource& run, const std::vector<std::string>& kernels, const SourceRoom& room) {
    return SourceWriter(run, kernels).write(room);
}

}  // namespace sassafras::cli
