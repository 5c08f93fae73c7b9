// Commands that a program runs: results and errors are values, and it can end them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <string>

#include "cli/commands/command_line.hpp"
#include "cli/options/own_place.hpp"
#include "core/interrupted.hpp"

using namespace sassafras;

namespace {

/// Keeps what a command says.
struct KeptConsole {
    std::string text;
    std::string notes;
    std::string json;
    cli::Console console;

    KeptConsole() {
        console.print = [this](std::string_view more) {
            text += more;
            return Result<void>();
        };
        console.note = [this](std::string_view more) { notes += more; };
        console.take_json = [this](std::string all) { json = std::move(all); };
    }
};

}  // namespace

TEST_CASE("a command's result is JSON and nothing else for a console that takes it") {
    KeptConsole kept;
    const auto status = cli::run_command({"run", "merge", "--n", "1024", "--device", "functional"}, kept.console);
    REQUIRE(status);
    CHECK(*status == 0);
    CHECK(kept.text.empty());
    CHECK(kept.notes.empty());
    const auto result = nlohmann::json::parse(kept.json);
    CHECK(result["verified"] == true);
    CHECK(result["command"] == nlohmann::json({"sassafras", "run", "merge", "--n", "1024", "--device", "functional"}));
}

TEST_CASE("what has no JSON is text") {
    KeptConsole kept;
    REQUIRE(cli::run_command({"list"}, kept.console));
    CHECK(kept.text.find("Workloads") == 0);
    CHECK(kept.json.empty());
    KeptConsole help;
    REQUIRE(cli::run_command({"run", "--help"}, help.console));
    CHECK(help.text.find("Usage: sassafras run") != std::string::npos);
}

TEST_CASE("errors of usage and of commands are values") {
    KeptConsole kept;
    for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                  {"rum"},
                                                  {"run"},
                                                  {"run", "sort", "--nonsense"},
                                                  {"run", "sort", "--platform", "none"}}) {
        const auto status = cli::run_command(words, kept.console);
        REQUIRE_FALSE(status);
        CHECK(status.error().kind == ErrorKind::bad_input);
        CHECK_FALSE(status.error().what.empty());
    }
    CHECK(kept.text.empty());
    CHECK(kept.notes.empty());
    CHECK(kept.json.empty());
}

TEST_CASE("a poll that throws ends whatever is simulated") {
    for (const char* device : {"simulated", "functional"}) {
        for (const char* threads : {"1", "3"}) {
            KeptConsole kept;
            std::atomic<int> left = 20;
            kept.console.poll = [&] {
                if (--left < 0) throw Interrupted();
            };
            CHECK_THROWS_AS(
                cli::run_command({"run", "sort", "--n", "2000000", "--device", device, "--threads", threads},
                                 kept.console),
                Interrupted);
            CHECK(kept.json.empty());
        }
    }
    KeptConsole kept;
    kept.console.poll = [] { throw Interrupted(); };
    CHECK_THROWS_AS(cli::run_command({"run", "sort", "--n", "2000000", "--sample"}, kept.console), Interrupted);
    CHECK_THROWS_AS(cli::run_command({"conflicts", "sort", "--n", "100000"}, kept.console), Interrupted);
    CHECK_THROWS_AS(cli::run_command({"validate", "merge", "--variant", "E15", "--quick"}, kept.console), Interrupted);
    CHECK_THROWS_AS(cli::run_command({"worst-case", "merge", "--n", "1024", "--metric", "smsp__inst_executed.sum", "-o",
                                      "/dev/null"},
                                     kept.console),
                    Interrupted);
    if (cli::runtime_library().empty()) return;  // no CUDA toolkit, so `exec` refuses before it begins
    CHECK_THROWS_AS(cli::run_command({"exec", "--", "sleep", "100"}, kept.console), Interrupted);
}
