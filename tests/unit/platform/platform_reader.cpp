#include "sim/platform/platform_reader.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "sim/platform/platform_json.hpp"
#include "tests/unit/platform/fixture.hpp"

using namespace sassafras;
using namespace sassafras::sim;
using namespace sassafras::sim::test;
using Catch::Contains;

TEST_CASE("a whole platform gives every value") {
    WholePlatform whole;
    whole.at("/lsu/l1_ways/value") = 7;
    whole.at("/dram/bandwidth_gb_per_s/value") = 1234.5;
    whole.at("/sm/dependence_tracking/value") = "scoreboard";
    whole.at("/sm/max_warps") = Json{{"value", 48}, {"provenance", "fitted"}, {"source", "a reason"}};
    const auto resolved = whole.parse();
    REQUIRE(resolved.ok());
    CHECK(resolved->platform.name == "test");
    CHECK(resolved->platform.lsu.l1_ways == 7);
    CHECK(resolved->platform.dram.bandwidth_gb_per_s == 1234.5);
    CHECK(resolved->platform.sm.dependence_tracking == DependenceTracking::scoreboard);
    CHECK(resolved->platform.sm.max_warps == 48);
    CHECK(resolved->bases.empty());
    const auto origin = std::find_if(resolved->parameters.begin(), resolved->parameters.end(),
                                     [](const auto& parameter) { return parameter.pointer == "/sm/max_warps"; });
    REQUIRE(origin != resolved->parameters.end());
    CHECK(origin->provenance == Provenance::fitted);
    CHECK(origin->source == "a reason");
}

TEST_CASE("one fault of each kind is named with its pointer") {
    WholePlatform whole;
    SECTION("a fraction for an integer") {
        whole.at("/lsu/l1_ways/value") = 4.9;
        CHECK(fault_text(whole.parse()) ==
              "expected an integer from 1 to 1024, got 4.9 [test.json#/lsu/l1_ways/value]");
    }
    SECTION("true for a number") {
        whole.at("/clock/sm_mhz/value") = true;
        CHECK_THAT(fault_text(whole.parse()), Contains("got true [test.json#/clock/sm_mhz/value]"));
    }
    SECTION("negative for an unsigned") {
        whole.at("/pipes/xu/latency_cycles/value") = -1;
        CHECK(fault_text(whole.parse()) == "-1 is out of range: 1 to 10000 [test.json#/pipes/xu/latency_cycles/value]");
    }
    SECTION("a choice that is none") {
        whole.at("/sm/dependence_tracking/value") = "scoreboards";
        CHECK_THAT(fault_text(whole.parse()), Contains("\"control_codes\", \"scoreboard\", got \"scoreboards\""));
    }
    SECTION("a missing key") {
        whole.at("/l2").erase("ways");
        CHECK(fault_text(whole.parse()) == "missing [test.json#/l2/ways]");
    }
    SECTION("a missing group is one fault") {
        whole.json.erase("fetch");
        CHECK(fault_text(whole.parse()) == "missing [test.json#/fetch]");
    }
    SECTION("a missing name") {
        whole.json.erase("name");
        CHECK(fault_text(whole.parse()) == "missing [test.json#/name]");
    }
    SECTION("an unknown key") {
        whole.at("/sm/colour") = 1;
        CHECK_THAT(fault_text(whole.parse()),
                   Contains("unknown key; there are subcores, ") && Contains(" more [test.json#/sm/colour]"));
    }
    SECTION("a unit that is not the one of the model") {
        whole.at("/l2/hit_latency_ns") = whole.at("/l2/hit_latency_cycles");
        CHECK_THAT(fault_text(whole.parse()),
                   Contains("did you mean \"hit_latency_cycles\"? (the unit is part of the name)"));
    }
    SECTION("a plain value has no provenance") {
        whole.at("/l2/ways") = 16;
        CHECK_THAT(fault_text(whole.parse()), Contains("a whole platform gives each parameter as"));
    }
    SECTION("a missing provenance") {
        whole.at("/l2/ways").erase("provenance");
        CHECK(fault_text(whole.parse()) == "missing [test.json#/l2/ways/provenance]");
    }
    SECTION("a provenance that is none") {
        whole.at("/l2/ways/provenance") = "guessed";
        CHECK_THAT(fault_text(whole.parse()), Contains("got \"guessed\" [test.json#/l2/ways/provenance]"));
    }
    SECTION("an empty source") {
        whole.at("/l2/ways/source") = "";
        CHECK_THAT(fault_text(whole.parse()), Contains("[test.json#/l2/ways/source]"));
    }
    SECTION("a group that is no object") {
        whole.at("/l2") = 3;
        CHECK(fault_text(whole.parse()) == "expected an object, got 3 [test.json#/l2]");
    }
}

TEST_CASE("every fault is reported at once") {
    WholePlatform whole;
    whole.at("/lsu/l1_ways/value") = 4.9;
    whole.at("/lsu/queue_entries/value") = 0;
    whole.at("/l2").erase("ways");
    whole.at("/sm/max_wraps") = 3;
    whole.at("/fetch/line_bytes/value") = 96;
    whole.at("/sm/max_warps/value") = 3;  // less than /sm/subcores
    whole.at("/sm/max_threads_per_block/value") = 96;
    const std::string text = fault_text(whole.parse());
    CHECK_THAT(text, Contains("6 faults in test.json"));
    CHECK_THAT(text, Contains("test.json#/sm/subcores: 4 is more than /sm/max_warps (3)"));
    CHECK_THAT(text, Contains("test.json#/lsu/l1_ways/value: expected an integer"));
    CHECK_THAT(text, Contains("test.json#/lsu/queue_entries/value: 0 is out of range: 1 to 1024"));
    CHECK_THAT(text, Contains("test.json#/l2/ways: missing"));
    CHECK_THAT(text, Contains("test.json#/sm/max_wraps: unknown key; did you mean \"max_warps\"?"));
    CHECK_THAT(text, Contains("test.json#/fetch/line_bytes: 96 is no power of two"));
}

TEST_CASE("a list of numbers is read whole or not at all") {
    WholePlatform whole;
    whole.at("/sm/shared_carve_outs_bytes/value") = Json::array({1024, 4096});
    const auto resolved = whole.parse();
    REQUIRE(resolved.ok());
    CHECK(resolved->platform.sm.shared_carve_outs_bytes == std::vector<std::uint32_t>{1024, 4096});
    const auto again = parse_platform(platform_text(*resolved), "again.json");
    REQUIRE(again.ok());
    CHECK(again->platform.sm.shared_carve_outs_bytes == resolved->platform.sm.shared_carve_outs_bytes);
    CHECK(again->hash == resolved->hash);

    const auto fault = [](const Json& value) {
        WholePlatform damaged;
        damaged.at("/sm/shared_carve_outs_bytes/value") = value;
        return fault_text(damaged.parse());
    };
    CHECK_THAT(fault(1024), Contains("expected a list of integers [test.json#/sm/shared_carve_outs_bytes/value]"));
    CHECK_THAT(fault(Json::array()),
               Contains("expected a list of integers [test.json#/sm/shared_carve_outs_bytes/value]"));
    CHECK_THAT(fault(Json::array({1024, "a"})), Contains("expected an integer from 0 to 268435456, got \"a\""));
    CHECK_THAT(fault(Json::array({4096, 1024})),
               Contains("/sm/shared_carve_outs_bytes") && Contains("do not increase"));
    CHECK_THAT(fault(Json::array({1024, 1024})), Contains("do not increase"));
    whole.at("/sm/shared_carve_outs_bytes/value") = Json::array({1024, 4097});
    CHECK(whole.parse()->hash != resolved->hash);
}

TEST_CASE("syntax errors and keys that come twice name the file") {
    CHECK_THAT(fault_text(parse_platform("{\"name\": \"x\",\n  oops}", "bad.json")),
               Contains("line 2, column 3") && Contains("[bad.json]"));
    const auto twice =
        parse_platform(R"({"name": "x", "base": "h200", "sm": {"shared_banks": 16, "shared_banks": 8}})", "twice.json");
    CHECK(fault_text(twice) == "the key comes twice in this object [twice.json#/sm/shared_banks]");
    CHECK_THAT(fault_text(parse_platform("", "empty.json")), Contains("line 1, column 1"));
}

TEST_CASE("a derived platform changes what it names and nothing else") {
    const auto base = load_platform("h200");
    REQUIRE(base.ok());
    const auto derived = parse_platform(R"({"name": "banks", "base": "h200", "sm": {"shared_banks": 16},
        "pipes": {"fma": {"latency_cycles": {"value": 9, "provenance": "fitted", "source": "why"}}}})",
                                        "banks.json");
    REQUIRE(derived.ok());
    Platform expected = base->platform;
    expected.sm.shared_banks = 16;
    expected.pipes.fma.latency_cycles = 9;
    CHECK(derived->hash == platform_hash(expected));
    CHECK(derived->hash != base->hash);
    CHECK(derived->platform.name == "banks");
    CHECK(derived->bases == std::vector<std::string>{"h200"});

    REQUIRE(derived->parameters.size() == base->parameters.size());
    for (std::size_t i = 0; i < base->parameters.size(); ++i) {
        const ParameterOrigin& origin = derived->parameters[i];
        CAPTURE(origin.pointer);
        CHECK(origin.pointer == base->parameters[i].pointer);
        if (origin.pointer == "/sm/shared_banks") {
            CHECK(origin.provenance == Provenance::assumed);
            CHECK(origin.source == "set by platform banks");
        } else if (origin.pointer == "/pipes/fma/latency_cycles") {
            CHECK(origin.provenance == Provenance::fitted);
        } else {
            CHECK(origin.provenance == base->parameters[i].provenance);
            CHECK(origin.source == base->parameters[i].source);
        }
    }
}

TEST_CASE("faults of a derived platform") {
    CHECK_THAT(fault_text(parse_platform(R"({"name": "x", "base": "h20"})", "x.json")),
               Contains("did you mean \"h200\"?") && Contains("x.json#/base"));
    CHECK_THAT(fault_text(parse_platform(R"({"name": "x", "base": 3})", "x.json")), Contains("expected text, got 3"));
    const std::string text = fault_text(parse_platform(
        R"({"name": "x", "base": "h200", "sm": {"max_warps": 4.5, "subcore": 2}, "texture": {}})", "x.json"));
    CHECK_THAT(text, Contains("x.json#/sm/max_warps: expected an integer from 1 to 128, got 4.5"));
    CHECK_THAT(text, Contains("x.json#/sm/subcore: unknown key; did you mean \"subcores\"?"));
    CHECK_THAT(text, Contains("x.json#/texture: unknown key; there are name, ") && Contains("tlb"));
}

TEST_CASE("relations between parameters") {
    const auto faults = [](const std::string& changes) {
        return fault_text(parse_platform(R"({"name": "x", "base": "h200", )" + changes + "}", "x.json"));
    };
    CHECK_THAT(faults(R"("sm": {"shared_bytes": 262145})"),
               Contains("[x.json#/sm/shared_bytes]") && Contains("/sm/unified_l1_bytes (262144)"));
    CHECK_THAT(faults(R"("dram": {"page_bytes": 2097153})"),
               Contains("x.json#/dram/page_bytes: pages of 2097153 bytes: no power of two"));
    CHECK_THAT(faults(R"("dram": {"driver_bytes": 2097151})"),
               Contains("[x.json#/dram/driver_bytes]") && Contains("no whole pages of 2097152 bytes"));
    CHECK_THAT(faults(R"("sm": {"subcores": 16, "max_warps": 15, "max_threads_per_block": 480})"),
               Contains("[x.json#/sm/subcores]") && Contains("16 is more than /sm/max_warps (15)"));
    CHECK_THAT(faults(R"("sm": {"registers": 65536, "register_allocation_unit": 32768})"),
               Contains("less than an allocation unit for each of 4 sub-cores"));
    CHECK_THAT(faults(R"("lsu": {"sector_bytes": 256})"), Contains("[x.json#/lsu/l1_line_bytes]"));
    CHECK_THAT(faults(R"("gpu": {"gpc_sms": 66})"), Contains("[x.json#/gpu/gpc_sms]"));
    CHECK_THAT(faults(R"("l2": {"slices": 95})"), Contains("[x.json#/l2/slices]"));
    CHECK_THAT(faults(R"("dram": {"channels": 47})"), Contains("[x.json#/dram/channels]"));
    CHECK_THAT(faults(R"("dram": {"channels": 192})"), Contains("192 is more than /l2/slices"));
    CHECK_THAT(faults(R"("dram": {"refresh_cycles": 3805})"), Contains("a bank would never answer"));
    // 1980 MHz: 14 ns are 28 cycles each.
    const std::string open_rows = R"("dram": {"scheduler": "first_ready_open_rows", "t_rcd_ns": 14, "t_cas_ns": 14, )";
    CHECK_THAT(faults(open_rows + R"("latency_cycles": 55})"), Contains("[x.json#/dram/latency_cycles]") &&
                                                                   Contains("55 is less than t_rcd_ns and t_cas_ns") &&
                                                                   Contains("56 cycles"));
    CHECK(parse_platform(R"({"name": "x", "base": "h200", )" + open_rows + R"("latency_cycles": 56}})", "x").ok());
    CHECK(parse_platform(R"({"name": "x", "base": "h200", "dram": {"latency_cycles": 55}})", "x").ok());
    CHECK_THAT(faults(R"("dram": {"t_rrd_ns": 0})"),
               Contains("[x.json#/dram/scheduler]") && Contains("bounds nothing"));
    CHECK_THAT(faults(R"("dram": {"banks": 65536})"), Contains("more than 1048576 banks"));
    CHECK_THAT(faults(R"("tlb": {"l2": {"entries": 48, "sets": 7, "ways": 8}})"),
               Contains("[x.json#/tlb/l2/entries]") && Contains("48 entries leave none for the first of 7 sets"));
    CHECK(parse_platform(R"({"name": "x", "base": "h200", "tlb": {"l2": {"entries": 49, "sets": 7, "ways": 8}}})", "x")
              .ok());
    CHECK_THAT(faults(R"("tlb": {"l1": {"entries": 1, "page_bytes": 3000}})"), Contains("[x.json#/tlb/l1/page_bytes]"));
    CHECK_THAT(faults(R"("sm": {"register_allocation_unit": 257})"), Contains("#/sm/registers"));
    CHECK_THAT(faults(R"("sm": {"max_shared_per_block_bytes": 233472})"),
               Contains("[x.json#/sm/max_shared_per_block_bytes]"));
    CHECK_THAT(faults(R"("sm": {"max_threads_per_block": 1000})"), Contains("no multiple of the warp size"));
    CHECK_THAT(faults(R"("sm": {"max_threads_per_block": 2080})"), Contains("does not fit into 64 warps"));
    CHECK_THAT(faults(R"("sm": {"max_warps": 128, "max_threads_per_block": 4096})"),
               Contains("more than 2048 threads (64 warps) are not modelled"));
    CHECK_THAT(faults(R"("sm": {"shared_bank_bytes": 12})"), Contains("no power of two"));
    CHECK_THAT(faults(R"("fetch": {"l0_lines": 65, "l1_lines": 64})"),
               Contains("65 is more than /fetch/l1_lines (64)"));
    CHECK_THAT(faults(R"("l2": {"bytes": 1024})"), Contains("[x.json#/l2/bytes]"));
    CHECK_THAT(faults(R"("gpu": {"sm_count": 1})"), Contains("more than /gpu/sm_count (1)"));
    CHECK_THAT(faults(R"("sm": {"max_warps": 30, "shared_bytes": 262145})"), Contains("2 faults"));
}

TEST_CASE("bases can be files, can be chained, and cannot be circular") {
    const Folder folder("platform-bases");
    folder.write("a.json", R"({"name": "a", "base": "h200", "gpu": {"sm_count": 10}, "l2": {"ways": 8}})");
    const std::string b = folder.write("b.json", R"({"name": "b", "base": "./a.json", "gpu": {"sm_count": 20}})");
    const auto resolved = load_platform(b);
    REQUIRE(resolved.ok());
    CHECK(resolved->platform.gpu.sm_count == 20);
    CHECK(resolved->platform.l2.ways == 8);
    CHECK(resolved->bases == std::vector<std::string>{"a", "h200"});

    const std::string round = folder.write("round.json", R"({"name": "round", "base": "trip.json"})");
    folder.write("trip.json", R"({"name": "trip", "base": "../sassafras-test-platform-bases/round.json"})");
    CHECK_THAT(fault_text(load_platform(round)),
               Contains("trip.json#/base") && Contains("is based on this platform itself; name a base that is not"));

    folder.write("broken.json", R"({"name": "broken", "base": "h200", "gpu": {"sm_count": 0}})");
    const std::string on_broken =
        folder.write("on_broken.json", R"({"name": "on_broken", "base": "broken.json", "gpu": {"sm_counts": 3}})");
    CHECK_THAT(fault_text(load_platform(on_broken)),
               Contains("broken.json#/gpu/sm_count: 0 is out of range") &&
                   Contains("on_broken.json#/gpu/sm_counts: unknown key; did you mean \"sm_count\"?"));
}

TEST_CASE("a file needs no slash and no .json; the name of a built-in platform is not looked up as one") {
    const Folder folder("platform-names");
    folder.write("mine", R"({"name": "mine", "base": "h200", "gpu": {"sm_count": 10}})");
    folder.write("h200", R"({"name": "other", "base": "h200-half"})");
    const auto resolved = load_platform(folder.write("on_mine.json", R"({"name": "on_mine", "base": "mine"})"));
    REQUIRE(resolved.ok());
    CHECK(resolved->bases == std::vector<std::string>{"mine", "h200"});
    CHECK(resolved->platform.gpu.sm_count == 10);
    CHECK(load_platform(folder.write("on_file.json", R"({"name": "on_file", "base": "./h200"})"))->bases.front() ==
          "other");
}

TEST_CASE("names and paths that are not there") {
    CHECK_THAT(fault_text(load_platform("h20")),
               Contains("there is no platform named \"h20\"") && Contains("did you mean \"h200\"?"));
    CHECK_THAT(fault_text(load_platform("")), Contains("there is no platform named \"\"") && Contains("h200-half"));
    CHECK_THAT(fault_text(load_platform("nowhere/x.json")), Contains("[nowhere/x.json]"));
    CHECK_THAT(fault_text(load_platform("./")), Contains("cannot be read"));
}

TEST_CASE("the hash is of values alone") {
    WholePlatform whole;
    const auto first = whole.parse();
    REQUIRE(first.ok());
    CHECK(first->hash.size() == 16);

    // Groups and keys in the opposite order, other name, other provenance: the same machine.
    Json reversed = Json::object();
    const auto reverse = [](const auto& self, const Json& from) -> Json {
        if (!from.is_object()) return from;
        Json to = Json::object();
        for (auto item = from.rbegin(); item != from.rend(); ++item) to[item.key()] = self(self, item.value());
        return to;
    };
    WholePlatform other;
    other.json = reverse(reverse, whole.json);
    other.at("/name") = "other";
    other.at("/l2/ways/provenance") = "fitted";
    CHECK(other.parse()->hash == first->hash);

    other.at("/l2/ways/value") = 15;
    CHECK(other.parse()->hash != first->hash);
}

TEST_CASE("limits are read, and written back, and decide no result: neither the hash nor a report has them") {
    WholePlatform whole;
    const auto first = whole.parse();
    REQUIRE(first.ok());
    whole.at("/limits/max_grid_y/value") = 1234;
    whole.at("/limits/textures/layers_1d/value") = 5;
    const auto changed = whole.parse();
    REQUIRE(changed.ok());
    CHECK(changed->platform.limits.max_grid_y == 1234);
    CHECK(changed->platform.limits.textures.layers_1d == 5);
    CHECK(changed->hash == first->hash);
    CHECK(platform_json(*changed) == platform_json(*first));
    CHECK_FALSE(platform_json(*changed).contains("limits"));
    const auto again = parse_platform(platform_text(*changed), "again.json");
    REQUIRE(again.ok());
    CHECK(again->platform.limits.max_grid_y == 1234);
}

TEST_CASE("a platform that was not read has no numbers") {
    const Platform nothing;
    CHECK(nothing.name.empty());
    CHECK(nothing.gpu.sm_count == 0);
    CHECK(nothing.clock.sm_mhz == 0);
    CHECK(nothing.sm.shared_carve_outs_bytes.empty());
    CHECK(nothing.pipes.fma.latency_cycles == 0);
    CHECK(nothing.limits.max_grid_x == 0);
}

TEST_CASE("a resolved platform can be written and read back as a whole one") {
    const auto half = load_platform("h200-half");
    REQUIRE(half.ok());
    const auto again = parse_platform(platform_text(*half), "written.json");
    REQUIRE(again.ok());
    CHECK(again->hash == half->hash);
    CHECK(again->platform.name == half->platform.name);
    CHECK(again->bases.empty());
    CHECK(platform_text(*again) == platform_text(*half));
}
