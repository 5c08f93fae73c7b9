#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/platform/platform_json.hpp"
#include "sim/platform/platform_reader.hpp"

using namespace sassafras::sim;

namespace {

std::string schema_path() { return std::string(SASSAFRAS_SOURCE_DIR) + "/configs/platform.schema.json"; }

std::string read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("every platform in configs/platforms is built in, reads without a fault and is named like its file") {
    std::vector<std::string> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(SASSAFRAS_SOURCE_DIR) + "/configs/platforms"))
        files.push_back(entry.path().stem().string());
    std::sort(files.begin(), files.end());
    CHECK(platform_names() == files);
    CHECK(std::count(files.begin(), files.end(), "h200") == 1);
    for (const std::string& name : files) {
        const auto resolved = load_platform(name);
        INFO((resolved.ok() ? "" : resolved.error().message()));
        REQUIRE(resolved.ok());
        CHECK(resolved->platform.name == name);
        const auto file = load_platform(std::string(SASSAFRAS_SOURCE_DIR) + "/configs/platforms/" + name + ".json");
        REQUIRE(file.ok());
        CHECK(file->hash == resolved->hash);
    }
}

TEST_CASE("a platform with a base repeats nothing of it") {
    using Json = nlohmann::ordered_json;
    std::size_t with_base = 0;
    for (const std::string& name : platform_names()) {
        Json json = Json::parse(read(std::string(SASSAFRAS_SOURCE_DIR) + "/configs/platforms/" + name + ".json"));
        if (!json.contains("base")) continue;
        CAPTURE(name);
        ++with_base;
        // What the platform would be if it said nothing but what is true of all that it inherits.
        Json bare{{"name", name}, {"base", json["base"]}};
        if (json.contains("inherited")) bare["inherited"] = json["inherited"];
        const auto inherited = parse_platform(bare.dump(), "bare.json");
        REQUIRE(inherited.ok());
        const Json without = Json::parse(platform_text(*inherited));
        const Json flat = json.flatten();
        for (const auto& [pointer, value] : flat.items()) {
            if (!pointer.ends_with("/provenance")) continue;
            const std::string place = pointer.substr(0, pointer.rfind('/'));
            if (place.ends_with("/inherited")) continue;
            CAPTURE(place);
            CHECK(json[Json::json_pointer(place)] != without[Json::json_pointer(place)]);
            // Who says to have a value from the base, has it from there.
            const auto source = json[Json::json_pointer(place + "/source")].get<std::string>();
            if (source.find("as on the " + json["base"].get<std::string>() + " platform") != std::string::npos)
                CHECK_FALSE(json[Json::json_pointer(place)].contains("value"));
        }
    }
    CHECK(with_base >= platform_names().size() - 1);  // all but the H200
}

// docs/platforms.md says of each why nothing shows it.
TEST_CASE("next to nothing of an H200 and of an H100 is assumed") {
    using Names = std::vector<std::string>;
    const std::map<std::string, Names> known{
        {"h200", {"/tlb/l1/entries"}},
        {"h100",
         {"/pipes/xu_other_lead_cycles", "/lsu/miss_buffer_lines", "/tlb/l1/entries", "/l2/slice_write_queue_lines",
          "/l2/gpc_bytes_per_cycle", "/copies/event_turn_ns", "/copies/event_back_ns", "/copies/wait_ns",
          "/copies/wait_timed_ns", "/copies/wait_done_ns", "/copies/wait_shared_ns", "/copies/wait_asked_ns",
          "/copies/wait_turn_ns", "/copies/wait_lost_ns", "/copies/launch_turn_ns", "/copies/launch_back_ns",
          "/copies/launch_place_ns", "/copies/launch_beside_ns"}}};
    for (const auto& [name, expected] : known) {
        CAPTURE(name);
        const auto resolved = load_platform(name);
        REQUIRE(resolved.ok());
        Names assumed;
        for (const ParameterOrigin& origin : resolved->parameters)
            if (origin.provenance == Provenance::assumed) assumed.push_back(origin.pointer);
        CHECK(assumed == expected);
    }
}
TEST_CASE("half an H200 is half of what it says") {
    const auto resolved_whole = load_platform("h200");
    const auto resolved_half = load_platform("h200-half");
    REQUIRE((resolved_whole.ok() && resolved_half.ok()));
    const Platform& whole = resolved_whole->platform;
    const Platform& half = resolved_half->platform;
    CHECK(half.gpu.sm_count * 2 == whole.gpu.sm_count);
    CHECK(half.l2.slices ==
          whole.l2.slices / 2 / half.l2.partitions * half.l2.partitions);  // whole ones, in equal halves
    CHECK(half.l2.bytes * 2ULL == whole.l2.bytes);
    CHECK(half.dram.channels == half.l2.slices);
    CHECK(whole.dram.channels == whole.l2.slices);
    CHECK(half.dram.bandwidth_gb_per_s * 2 == whole.dram.bandwidth_gb_per_s);
    CHECK(half.sm.max_warps == whole.sm.max_warps);
}

TEST_CASE("platforms of the theses have the cores and the memory that the theses state") {
    struct Stated {
        const char* name;
        std::uint32_t cores;
        double mhz, gb_per_s, gb;
    };
    // Karsin 2018, Table 4.1; Lv 2016, Table 6.1 (a Titan Z is two GPUs); Gehrke 2015, tables 5.3 to 5.6.
    for (const Stated& stated :
         {Stated{"algoparc", 1664, 780, 192, 8}, Stated{"gibson", 1536, 1046, 224.3, 4},
          Stated{"uhhpc", 2880, 745, 288, 12}, Stated{"titan-z", 5760 / 2, 0, 336, 0},
          Stated{"gtx980", 2048, 0, 224, 0}, Stated{"gtx960", 1024, 0, 112.2, 0}, Stated{"c2050", 448, 1150, 144, 0}}) {
        CAPTURE(stated.name);
        const auto resolved = load_platform(stated.name);
        REQUIRE(resolved.ok());
        const Platform& platform = resolved->platform;
        CHECK(platform.gpu.sm_count * platform.sm.subcores * 32 / platform.pipes.fma.issue_interval_cycles ==
              stated.cores);
        CHECK(platform.dram.bandwidth_gb_per_s == stated.gb_per_s);
        if (stated.mhz != 0) CHECK(platform.clock.sm_mhz == stated.mhz);
        if (stated.gb != 0) CHECK(platform.dram.capacity_gb == stated.gb);
        CHECK(platform.sm.dependence_tracking == DependenceTracking::scoreboard);
        CHECK((platform.lsu.l1_global_loads == L1GlobalLoads::cached) == (std::string(stated.name) == "c2050"));
        CHECK(std::none_of(resolved->parameters.begin(), resolved->parameters.end(),
                           [](const auto& parameter) { return parameter.source.empty(); }));
    }
}

TEST_CASE("configs/platform.schema.json says what Platform::visit says") {
    INFO("after a change of Platform::visit run scripts/renew");
    CHECK((read(schema_path()) == platform_schema()));
}

TEST_CASE("the schema covers every parameter of h200") {
    const auto schema = nlohmann::ordered_json::parse(platform_schema());
    const auto& groups = schema.at("$defs").at("whole").at("properties");
    const auto h200 = load_platform("h200");
    REQUIRE(h200.ok());
    const auto json = nlohmann::ordered_json::parse(platform_text(*h200));
    for (const auto& parameter : h200->parameters) {
        std::string in_schema;
        for (const char c : parameter.pointer) in_schema += c == '/' ? std::string("/properties/") : std::string(1, c);
        in_schema.erase(0, std::string("/properties").size());
        CAPTURE(parameter.pointer);
        REQUIRE(groups.contains(nlohmann::ordered_json::json_pointer(in_schema)));
        const auto& value = groups.at(nlohmann::ordered_json::json_pointer(in_schema + "/properties/value"));
        const auto& given = json.at(nlohmann::ordered_json::json_pointer(parameter.pointer + "/value"));
        if (value.contains("items")) {
            CHECK_FALSE(given.empty());
            for (const auto& item : given) {
                CHECK(item >= value.at("items").at("minimum"));
                CHECK(item <= value.at("items").at("maximum"));
            }
        } else if (value.contains("minimum")) {
            CHECK(given >= value.at("minimum"));
            CHECK(given <= value.at("maximum"));
        } else {
            CHECK(std::count(value.at("enum").begin(), value.at("enum").end(), given) == 1);
        }
    }
}

TEST_CASE("rewrite configs/platform.schema.json", "[.][update-schema]") {
    std::ofstream(schema_path(), std::ios::binary) << platform_schema();
    CHECK((read(schema_path()) == platform_schema()));
}
