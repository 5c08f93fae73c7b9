// Studies: what describes them, the runs that they have, and what each is known by.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "study/sweep/description.hpp"
#include "study/sweep/plan.hpp"
#include "study/sweep/run_keys.hpp"

using namespace sassafras;
using namespace sassafras::study::sweep;
using Catch::Contains;

namespace {

Description described(const std::string& text) {
    const auto description = parse_description(text, "study.json");
    INFO((description ? "" : description.error().message()));
    REQUIRE(description.ok());
    return *description;
}

std::string fault(const std::string& text) {
    const auto description = parse_description(text, "study.json");
    return description ? "" : description.error().message();
}

std::vector<std::string> commands_of(const Description& description) {
    const auto runs = plan(description);
    REQUIRE(runs.ok());
    std::vector<std::string> commands;
    for (const PlannedRun& run : *runs) commands.push_back(fmt::format("{}", fmt::join(run.command, " ")));
    return commands;
}

std::string key_of(std::vector<std::string> command, const std::string& version = "1") {
    InputFiles files;
    auto key = RunKeys(version, files).of(command);
    REQUIRE(key.ok());
    return key->digits;
}

}  // namespace

TEST_CASE("parameters are named as no other column is") {
    for (const char* name : {"run", "status", "error", "key", "command", "launches", "Status"})
        CHECK_THAT(fault(fmt::format(R"({{"command": "run sort", "vary": {{"{}": [1]}}}})", name)), Contains("column"));
    CHECK_THAT(fault(R"({"command": "run sort", "vary": {"n": [1], "N": [2]}})"), Contains("case only"));
    CHECK(fault(R"({"command": "run sort", "vary": {"n": [1], "runs": [2]}})").empty());
}

TEST_CASE("a study of all combinations has the last axis change fastest") {
    const auto commands = commands_of(described(
        R"({"command": "run sort", "vary": {"n": "2^2..2^3", "seed": [7, 8]}, "set": {"l2.bytes": "1k,2k"}})"));
    REQUIRE(commands.size() == 8);
    CHECK(commands[0] == "run sort --n 4 --seed 7 --set l2.bytes=1024");
    CHECK(commands[1] == "run sort --n 4 --seed 7 --set l2.bytes=2048");
    CHECK(commands[2] == "run sort --n 4 --seed 8 --set l2.bytes=1024");
    CHECK(commands[7] == "run sort --n 8 --seed 8 --set l2.bytes=2048");
}

TEST_CASE("a list takes the axes side by side, and commands follow each other") {
    const auto commands = commands_of(described(
        R"({"commands": ["run sort", ["run", "merge"]], "vary": {"n": [1, 2], "E": "15,17"}, "design": "list"})"));
    CHECK(commands == std::vector<std::string>{"run sort --n 1 --E 15", "run sort --n 2 --E 17",
                                               "run merge --n 1 --E 15", "run merge --n 2 --E 17"});
}

TEST_CASE("a value goes where the command names it, and never behind a program's --") {
    const auto commands = commands_of(
        described(R"({"command": "exec --sample -- ./program {n} x{n}", "vary": {"n": [5], "platform": ["a100"]}})"));
    CHECK(commands == std::vector<std::string>{"exec --sample --platform a100 -- ./program 5 x5"});
}

TEST_CASE("a Sobol design takes other runs of the product, evenly") {
    Description description = described(
        R"({"command": "run sort", "vary": {"n": "1..64:+1", "seed": "1..64:+1"}, "design": "sobol:256", "seed": 3})");
    const auto runs = plan(description);
    REQUIRE(runs.ok());
    REQUIRE(runs->size() == 256);
    std::set<std::vector<std::string>> seen;
    std::vector<int> quarters(16);
    for (const PlannedRun& run : *runs) {
        CHECK(seen.insert(run.command).second);
        const int n = std::stoi(run.parameters[0].second) - 1;
        const int seed = std::stoi(run.parameters[1].second) - 1;
        ++quarters[static_cast<std::size_t>(n / 16 * 4 + seed / 16)];
    }
    CHECK(*std::min_element(quarters.begin(), quarters.end()) >= 14);
    CHECK(*std::max_element(quarters.begin(), quarters.end()) <= 18);
    CHECK(commands_of(description) == commands_of(description));
    description.samples = 100'000;
    CHECK(plan(description)->size() <= 64 * 64);
}

TEST_CASE("a description is read back from its text") {
    for (const char* text :
         {R"({"command": "run sort"})",
          R"({"commands": ["run sort", "run merge"], "vary": {"n": "1..4"}, "set": {"gpu.sm_count": "66,132"}})",
          R"({"command": "run sort", "vary": {"n": "1..100:+1"}, "design": "sobol:7", "seed": 5})"}) {
        const Description description = described(text);
        CHECK(described(description_text(description)) == description);
    }
}

TEST_CASE("what describes no study is refused, with its place") {
    CHECK_THAT(fault("{}"), Contains("no command") && Contains("study.json"));
    CHECK_THAT(fault(R"({"command": 5})"), Contains("/command"));
    CHECK_THAT(fault(R"({"command": "run", "vary": {"n": ""}})"), Contains("/vary/n"));
    CHECK_THAT(fault(R"({"command": "run", "vary": {"n": "9..1"}})"), Contains("/vary/n") && Contains("goes down"));
    CHECK_THAT(fault(R"({"command": "run", "vary": {"n": [[1]]}})"), Contains("/vary/n"));
    CHECK_THAT(fault(R"({"command": "run", "vary": []})"), Contains("/vary"));
    CHECK_THAT(fault(R"({"command": "run", "varry": {}})"), Contains("/varry") && Contains("\"vary\""));
    CHECK_THAT(fault(R"({"command": "run", "design": "grid"})"), Contains("/design"));
    CHECK_THAT(fault(R"({"command": "run", "design": "sobol:0"})"), Contains("/design"));
    CHECK_THAT(fault(R"({"command": "run", "vary": {"n": [1]}, "set": {"n": [1]}})"), Contains("twice"));
    CHECK_THAT(fault(R"({"command": "run", "vary": {"a": [1], "b": [1, 2]}, "design": "list"})"), Contains("b"));
    CHECK_FALSE(plan(described(R"({"command": "run", "vary": {"a": "1..2000:+1", "b": "1..2000:+1"}})")).ok());
}

TEST_CASE("a run's key is of all that its result depends on, and of nothing else") {
    const std::vector<std::string> run{"run", "sort", "--n", "1000"};
    const auto with = [&](std::initializer_list<std::string> more) {
        std::vector<std::string> words = run;
        words.insert(words.end(), more);
        return key_of(words);
    };
    CHECK(key_of(run).size() == 32);
    CHECK(with({"--threads", "7"}) == key_of(run));
    CHECK(with({"--json", "x.json"}) == key_of(run));
    CHECK(with({"--threads=7", "--json=x.json"}) == key_of(run));
    CHECK(with({"--platform=a100"}) == with({"--platform", "a100"}));
    CHECK(with({"--set=l2.bytes=25M"}) == with({"--set", "l2.bytes=26214400"}));
    CHECK(with({"--set", "l2.bytes=25M"}) == with({"--set", "l2.bytes=26214400"}));
    std::set<std::string> keys{key_of(run),
                               key_of(run, "2"),
                               with({"--seed", "2"}),
                               with({"--set", "l2.bytes=25M"}),
                               with({"--set", "l2.bytes=26M"}),
                               with({"--platform", "a100"}),
                               with({"--", "--threads", "7"}),
                               with({"--", "--threads", "8"}),
                               key_of({"run", "sort", "--n 1000"})};
    CHECK(keys.size() == 9);
}

TEST_CASE("a run's key changes with the files that its words name") {
    const std::string file = "sweep_plan_test.input";
    std::set<std::string> keys;
    for (const char* content : {"", "a", "b"}) {
        std::ofstream(file, std::ios::trunc) << content;
        keys.insert(key_of({"run", "sort", "--keys", file}));
        keys.insert(key_of({"launch", "--arg", "file:" + file}));
        keys.insert(key_of({"launch", "--cubin=" + file}));
    }
    std::remove(file.c_str());
    keys.insert(key_of({"run", "sort", "--keys", file}));
    CHECK(keys.size() == 10);
}
