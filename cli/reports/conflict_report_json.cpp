#include "cli/reports/conflict_report.hpp"
#include "cli/reports/kernel_name.hpp"
#include "cli/reports/report.hpp"
#include "cli/reports/result_text.hpp"

namespace sassafras::cli {

namespace {

using Json = nlohmann::ordered_json;
using study::ConflictFigures;

Json degrees(const ConflictFigures& figures) {
    Json degree = Json::object();
    for (std::size_t i = 0; i < figures.degree.size(); ++i)
        if (figures.degree[i] != 0) degree[std::to_string(i)] = figures.degree[i];
    return degree;
}

/// Expected numbers of requests, those that are not 0.
Json expected_degrees(const std::array<double, warp_size + 1>& requests) {
    Json degree = Json::object();
    for (std::size_t i = 0; i < requests.size(); ++i)
        if (requests[i] != 0) degree[std::to_string(i)] = requests[i];
    return degree;
}

Json figures_json(const ConflictFigures& figures, bool with_degrees = false) {
    Json json{{"requests", figures.requests},
              {"lanes", figures.lanes},
              {"wavefronts", figures.wavefronts},
              {"wavefronts_ideal", figures.wavefronts_ideal},
              {"beta", figures.beta()},
              {"beta_ideal", figures.beta_ideal()},
              {"beta_random", figures.beta_random()},
              {"beta_random_words", figures.beta_random_words()},
              {"beta_bound", figures.beta_bound()},
              {"n_way", figures.n_way()}};
    if (with_degrees) {
        json["requests_by_wavefronts"] = degrees(figures);
        json["requests_by_wavefronts_random"] = expected_degrees(figures.random_degree);
        json["requests_by_wavefronts_bound"] = expected_degrees(figures.bound_degree);
        json["words_a_bank_random"] = figures.random_bank_words;
    }
    return json;
}

Json line_json(const std::optional<study::SourceLine>& line) {
    if (!line) return nullptr;
    Json calls = Json::array();
    for (const auto& call : line->location.inlined)
        calls.push_back({{"function", call.function}, {"file", call.file}, {"line", call.line}});
    return {{"file", line->location.file},
            {"line", line->location.line},
            {"text", line->text},
            {"inlined", std::move(calls)}};
}

Json explained_json(const ExplainedRequest& explained) {
    Json addresses = Json::array();
    for (int lane = 0; lane < warp_size; ++lane) {
        const bool active = (explained.request.access.mask >> lane & 1U) != 0;
        addresses.push_back(active ? Json(explained.request.access.address[static_cast<std::size_t>(lane)])
                                   : Json(nullptr));
    }
    Json json = named_kernel("kernel", explained.kernel);
    json.update({{"launch", explained.launch},
                 {"pc", std::uint64_t{explained.request.instruction} * isa::instruction_bytes},
                 {"sass", sass_text(explained)},
                 {"phase", explained.phase},
                 {"line", line_json(explained.line)},
                 {"request", explained.request.number},
                 {"block", explained.request.block},
                 {"warp", explained.request.warp},
                 {"bytes_a_lane", explained.request.width},
                 {"wavefronts", explained.request.wavefronts.actual},
                 {"wavefronts_ideal", explained.request.wavefronts.ideal},
                 {"addresses", std::move(addresses)}});
    return json;
}

Json phases_json(const study::ConflictSummary& summary) {
    Json phases = Json::array();
    for (const auto& phase : summary.phases) {
        Json json{{"part", phase.part}, {"phase", phase.phase}};
        if (summary.phases_are_lines) json["line"] = line_json(phase.line);
        json.update(figures_json(phase.figures, true));
        phases.push_back(std::move(json));
    }
    return phases;
}

Json kernels_json(const study::ConflictSummary& summary) {
    Json kernels = Json::array();
    for (const auto& kernel : summary.kernels) {
        Json json = named_kernel("kernel", kernel.kernel);
        json["launches"] = kernel.launches;
        json.update(figures_json(kernel.figures));
        kernels.push_back(std::move(json));
    }
    return kernels;
}

Json rounds_json(const study::ConflictSummary& summary) {
    Json rounds = Json::array();
    for (const auto& round : summary.rounds) {
        Json json{{"launch", round.launch}};
        json.update(named_kernel("kernel", round.kernel));
        json["round"] = round.round;
        json.update(figures_json(round.figures));
        Json phases = Json::array();
        for (const auto& [number, figures] : round.by_phase) {
            Json phase{{"part", summary.phases[number].part}, {"phase", summary.phases[number].phase}};
            phase.update(figures_json(figures));
            phases.push_back(std::move(phase));
        }
        json["phases"] = std::move(phases);
        rounds.push_back(std::move(json));
    }
    return rounds;
}

Json instructions_json(const study::ConflictSummary& summary) {
    Json instructions = Json::array();
    for (const auto& one : summary.instructions) {
        Json json = named_kernel("kernel", one.kernel);
        json.update({{"pc", one.pc},
                     {"sass", isa::print(one.decoded, one.pc)},
                     {"line", line_json(one.line)},
                     {"part", summary.phases[one.phase].part},
                     {"phase", summary.phases[one.phase].phase}});
        json.update(figures_json(one.figures, true));
        instructions.push_back(std::move(json));
    }
    return instructions;
}

Json thesis_json(const study::ConflictSummary& summary) {
    const ConflictFigures partitioning = summary.thesis(workloads::ThesisBeta::partitioning);
    const ConflictFigures merging = summary.thesis(workloads::ThesisBeta::merging);
    if (partitioning.requests == 0 && merging.requests == 0) return nullptr;
    return {{"beta_1", figures_json(partitioning)}, {"beta_2", figures_json(merging)}};
}

}  // namespace

std::string to_json(const ConflictReport& report) {
    Json banks = Json::array();
    for (const auto& bank : report.summary.banks) banks.push_back({{"words", bank.words}, {"worst", bank.worst}});
    Json json{
        {"command", report.command},
        {"platform", report.platform},
        {"workload", report.workload},
        {"verified", report.verified ? Json(*report.verified) : Json(nullptr)},
        {"geometry", {{"banks", report.summary.geometry.banks}, {"bank_bytes", report.summary.geometry.bank_bytes}}},
        {"run", figures_json(report.summary.run, true)},
        {"thesis", thesis_json(report.summary)},
        {"kernels", kernels_json(report.summary)},
        {"phases", phases_json(report.summary)},
        {"rounds", rounds_json(report.summary)},
        {"instructions", instructions_json(report.summary)},
        {"banks", std::move(banks)},
        {"explained", report.explained ? explained_json(*report.explained) : Json(nullptr)},
        {"total", {{"launches", report.launches}, {"wall_seconds", report.wall_seconds}}}};
    return result_text("conflicts", std::move(json));
}

}  // namespace sassafras::cli
