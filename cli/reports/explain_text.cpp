#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "cli/reports/explain.hpp"
#include "cli/reports/kernel_name.hpp"
#include "isa/program/program.hpp"
#include "sim/access/shared_passes.hpp"

namespace sassafras::cli {

namespace {

using sim::LaneService;
using sim::ServicePlan;

/// "0, 4 and 8-11"; `lanes` ascend.
std::string listed(const std::vector<int>& lanes) {
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < lanes.size();) {
        std::size_t end = i + 1;
        while (end < lanes.size() && lanes[end] == lanes[end - 1] + 1) ++end;
        const bool range = end - i > 2;
        if (!range) end = i + 1;
        parts.push_back(range ? fmt::format("{}-{}", lanes[i], lanes[end - 1]) : fmt::format("{}", lanes[i]));
        i = end;
    }
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i != 0) text += i + 1 == parts.size() ? " and " : ", ";
        text += parts[i];
    }
    return text;
}

/// A row a pass, a column a bank; a cell names the lane that the bank serves, with + where others share the word. An
/// access wider than a bank fills the cells to its right.
std::string grid(const ExplainedRequest& explained, const ServicePlan& plan) {
    const std::uint32_t banks = explained.geometry.banks;
    std::string text = "  pass |";
    for (std::uint32_t bank = 0; bank < banks; ++bank) text += fmt::format("{:>3}", bank);
    text += "  bank\n  -----+" + std::string(3 * std::size_t{banks}, '-') + "\n";
    std::size_t group = 0;
    for (std::uint32_t pass = 0; pass < plan.passes; ++pass) {
        std::string lanes;
        if (group < plan.group_begins.size() && plan.group_begins[group] == pass) {
            if (group != 0) text += "       |\n";
            if (plan.group_begins.size() > 1) lanes = "  " + lanes_of_group(plan, group);
            ++group;
        }
        std::vector<std::string> cells(banks, "  .");
        for (const LaneService& service : plan.lanes) {
            if (service.pass != pass || service.shares) continue;
            const bool shared = std::any_of(plan.lanes.begin(), plan.lanes.end(), [&](const LaneService& other) {
                return other.shares && other.pass == pass && other.word == service.word;
            });
            cells[service.first_bank] = fmt::format("{:>3}", fmt::format("{}{}", service.lane, shared ? "+" : ""));
            for (std::uint32_t more = 1; more < service.banks; ++more) cells[service.first_bank + more] = " --";
        }
        text += fmt::format("  {:>4} |", pass + 1);
        for (const std::string& cell : cells) text += cell;
        text += lanes + "\n";
    }
    return text;
}

std::string lane_rows(const ExplainedRequest& explained, const ServicePlan& plan) {
    std::map<int, LaneService> by_lane;
    for (const LaneService& service : plan.lanes) by_lane[service.lane] = service;
    std::string text;
    constexpr int lanes_a_row = 16;
    for (int first = 0; first < warp_size; first += lanes_a_row) {
        std::string rows[4] = {"  lane   ", "  address", "  bank   ", "  pass   "};
        for (int lane = first; lane < first + lanes_a_row; ++lane) {
            const auto found = by_lane.find(lane);
            rows[0] += fmt::format("{:>6}", lane);
            if (found == by_lane.end()) {
                for (int row = 1; row < 4; ++row) rows[row] += "     .";
                continue;
            }
            rows[1] +=
                fmt::format("{:>6x}", explained.request.access.address[static_cast<std::size_t>(lane)] & 0xffffffU);
            rows[2] += fmt::format("{:>6}", found->second.first_bank);
            rows[3] += fmt::format("{:>6}", found->second.pass + 1);
        }
        for (const std::string& row : rows) text += row + "\n";
        if (first + lanes_a_row < warp_size) text += "\n";
    }
    return text;
}

}  // namespace

std::string lanes_of_group(const ServicePlan& plan, std::size_t group) {
    const std::uint32_t begin = plan.group_begins[group];
    const std::uint32_t end = group + 1 < plan.group_begins.size() ? plan.group_begins[group + 1] : plan.passes;
    std::vector<int> lanes;
    for (const LaneService& service : plan.lanes)
        if (service.pass >= begin && service.pass < end) lanes.push_back(service.lane);
    return fmt::format("lane{} {}", lanes.size() == 1 ? "" : "s", listed(lanes));
}

std::string request_title(const ExplainedRequest& explained) {
    const auto& request = explained.request;
    const std::uint64_t x = request.block % explained.grid.x;
    const std::uint64_t y = request.block / explained.grid.x % explained.grid.y;
    const std::uint64_t z = request.block / explained.grid.x / explained.grid.y;
    return fmt::format("{} (launch {}), {} at {:#x}, request {}: block ({}, {}, {}), warp {}",
                       kernel_name(explained.kernel), explained.launch, sass_text(explained),
                       std::uint64_t{request.instruction} * isa::instruction_bytes, request.number, x, y, z,
                       request.warp);
}

std::string request_place(const ExplainedRequest& explained) {
    std::string text = explained.phase_is_line ? "" : explained.phase;
    if (!explained.line) return text;
    text += (text.empty() ? "" : "; ") + place_text(*explained.line, explained.phase_is_line);
    return explained.line->text.empty() ? text : text + "  " + explained.line->text;
}

std::string request_cost(const ExplainedRequest& explained) {
    const auto& request = explained.request;
    const int active = std::popcount(request.access.mask);
    std::string text = fmt::format("{} of {} {} lane{}: {} wavefront{}", study::name_of(request.kind),
                                   fmt::format("{} bytes by", request.width), active, active == 1 ? "" : "s",
                                   request.wavefronts.actual, request.wavefronts.actual == 1 ? "" : "s");
    text += fmt::format(", {} without conflicts; {} banks of {} bytes", request.wavefronts.ideal,
                        explained.geometry.banks, explained.geometry.bank_bytes);
    return text;
}

std::vector<std::string> request_reasons(const ExplainedRequest& explained) {
    const auto& request = explained.request;
    const ServicePlan plan = sim::service_plan(request.access, request.width, request.kind, explained.geometry);
    const sim::SharedGroups groups = sim::shared_groups(request.width, explained.geometry);
    std::vector<std::string> reasons;
    if (groups.lanes < warp_size)
        reasons.push_back(fmt::format("{0} lanes of {1} bytes fill all banks once, so {0} lanes are served at a time.",
                                      groups.lanes, request.width));
    if (plan.group_begins.size() * static_cast<std::size_t>(groups.lanes) < static_cast<std::size_t>(warp_size) &&
        groups.lanes < warp_size && std::popcount(request.access.mask) == warp_size)
        reasons.emplace_back("Neighbouring groups that read the same words without a conflict are served together.");
    // The bank that takes most passes within a group decides.
    for (std::size_t group = 0; group < plan.group_begins.size(); ++group) {
        const std::uint32_t begin = plan.group_begins[group];
        const std::uint32_t end = group + 1 < plan.group_begins.size() ? plan.group_begins[group + 1] : plan.passes;
        if (end - begin < 2) continue;
        const auto last = std::find_if(plan.lanes.begin(), plan.lanes.end(),
                                       [&](const LaneService& service) { return service.pass == end - 1; });
        std::vector<int> lanes;
        for (const LaneService& service : plan.lanes)
            if (service.pass >= begin && service.pass < end && !service.shares &&
                service.first_bank == last->first_bank)
                lanes.push_back(service.lane);
        const std::string what = !sim::shares_words(request.kind) ? "accesses" : "different words";
        std::set<std::uint32_t> as_bad;
        for (const LaneService& service : plan.lanes)
            if (service.pass == end - 1) as_bad.insert(service.first_bank);
        const std::string others =
            as_bad.size() * last->banks == 1 ? "" : fmt::format("; {} more as many", as_bad.size() * last->banks - 1);
        reasons.push_back(fmt::format("Bank {} has {} {}, of lanes {}: one a pass{}.", last->first_bank, lanes.size(),
                                      what, listed(lanes), others));
    }
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<int>> sharing;
    for (const LaneService& service : plan.lanes) sharing[{service.pass, service.word}].push_back(service.lane);
    std::size_t shared_words = 0;
    for (const auto& [word, lanes] : sharing) shared_words += lanes.size() > 1 ? 1U : 0U;
    for (const auto& [word, lanes] : sharing)
        if (lanes.size() > 1 && shared_words <= 4)
            reasons.push_back(fmt::format("Lanes {} share a word, which is served once (+).", listed(lanes)));
    if (shared_words > 4)
        reasons.push_back(fmt::format("{} words are shared by several lanes and served once each (+).", shared_words));
    const int idle = warp_size - std::popcount(request.access.mask);
    if (idle != 0) reasons.push_back(fmt::format("{} lane{} inactive.", idle, idle == 1 ? " is" : "s are"));
    return reasons;
}

std::string explain_text(const ExplainedRequest& explained) {
    const auto& request = explained.request;
    const ServicePlan plan = sim::service_plan(request.access, request.width, request.kind, explained.geometry);
    std::string text = "  " + request_title(explained) + "\n";
    if (const std::string place = request_place(explained); !place.empty()) text += "  " + place + "\n";
    text += "  " + request_cost(explained) + "\n\n" + grid(explained, plan) + "\n";
    for (const std::string& reason : request_reasons(explained)) text += "  " + reason + "\n";
    return text + "\n" + lane_rows(explained, plan);
}

}  // namespace sassafras::cli
