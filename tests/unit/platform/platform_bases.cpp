// Bases: chains of them, what of them shows, and what is wrong with them.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/platform/platform_json.hpp"
#include "sim/platform/platform_reader.hpp"
#include "sim/platform/unused_parameters.hpp"
#include "tests/unit/platform/fixture.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;
using Catch::Contains;

namespace {

const ParameterOrigin& origin_of(const ResolvedPlatform& resolved, const std::string& pointer) {
    for (const ParameterOrigin& origin : resolved.parameters)
        if (origin.pointer == pointer) return origin;
    FAIL("no parameter " << pointer);
    return resolved.parameters.front();
}

}  // namespace

TEST_CASE("inherited values have the origin that the platform gives them") {
    const auto base = load_platform("h200");
    REQUIRE(base.ok());
    const auto derived = parse_platform(R"({"name": "older", "base": "h200",
        "inherited": {"provenance": "assumed", "source": "not published; as on the h200 platform"},
        "sm": {"max_warps": {"value": 48, "provenance": "datasheet", "source": "a white paper"}}})",
                                        "older.json");
    REQUIRE(derived.ok());
    Platform expected = base->platform;
    expected.sm.max_warps = 48;
    CHECK(derived->hash == platform_hash(expected));
    REQUIRE(derived->parameters.size() == base->parameters.size());
    for (std::size_t i = 0; i < derived->parameters.size(); ++i) {
        const ParameterOrigin& origin = derived->parameters[i];
        CAPTURE(origin.pointer);
        CHECK(origin.pointer == base->parameters[i].pointer);
        const bool own = origin.pointer == "/sm/max_warps";
        const Provenance inherited =
            is_unused(derived->platform, origin.pointer) ? Provenance::unused : Provenance::assumed;
        CHECK(origin.provenance == (own ? Provenance::datasheet : inherited));
        CHECK(origin.source == (own ? "a white paper" : "not published; as on the h200 platform"));
    }
}

TEST_CASE("what no result depends on is unused, until the platform chooses what needs it") {
    const auto base = load_platform("h200");
    REQUIRE(base.ok());
    CHECK(origin_of(*base, "/sm/scheduler_group_warps").provenance == Provenance::unused);
    CHECK(origin_of(*base, "/dram/t_rcd_ns").provenance == Provenance::unused);
    CHECK(origin_of(*base, "/tlb/l1/ways").provenance == Provenance::unused);
    CHECK(origin_of(*base, "/tlb/l1/entries").provenance == Provenance::assumed);
    CHECK(origin_of(*base, "/tlb/l2/entries").provenance == Provenance::unused);

    const auto derived = parse_platform(R"({"name": "x", "base": "h200", "sm": {"warp_scheduler": "two_level"},
        "dram": {"scheduler": "first_ready_open_rows"}, "tlb": {"l1": {"entries": 16}}})",
                                        "x.json");
    REQUIRE(derived.ok());
    CHECK(origin_of(*derived, "/sm/scheduler_group_warps").provenance == Provenance::assumed);
    CHECK(origin_of(*derived, "/dram/t_rcd_ns").provenance == Provenance::assumed);
    CHECK(origin_of(*derived, "/tlb/l1/ways").provenance == Provenance::assumed);
    CHECK(origin_of(*derived, "/tlb/l2/entries").provenance == Provenance::assumed);
    CHECK(origin_of(*derived, "/tlb/l2/ways").provenance == Provenance::unused);
}

TEST_CASE("a group says of itself where what it inherits comes from") {
    const auto derived = parse_platform(R"({"name": "x", "base": "h200",
        "inherited": {"provenance": "assumed", "source": "of all"},
        "l2": {"inherited": {"provenance": "fitted", "source": "of l2"}, "ways": 8}})",
                                        "x.json");
    REQUIRE(derived.ok());
    CHECK(origin_of(*derived, "/l2/bytes").source == "of l2");
    CHECK(origin_of(*derived, "/l2/bytes").provenance == Provenance::fitted);
    CHECK(origin_of(*derived, "/l2/ways").source == "set by platform x");
    CHECK(origin_of(*derived, "/dram/channels").source == "of all");
}

TEST_CASE("an entry without a value gives the base's value another origin") {
    const auto base = load_platform("h200");
    REQUIRE(base.ok());
    const auto derived = parse_platform(R"({"name": "x", "base": "h200",
        "pipes": {"fma": {"latency_cycles": {"provenance": "assumed", "source": "as an H200's"}}}})",
                                        "x.json");
    REQUIRE(derived.ok());
    CHECK(derived->hash == base->hash);
    CHECK(origin_of(*derived, "/pipes/fma/latency_cycles").source == "as an H200's");
    CHECK(origin_of(*derived, "/pipes/fma/latency_cycles").provenance == Provenance::assumed);
    CHECK(origin_of(*derived, "/pipes/fma/issue_interval_cycles").source ==
          origin_of(*base, "/pipes/fma/issue_interval_cycles").source);

    WholePlatform whole;
    whole.at("/pipes/fma/latency_cycles").erase("value");
    CHECK(fault_text(whole.parse()) == "missing [test.json#/pipes/fma/latency_cycles/value]");
}

TEST_CASE("origins go down a chain until a platform gives another") {
    const Folder folder("platform-origins");
    folder.write("a.json", R"({"name": "a", "base": "h200", "l2": {"ways": 8},
        "inherited": {"provenance": "assumed", "source": "as on h200"}})");
    folder.write("b.json", R"({"name": "b", "base": "a.json", "gpu": {"sm_count": 20}})");
    const auto c =
        load_platform(folder.write("c.json", R"({"name": "c", "base": "b.json", "l2": {"bytes": 4194304}})"));
    REQUIRE(c.ok());
    CHECK(c->bases == std::vector<std::string>{"b", "a", "h200"});
    CHECK(c->platform.l2.ways == 8);
    CHECK(c->platform.gpu.sm_count == 20);
    CHECK(c->platform.l2.bytes == 4194304);
    CHECK(origin_of(*c, "/dram/channels").source == "as on h200");
    CHECK(origin_of(*c, "/l2/ways").source == "set by platform a");
    CHECK(origin_of(*c, "/gpu/sm_count").source == "set by platform b");
    CHECK(origin_of(*c, "/l2/bytes").source == "set by platform c");
}

TEST_CASE("faults of what is inherited") {
    WholePlatform whole;
    whole.json["inherited"] = Json{{"provenance", "assumed"}, {"source", "nowhere"}};
    CHECK(fault_text(whole.parse()) == "there is no base to inherit from; name one as \"base\" [test.json#/inherited]");
    const auto faults = [](const std::string& inherited) {
        return fault_text(parse_platform(R"({"name": "x", "base": "h200", "inherited": )" + inherited + "}", "x.json"));
    };
    CHECK(faults("3") == "expected an object, got 3 [x.json#/inherited]");
    CHECK(faults(R"({"provenance": "assumed"})") == "missing [x.json#/inherited/source]");
    CHECK_THAT(faults(R"({"provenance": "guessed", "source": "s"})"), Contains("x.json#/inherited/provenance"));
    CHECK_THAT(faults(R"({"provenance": "assumed", "source": ""})"),
               Contains("empty; say where the value comes from [x.json#/inherited/source]"));
    CHECK_THAT(faults(R"({"provenance": "assumed", "source": "s", "value": 3})"),
               Contains("unknown key") && Contains("x.json#/inherited/value"));
}

TEST_CASE("a chain of bases may be long, not endless") {
    const Folder folder("platform-chain");
    folder.write("0.json", R"({"name": "0", "base": "h200", "l2": {"ways": 8}})");
    std::string last;
    for (int i = 1; i <= 20; ++i)
        last = folder.write(std::to_string(i) + ".json", R"({"name": ")" + std::to_string(i) + R"(", "base": ")" +
                                                             std::to_string(i - 1) + R"(.json"})");
    const auto sixteenth = load_platform((std::filesystem::path(last).parent_path() / "15.json").string());
    REQUIRE(sixteenth.ok());
    CHECK(sixteenth->bases.size() == 16);
    CHECK(sixteenth->platform.l2.ways == 8);
    const std::string text = fault_text(load_platform(last));
    CHECK_THAT(text, Contains("more than 16 bases one upon another") && Contains("4.json#/base"));
}

TEST_CASE("a base that is not there is the only fault") {
    CHECK_THAT(fault_text(parse_platform(R"({"name": "x", "base": "nowhere"})", "x.json")),
               !Contains("faults") && Contains("there is no platform named \"nowhere\"") &&
                   Contains("there are a100") && Contains("[x.json#/base]"));
}

TEST_CASE("a platform without a field is refused, naming the field") {
    WholePlatform whole;
    const Json complete = whole.json;
    std::size_t fields = 0;
    const auto visit = [&](const auto& self, const Json& object, const std::string& pointer) -> void {
        for (const auto& [key, value] : object.items()) {
            if (!value.is_object()) continue;
            const std::string place = pointer + "/" + key;
            if (!value.contains("value")) {
                self(self, value, place);
                continue;
            }
            ++fields;
            whole.json = complete;
            whole.at(pointer).erase(key);
            CHECK_THAT(fault_text(whole.parse()), Contains("test.json#" + place) && Contains("missing"));
        }
    };
    visit(visit, complete, "");
    CHECK(fields >= 130);
}
