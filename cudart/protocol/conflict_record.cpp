#include "cudart/protocol/conflict_record.hpp"

#include <bit>
#include <string>

#include <nlohmann/json.hpp>

#include "cudart/protocol/record_parts.hpp"

namespace sassafras::cudart {

namespace {

using Json = nlohmann::ordered_json;

/// [requests, lanes, wavefronts, ideal, [[wavefronts, requests]...], [[shape, requests]...]]
Json counts_json(const sim::ConflictCounts& counts) {
    Json degree = Json::array();
    for (std::size_t i = 0; i < counts.degree.size(); ++i)
        if (counts.degree[i] != 0) degree.push_back(Json::array({i, counts.degree[i]}));
    Json shapes = Json::array();
    for (const auto& entry : counts.shapes.entries())
        shapes.push_back(Json::array({entry.shape.packed(), entry.requests}));
    return Json::array({counts.requests, counts.lanes, counts.wavefronts, counts.wavefronts_ideal, std::move(degree),
                        std::move(shapes)});
}

sim::ConflictCounts read_counts(const Json& json, std::uint32_t width, sim::BankGeometry geometry) {
    sim::ConflictCounts counts;
    counts.requests = json.at(0).get<std::uint64_t>();
    counts.lanes = json.at(1).get<std::uint64_t>();
    counts.wavefronts = json.at(2).get<std::uint64_t>();
    counts.wavefronts_ideal = json.at(3).get<std::uint64_t>();
    for (const auto& entry : json.at(4)) {
        const auto wavefronts = entry.at(0).get<std::size_t>();
        if (wavefronts >= counts.degree.size()) throw DamagedRecord("no request has so many wavefronts");
        counts.degree[wavefronts] = entry.at(1).get<std::uint64_t>();
    }
    const int lanes_a_group = sim::shared_groups(width, geometry).lanes;
    for (const auto& entry : json.at(5)) {
        const auto shape = sim::GroupShape::unpacked(entry.at(0).get<std::uint64_t>());
        std::uint32_t groups = 0;
        for (std::uint32_t lanes = 0; lanes <= static_cast<std::uint32_t>(lanes_a_group); ++lanes)
            groups += shape.groups_of(lanes, lanes_a_group);
        if (groups * static_cast<std::uint32_t>(lanes_a_group) != warp_size)
            throw DamagedRecord("no request has such groups");
        counts.shapes.add(shape, entry.at(1).get<std::uint64_t>());
    }
    return counts;
}

sim::SharedAccessKind read_kind(const Json& json) {
    const auto kind = json.get<int>();
    if (kind < 0 || kind > static_cast<int>(sim::SharedAccessKind::matrix_load))
        throw DamagedRecord("there is no such access");
    return static_cast<sim::SharedAccessKind>(kind);
}

std::uint32_t read_width(const Json& json) {
    const auto width = json.get<std::uint32_t>();
    constexpr std::uint32_t widest = 16;
    if (!std::has_single_bit(width) || width > widest) throw DamagedRecord("no lane accesses so many bytes");
    return width;
}

sim::BankGeometry read_geometry(const Json& json) {
    const sim::BankGeometry geometry{json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>()};
    if (!std::has_single_bit(geometry.banks) || geometry.banks > sim::most_banks ||
        !std::has_single_bit(geometry.bank_bytes))
        throw DamagedRecord("there are no such banks");
    return geometry;
}

Json site_json(const sim::InstructionConflicts& site) {
    Json rounds = Json::array();
    for (const sim::ConflictCounts& counts : site.by_round) rounds.push_back(counts_json(counts));
    return {{"instruction", site.instruction},
            {"decoded", instruction_json(site.decoded)},
            {"width", site.width},
            {"kind", static_cast<int>(site.kind)},
            {"rounds", std::move(rounds)}};
}

sim::InstructionConflicts read_site(const Json& json, sim::BankGeometry geometry) {
    sim::InstructionConflicts site;
    site.instruction = json.at("instruction").get<std::uint32_t>();
    site.decoded = read_instruction(json.at("decoded"));
    site.width = read_width(json.at("width"));
    site.kind = read_kind(json.at("kind"));
    for (const auto& counts : json.at("rounds")) site.by_round.push_back(read_counts(counts, site.width, geometry));
    return site;
}

/// Addresses of lanes that do nothing are whatever they are: they are written as 0.
Json request_json(const sim::SharedRequest& request) {
    Json addresses = Json::array();
    for (std::size_t lane = 0; lane < request.access.address.size(); ++lane)
        addresses.push_back((request.access.mask >> lane & 1U) != 0 ? request.access.address[lane] : 0);
    return {{"instruction", request.instruction},
            {"block", request.block},
            {"warp", request.warp},
            {"number", request.number},
            {"width", request.width},
            {"kind", static_cast<int>(request.kind)},
            {"mask", request.access.mask},
            {"addresses", std::move(addresses)},
            {"wavefronts", request.wavefronts.actual},
            {"ideal", request.wavefronts.ideal}};
}

sim::SharedRequest read_request(const Json& json) {
    sim::SharedRequest request;
    request.instruction = json.at("instruction").get<std::uint32_t>();
    request.block = json.at("block").get<std::uint64_t>();
    request.warp = json.at("warp").get<std::uint32_t>();
    request.number = json.at("number").get<std::uint64_t>();
    request.width = read_width(json.at("width"));
    request.kind = read_kind(json.at("kind"));
    request.access.mask = json.at("mask").get<std::uint32_t>();
    request.access.address = json.at("addresses").get<decltype(request.access.address)>();
    request.wavefronts.actual = json.at("wavefronts").get<std::uint32_t>();
    request.wavefronts.ideal = json.at("ideal").get<std::uint32_t>();
    return request;
}

}  // namespace

std::string module_file(std::uint64_t module) { return "module-" + std::to_string(module) + ".cubin"; }

Json conflicts_json(const ProgramConflicts& conflicts) {
    const sim::LaunchConflicts& launch = conflicts.launch;
    Json sites = Json::array();
    for (const auto& site : launch.instructions) sites.push_back(site_json(site));
    Json banks = Json::array();
    for (const auto& bank : launch.banks) banks.push_back(Json::array({bank.words, bank.worst}));
    return {{"module", conflicts.module},
            {"kernel", launch.kernel},
            {"grid", extents_json(launch.grid)},
            {"block", extents_json(launch.block)},
            {"shared", launch.shared.count},
            {"geometry", Json::array({launch.geometry.banks, launch.geometry.bank_bytes})},
            {"instructions", std::move(sites)},
            {"banks", std::move(banks)},
            {"chosen", launch.chosen ? request_json(*launch.chosen) : Json(nullptr)}};
}

ProgramConflicts read_conflicts(const Json& json) {
    ProgramConflicts conflicts;
    conflicts.module = json.at("module").get<std::uint64_t>();
    sim::LaunchConflicts& launch = conflicts.launch;
    launch.kernel = json.at("kernel").get<std::string>();
    launch.grid = read_extents(json.at("grid"));
    launch.block = read_extents(json.at("block"));
    launch.shared = Bytes{json.at("shared").get<std::uint64_t>()};
    launch.geometry = read_geometry(json.at("geometry"));
    for (const auto& site : json.at("instructions")) launch.instructions.push_back(read_site(site, launch.geometry));
    for (const auto& bank : json.at("banks"))
        launch.banks.push_back({bank.at(0).get<std::uint64_t>(), bank.at(1).get<std::uint64_t>()});
    if (const auto& chosen = json.at("chosen"); !chosen.is_null()) launch.chosen = read_request(chosen);
    return conflicts;
}

}  // namespace sassafras::cudart
