// Studies: what is kept of a run, the table of all, and what it says.
#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/random.hpp"
#include "study/pareto/elasticity.hpp"
#include "study/pareto/pareto.hpp"
#include "study/sweep/mpi_ranks.hpp"
#include "study/sweep/record_checksum.hpp"
#include "study/sweep/run_record.hpp"
#include "study/sweep/run_store.hpp"
#include "study/sweep/slurm_job.hpp"
#include "study/sweep/table.hpp"
#include "study/sweep/table_files.hpp"

using namespace sassafras;
using namespace sassafras::study;
using namespace sassafras::study::sweep;
using Catch::Contains;

namespace {

const PlannedRun some_run{{"run", "sort"}, {{"n", "5"}}};

RunEnd ended(int status, int signal, const char* report, const char* said) {
    RunEnd end;
    end.status = status;
    end.signal = signal;
    end.report = report;
    end.said = said;
    return end;
}

}  // namespace

TEST_CASE("a record does not say where or how fast a run was") {
    const RunEnd quick = ended(0, 0, R"({"total": {"cycles": 7, "wall_seconds": 1.5}})", "");
    RunEnd slow = ended(0, 0, R"({"total": {"cycles": 7, "wall_seconds": 99}})", "a warning");
    slow.seconds = 99;
    slow.peak_bytes = 1 << 20;
    CHECK(record_text(some_run, "k", "1", quick) == record_text(some_run, "k", "1", slow));
    CHECK_THAT(record_text(some_run, "k", "1", quick), Contains(R"("cycles":7)") && Contains(R"("status":"done")"));
}

TEST_CASE("a run that failed is a record with its error") {
    CHECK_THAT(record_text(some_run, "k", "1", ended(2, 0, "", "sassafras: error: no n [--n]\n")),
               Contains(R"("status":"failed")") && Contains(R"("error":"no n [--n]")"));
    CHECK_THAT(record_text(some_run, "k", "1", ended(0, 9, "", "")), Contains("killed by signal 9"));
    CHECK_FALSE(succeeded(ended(0, 0, "", "")));
    CHECK_FALSE(succeeded(ended(0, 0, "{", "")));
    CHECK_FALSE(succeeded(ended(1, 0, "{}", "")));
    CHECK(succeeded(ended(0, 0, "{}", "")));
}

TEST_CASE("a checksum finds every byte that is another, and every end that is missing") {
    const std::string record = record_text(some_run, "k", "1", ended(0, 0, R"({"total": {"cycles": 7}})", ""));
    CHECK(has_own_checksum(record));
    CHECK(nlohmann::json::parse(record)["checksum"].get<std::string>().size() == 16);
    for (std::size_t i = 0; i < record.size(); ++i) {
        std::string other = record;
        other[i] = static_cast<char>(other[i] ^ 1);
        CHECK_FALSE(has_own_checksum(other));
        CHECK_FALSE(has_own_checksum(record.substr(0, i)));
    }
}

TEST_CASE("a store knows its runs by their names, and a success replaces a failure") {
    const std::filesystem::path folder = "sweep_results_test.store";
    const RunStore store(folder);
    CHECK(store.states().empty());
    const std::string one(32, 'a');
    const std::string other(32, 'b');
    REQUIRE(store.write(one, RunStore::State::failed, "{}", folder).ok());
    REQUIRE(store.write(other, RunStore::State::done, "{}", folder).ok());
    CHECK(store.states().at(one) == RunStore::State::failed);
    CHECK(store.states().at(other) == RunStore::State::done);
    REQUIRE(store.write(one, RunStore::State::done, "{}", folder).ok());
    CHECK(store.states().at(one) == RunStore::State::done);
    CHECK_FALSE(std::filesystem::exists(store.place(one, RunStore::State::failed)));
    std::filesystem::remove_all(folder);
}

TEST_CASE("a table has a column for each name, and none is longer than its rows") {
    Table table;
    table.add_row();
    table.set("n", 5.0);
    table.set("total.cycles", 0.1);
    table.add_row();
    table.set("text", std::string("a \"b\",\nc"));
    table.set("n", 1e15);
    CHECK(csv_text(table) == "n,total.cycles,text\n5,0.1,\n1000000000000000,,\"a \"\"b\"\",\nc\"\n");
    CHECK((*table.find("cycles"))->name == "total.cycles");
    CHECK_FALSE((*table.find("text"))->is_numeric());
    CHECK_THAT(table.find("cycle").error().message(), Contains("\"cycles\""));
    CHECK_THAT(write_table(table, "x.parquet").error().message(), Contains(".npz"));
}

TEST_CASE("what was written stays as it was written") {
    for (const char* text : {"9007199254740993", "007", "0.50", "1e3", "18446744073709551615", "nan", "-5", "0"})
        CHECK(text_of(cell_of(text)) == text);
    CHECK(number_of(cell_of("0.50")) == 0.5);
    CHECK_FALSE(number_of(cell_of("007")).has_value());
    Table table;
    table.add_row();
    table.set("whole", cell_of("9007199254740993"));
    table.set("both", cell_of("9007199254740993"));
    table.set("text", cell_of("007"));
    table.set("real", cell_of("5"));
    table.set_text("none", "");
    table.add_row();
    table.set("both", cell_of("0.50"));
    table.set("real", cell_of("0.50"));
    const auto type = [&](const char* name) { return (*table.find(name))->type(); };
    CHECK(type("whole") == ColumnType::integer);
    CHECK(type("both") == ColumnType::text);
    CHECK(type("text") == ColumnType::text);
    CHECK(type("real") == ColumnType::real);
    CHECK(type("none") == ColumnType::text);
}

TEST_CASE("a list that is left out is in no row") {
    Table table;
    table.add_row();
    for (const char* name : {"list.0", "list.1", "list.name", "lists.0", "n"}) table.set(name, 1.0);
    table.leave_out_list("list");
    table.set("n", 2.0);
    CHECK(csv_text(table) == "list.name,lists.0,n\n1,1,2\n");
    CHECK(table.left_out_lists() == std::vector<std::string>{"list"});
}

TEST_CASE("files say what they cannot hold") {
    Table wide;
    wide.add_row();
    for (int i = 0; i < 2003; ++i) wide.set("c" + std::to_string(i), 1.0);
    CHECK(write_table(wide, "sweep_results_test.sqlite").value() == 3);
    CHECK(write_table(wide, "sweep_results_test.npz").value() == 0);
    std::filesystem::remove("sweep_results_test.sqlite");
    std::filesystem::remove("sweep_results_test.npz");
    Table large;
    large.add_row();
    large.set("words", std::string(1 << 12, 'a'));
    while (large.rows() != 1 << 18) large.add_row();  // 4 GiB as NumPy has text
    CHECK_THAT(write_table(large, "sweep_results_test.npz").error().message(), Contains("words") && Contains("4 GiB"));
    CHECK_FALSE(std::filesystem::exists("sweep_results_test.npz"));
}

TEST_CASE("numbers in a table are told from all others") {
    for (const double value : {0.0, -1.0, 0.1, 1.0 / 3.0, 1e300, 1e-300, 123456789012.0, 0x1p60})
        CHECK(std::stod(text_of(value)) == value);
    CHECK(text_of(Cell{}).empty());
}

TEST_CASE("Pareto's front has what nothing beats, once") {
    const double none = std::numeric_limits<double>::quiet_NaN();
    CHECK(pareto_front({{3, 1}, {1, 3}, {2, 2}, {3, 3}, {2, 2}, {none, 0}}) == std::vector<std::size_t>{1, 2, 0});
    CHECK(pareto_front({{2}, {1}, {1}}) == std::vector<std::size_t>{1});
    CHECK(pareto_front({}).empty());
    // Against the definition, of random points.
    Random random(1);
    for (int round = 0; round < 50; ++round) {
        std::vector<std::vector<double>> points;
        for (int i = 0; i < 40; ++i) {
            points.emplace_back();
            for (int k = 0; k < 3; ++k) points.back().push_back(static_cast<double>(random.below(6)));
        }
        const auto front = pareto_front(points);
        for (const auto& point : points) {
            bool covered = false;
            for (const std::size_t place : front) {
                bool as_small = true;
                for (std::size_t k = 0; k < 3; ++k) as_small = as_small && points[place][k] <= point[k];
                covered = covered || as_small;
                if (as_small && points[place] != point)
                    for (const std::size_t other : front) CHECK(points[other] != point);
            }
            CHECK(covered);
        }
    }
}

TEST_CASE("elasticities are the exponents of a product of powers") {
    std::vector<Sample> samples;
    for (const double a : {1.0, 2.0, 5.0})
        for (const double b : {1.0, 3.0})
            for (const char* group : {"x", "y"})
                samples.push_back({group, {a, b}, (*group == 'x' ? 7 : 1000) * std::pow(a, -0.5) * std::pow(b, 2)});
    samples.push_back({"x", {0, 1}, 1});  // no logarithm
    const auto fit = fit_elasticities({"a", "b"}, samples);
    REQUIRE(fit.ok());
    REQUIRE(fit->elasticities.size() == 2);
    CHECK(fit->elasticities[0].name == "b");
    CHECK(fit->elasticities[0].value == Approx(2));
    CHECK(fit->elasticities[1].value == Approx(-0.5));
    CHECK(fit->elasticities[1].margin < 1e-9);
    CHECK(fit->explained == Approx(1));
    CHECK(fit->samples == 12);
}

TEST_CASE("intervals of elasticities hold the truth as often as they say") {
    Random random(5);
    const auto noise = [&] { return (static_cast<double>(random.below(1'000'000)) + 0.5) / 1e6 - 0.5; };
    int held = 0;
    constexpr int rounds = 1000;
    for (int round = 0; round < rounds; ++round) {
        std::vector<Sample> samples;
        for (int i = 0; i < 12; ++i) {
            const double a = std::exp(noise());
            samples.push_back({"", {a}, std::pow(a, 0.7) * std::exp(0.1 * (noise() + noise() + noise()))});
        }
        const auto fit = fit_elasticities({"a"}, samples);
        REQUIRE(fit.ok());
        held += std::abs(fit->elasticities[0].value - 0.7) <= fit->elasticities[0].margin ? 1 : 0;
    }
    CHECK(held >= rounds * 93 / 100);
    CHECK(held <= rounds * 97 / 100);
}

TEST_CASE("what runs cannot tell is refused") {
    CHECK_THAT(fit_elasticities({"a"}, {{"", {1}, 1}}).error().message(), Contains("1 runs"));
    CHECK_THAT(fit_elasticities({"a", "b"}, {{"", {1, 2}, 1}, {"", {2, 4}, 2}, {"", {3, 6}, 3}}).error().message(),
               Contains("together"));
}

TEST_CASE("the script of a job array quotes what a shell would read") {
    SlurmOptions options;
    options.program = "/opt/it's here/sassafras";
    options.study = "/shared/a study";
    options.shards = 8;
    options.partition = "long";
    const std::string script = batch_script(options).value();
    CHECK_THAT(script, Contains("'/opt/it'\\''s here/sassafras' sweep run '/shared/a study'"));
    CHECK_THAT(script, Contains("--array=0-7") && Contains("--partition=long") && Contains("--requeue"));
    CHECK_THAT(script, !Contains("--account") && !Contains("--mem") && !Contains("{"));
}

TEST_CASE("a template of one's own is filled in") {
    SlurmOptions options;
    options.program = "/opt/sassafras";
    options.study = "/shared/study";
    options.shards = 3;
    options.memory = "2G";
    options.script_template =
        "#!/bin/bash\n#SBATCH -a {array}%2\n#SBATCH --mem {mem}\n#SBATCH -t {time}\necho ${HOME} {{time}} {time} of "
        "{shards}\nsrun {command}";
    CHECK(batch_script(options).value() ==
          "#!/bin/bash\n#SBATCH -a 0-2%2\n#SBATCH --mem 2G\necho ${HOME} {time}  of 3\nsrun '/opt/sassafras' sweep run "
          "'/shared/study' --shard \"$SLURM_ARRAY_TASK_ID/3\" --jobs 1");
    options.script_template = "#SBATCH -a {array}\n";
    CHECK_THAT(batch_script(options).error().message(), Contains("{command}"));
    options.script_template = "{command}\n";
    CHECK_THAT(batch_script(options).error().message(), Contains("{array}"));
    options.script_template = "#SBATCH -a {array} -p {queue}\n{command}\n";
    CHECK_THAT(batch_script(options).error().message(), Contains("{queue}") && Contains("{partition}"));
}

TEST_CASE("a process that no MPI started has no rank") {
    unsetenv("OMPI_COMM_WORLD_RANK");
    unsetenv("PMI_RANK");
    CHECK_FALSE(own_rank().has_value());
    setenv("OMPI_COMM_WORLD_RANK", "3", 1);
    setenv("OMPI_COMM_WORLD_SIZE", "8", 1);
    REQUIRE(own_rank().has_value());
    CHECK(own_rank()->index == 3);
    CHECK(own_rank()->count == 8);
    setenv("OMPI_COMM_WORLD_RANK", "8", 1);
    CHECK_FALSE(own_rank().has_value());
    unsetenv("OMPI_COMM_WORLD_RANK");
    unsetenv("OMPI_COMM_WORLD_SIZE");
}

TEST_CASE("what a run says may be no text, nothing, or very long") {
    const PlannedRun run{{"exec", "--", "./program"}, {{"a", "1"}}};
    RunEnd end;
    end.status = 3;
    const auto error = [&] {
        return nlohmann::json::parse(record_text(run, "key", "0", end)).at("error").get<std::string>();
    };
    end.said = "broken \xff\n";
    CHECK(error() == "broken \xef\xbf\xbd");
    end.said = "";
    CHECK(error() == "exit status 3");
    end.said = std::string(100'000, 'x');
    CHECK(error().size() < 5000);
}
