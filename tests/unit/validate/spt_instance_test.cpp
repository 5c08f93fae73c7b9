// Table 4.2 and the file of an instance.
#include <catch2/catch.hpp>

#include <string>

#include "validate/models/spt/instance.hpp"

using namespace sassafras;
using namespace sassafras::validate::spt;

namespace {

const char* const complete = R"({"name": "mine", "provenance": "hand", "cores": 4, "warp_lanes": 32, "shared_words": 64,
 "register_words": 128, "threads_per_core": 16, "multiprocessors": 2, "clock_mhz": 1000, "sync_cycles": 500,
 "sync_interval_cycles": [490, 510],
 "operations": [{"symbol": "g", "name": "global", "latency_cycles": 300, "bandwidth_per_core_and_cycle": 0.03,
                 "hidden_by_ilp": true, "latency_interval_cycles": [295, 305]},
                {"symbol": "z", "name": "free", "latency_cycles": 3, "hidden_by_ilp": false}]})";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("the built-in machines agree with what the thesis says of them elsewhere") {
    REQUIRE(built_in_instances().size() == 3);
    const Instance& algoparc = built_in_instances()[0];
    REQUIRE(algoparc.name == "algoparc");
    // 4.2.1: "when M = 8 multiplicity ceases to hide latency", L_g = 8 / B_g; 4.3.1: L_s = 20 / B_s; 4.4.1: L_r = 6 /
    // B_r
    CHECK(algoparc.find("g")->latency_cycles == Approx(8 / algoparc.find("g")->bandwidth).epsilon(0.02));
    CHECK(algoparc.find("s")->latency_cycles == Approx(20 / algoparc.find("s")->bandwidth).epsilon(0.001));
    CHECK(algoparc.find("r")->latency_cycles == 6 / algoparc.find("r")->bandwidth);
    for (const Instance& instance : built_in_instances()) {
        // Table 4.1 in KiB: 1248, 512, 960 of shared memory
        const double kibibytes = instance.shared_words * 4 / 1024;
        CHECK(kibibytes == (instance.name == "algoparc" ? 1248 : instance.name == "gibson" ? 512 : 960));
        const double cores_of_an_sm = instance.cores / instance.multiprocessors;
        CHECK(cores_of_an_sm == (instance.name == "algoparc" ? 128 : 192));
        CHECK(instance.threads_per_core * cores_of_an_sm == Approx(2048));
        // "B_s is about 5 B_g" (7.1.4), from 4.7 to 7.7 in Table 4.2
        CHECK(instance.find("s")->bandwidth / instance.find("g")->bandwidth == Approx(6.2).margin(1.6));
        CHECK_FALSE(instance.find("y")->hidden_by_ilp);
        CHECK(instance.find("x") == nullptr);
    }
}

TEST_CASE("an instance comes back from its file") {
    for (const Instance& instance : built_in_instances()) {
        const std::string text = instance_json(instance);
        const auto read = parse_instance(text, "file");
        REQUIRE(read.ok());
        CHECK(instance_json(*read) == text);
        CHECK(read->threads_per_core == instance.threads_per_core);
    }
    const auto read = parse_instance(complete, "file");
    REQUIRE(read.ok());
    CHECK(read->find("g")->latency_interval->most == 305);
    CHECK(read->sync_interval->least == 490);
    CHECK(1 / read->find("z")->bandwidth == 0);  // left out: no bound
    CHECK(instance_json(*parse_instance(instance_json(*read), "again")) == instance_json(*read));
}

TEST_CASE("a faulty file is refused with every fault") {
    const auto faults = [](const std::string& text) {
        const auto read = parse_instance(text, "bad.json");
        REQUIRE_FALSE(read.ok());
        CHECK(read.error().kind == ErrorKind::bad_input);
        return read.error().message();
    };
    const std::string both = faults(replaced(replaced(complete, "\"cores\": 4", "\"core\": 4"), "300", "-1"));
    CHECK(both.find("cores") != std::string::npos);
    CHECK(both.find("/operations/0/latency_cycles") != std::string::npos);
    CHECK(faults(replaced(complete, "\"z\"", "\"g\"")).find("second time") != std::string::npos);
    CHECK(faults(replaced(complete, "[490, 510]", "[510, 490]")).find("/sync_interval_cycles") != std::string::npos);
    CHECK(faults(replaced(complete, "0.03,", "0,")).find("bandwidth") != std::string::npos);
    CHECK(faults(replaced(complete, "\"cores\": 4", "\"cores\": 4.5")).find("/cores") != std::string::npos);
    CHECK(faults(replaced(complete, "\"name\": \"", "\"name\": \"a\\n")).find("/name") != std::string::npos);
    CHECK(faults("{").find("bad.json") != std::string::npos);
}
