#include <catch2/catch.hpp>

#include <string>

#include "validate/models/spt/known_instances.hpp"
#include "validate/records/measured.hpp"
#include "validate/records/recorded_run.hpp"

using namespace sassafras;
using namespace sassafras::validate;

namespace {

constexpr const char* header = "workload,variant,n,used_for,launch,kernel,cycles_median,cycles_0,cycles_1\n";

}  // namespace

TEST_CASE("a recorded run is the sum of its launches") {
    const auto runs = parse_recorded_runs(std::string(header) +
                                              "sort,mgpu,64,unseen,0,a,1000,990,1010\n"
                                              "sort,mgpu,64,unseen,1,b,2000,1900,\n"
                                              "sort,mgpu,128,model,0,a,3000.5,3000,3001\n",
                                          "cycles.csv");
    REQUIRE(runs.ok());
    REQUIRE(runs->size() == 2);
    const RecordedRun& first = runs->front();
    CHECK(first.workload == "sort");
    CHECK(first.variant == "mgpu");
    CHECK(first.n == 64);
    CHECK(first.launches == 2);
    CHECK(first.cycles == 3000);
    CHECK(first.least == 2890);
    CHECK(first.most == 3010);  // a missing repetition leaves the median
    CHECK(first.used_for == UsedFor::unseen);
    CHECK(runs->back().used_for == UsedFor::model);
    CHECK(runs->back().n == 128);
    CHECK(runs->back().cycles == 3000.5);
}

TEST_CASE("a record that is wrong says where") {
    const auto message = [](const std::string& rows) {
        const auto runs = parse_recorded_runs(header + rows, "cycles.csv");
        REQUIRE_FALSE(runs.ok());
        return runs.error().message();
    };
    CHECK_THAT(message("sort,mgpu,64,model,1,a,1,1,1\n"),
               Catch::Contains("numbered") && Catch::Contains("cycles.csv:2"));
    CHECK_THAT(message("sort,mgpu,64,model,0,a,many,1,1\n"), Catch::Contains("not a number"));
    CHECK_THAT(message("sort,mgpu\n"), Catch::Contains("2 cells"));
    CHECK_THAT(message("sort,mgpu,64,fit,0,a,1,1,1\n"), Catch::Contains("model or unseen, not 'fit'"));
    CHECK_THAT(message("sort,mgpu,64,model,0,a,1,1,1\nsort,mgpu,64,unseen,1,b,1,1,1\n"),
               Catch::Contains("different things") && Catch::Contains("cycles.csv:3"));
    CHECK_FALSE(parse_recorded_runs("", "cycles.csv").ok());
    CHECK_FALSE(parse_recorded_runs("workload\n", "cycles.csv").ok());
}

TEST_CASE("what the program carries is what the folder holds") {
    const auto carried = recorded_runs("h200");
    const auto folder = read_measured(SASSAFRAS_SOURCE_DIR "/validate/records/h200/measured");
    REQUIRE(carried.ok());
    REQUIRE(folder.ok());
    REQUIRE(carried->size() == folder->size());
    for (std::size_t i = 0; i < folder->size(); ++i) {
        const MeasuredRun& run = (*folder)[i];
        double cycles = 0;
        for (const MeasuredLaunch& launch : run.launches) cycles += launch.cycles_median;
        CHECK((*carried)[i].workload == run.workload);
        CHECK((*carried)[i].variant == run.variant);
        CHECK((*carried)[i].n == run.n);
        CHECK((*carried)[i].launches == run.launches.size());
        CHECK((*carried)[i].cycles == Approx(cycles));
        CHECK((*carried)[i].least <= (*carried)[i].cycles);
        CHECK((*carried)[i].most >= (*carried)[i].cycles);
    }
    const auto none = recorded_runs("algoparc");
    REQUIRE(none.ok());
    CHECK(none->empty());
}

TEST_CASE("instances are those of Table 4.2 and of the records") {
    const auto instance = spt::known_instance("h200");
    REQUIRE(instance.ok());
    CHECK(instance->name == "h200");
    CHECK(instance->cores == 132 * 128);
    CHECK(spt::known_instance("algoparc")->find("g")->latency_cycles == 269.5);
    const auto wrong = spt::known_instance("h20");
    REQUIRE_FALSE(wrong.ok());
    CHECK_THAT(wrong.error().message(), Catch::Contains("did you mean \"h200\""));
}
