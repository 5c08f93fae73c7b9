#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include "tests/sass_text.hpp"
#include "validate/compare/hardware/counts.hpp"
#include "validate/compare/hardware/cycles.hpp"
#include "validate/compare/hardware/text.hpp"
#include "validate/records/measured.hpp"

using namespace sassafras;
using namespace sassafras::validate;

namespace {

/// A record in a folder of its own, removed at the end.
class Record {
  public:
    explicit Record(const std::string& name)
        : folder_(std::filesystem::temp_directory_path() / ("sassafras-test-" + name)) {
        std::filesystem::create_directories(folder_ / "source");
    }
    ~Record() { std::filesystem::remove_all(folder_); }
    Record(const Record&) = delete;
    Record& operator=(const Record&) = delete;
    void write(const std::string& file, const std::string& text) const { std::ofstream(folder_ / file) << text; }
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
};

constexpr const char* cycles_text =
    "workload,variant,n,used_for,launch,kernel,grid,block,cycles_median,time_ns_median,sm_clock_mhz,cycles_0,cycles_1,"
    "cycles_2\n"
    "sort,A,64,model,0,tile,1x1x1,32x1x1,1000,505,1980,990,1000,1010\n"
    "sort,A,64,model,1,\"round\",1x1x1,32x1x1,2000,1010,1980,1900,2000,\n"
    "sort,A,64,model,2,round,1x1x1,32x1x1,3000.5,1515,1980,3000,3001,4000\n";
constexpr const char* metrics_text =
    "workload,variant,n,launch,kernel,smsp__inst_executed.sum,smsp__thread_inst_executed.sum\n"
    "sort,A,64,0,tile,8,228\nsort,A,64,1,round,2,64\nsort,A,64,2,round,3,64\n";
constexpr const char* source_text =
    "launch,pc,inst_executed,thread_inst_executed,shared_wavefronts,shared_wavefronts_ideal,global_sectors\n"
    "0,0,4,128,,,\n"
    "0,10,4,100,8,4,16\n"
    "0,20,,,,,\n"
    "1,0,2,64,,,\n"
    "2,0,2,64,,,\n";

sim::SourceRow row(std::uint64_t pc, std::uint64_t executed, std::uint64_t threads) {
    sim::SourceRow made = source_rows::row_of(isa::Opcode::NOP);
    made.pc = pc;
    made.inst_executed = executed;
    made.thread_inst_executed = threads;
    return made;
}

std::vector<sim::KernelResult> equal_model() {
    std::vector<sim::KernelResult> kernels(3);
    kernels[0].name = "tile";
    kernels[1].name = kernels[2].name = "round";
    kernels[0].source = {row(0, 4, 128), row(0x10, 4, 100)};
    kernels[0].source[1].shared_wavefronts = 8;
    kernels[0].source[1].shared_wavefronts_ideal = 4;
    kernels[0].source[1].global_sectors = 16;
    kernels[1].source = {row(0, 2, 64)};
    kernels[2].source = {row(0, 2, 64)};
    kernels[0].metrics = {{"sm__cycles_elapsed.max"_metric, 1200}};
    kernels[1].metrics = {{"sm__cycles_elapsed.max"_metric, 1000}};
    kernels[2].metrics = {{"sm__cycles_elapsed.max"_metric, 3000.5}};
    return kernels;
}

std::vector<MeasuredRun> read_good(const Record& record) {
    record.write("cycles.csv", cycles_text);
    record.write("metrics.csv", metrics_text);
    record.write("source/sort-A-64.csv", source_text);
    auto runs = read_measured(record.folder());
    REQUIRE(runs.ok());
    return *runs;
}

}  // namespace

TEST_CASE("a hardware record is read whole") {
    const Record record("read");
    const auto runs = read_good(record);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].workload == "sort");
    CHECK(runs[0].n == 64);
    REQUIRE(runs[0].launches.size() == 3);
    CHECK(runs[0].launches[1].kernel == "round");
    CHECK(runs[0].launches[1].cycles == std::vector<double>{1900, 2000});
    CHECK(runs[0].launches[2].cycles_median == 3000.5);
    REQUIRE(runs[0].launches[0].source.size() == 3);
    CHECK(runs[0].launches[0].source[1].pc == 0x10);
    CHECK(runs[0].launches[0].source[1].counts == Counts{4, 100, 8, 4, 16});
}

TEST_CASE("a metric of several recordings is their median") {
    const Record record("again");
    const std::string header = "workload,variant,n,launch,kernel,smsp__inst_executed.sum,lts__t_sectors_op_write.sum\n";
    record.write("metrics_again.csv",
                 header + "sort,A,64,0,tile,8,300\nsort,A,64,1,round,2,\nsort,A,64,2,round,3,10\n");
    record.write("metrics_again_2.csv",
                 header + "sort,A,64,2,round,3,20\nsort,A,64,0,tile,8,100\nsort,A,64,1,round,2,7\n");
    const auto runs = read_good(record);
    const auto write = [&](std::size_t launch) {
        return runs[0].launches[launch].metrics.find("lts__t_sectors_op_write.sum"_metric);
    };
    CHECK(write(0) == 200);  // metrics.csv lacks it
    CHECK(write(1) == 7);
    CHECK(write(2) == 15);
    CHECK(runs[0].launches[0].metrics.find("smsp__thread_inst_executed.sum"_metric) == 228);
    const auto refused = [&](const std::string& rows) {
        record.write("metrics_again_2.csv", header + rows);
        const auto read = read_measured(record.folder());
        REQUIRE_FALSE(read.ok());
        return read.error().message();
    };
    CHECK_THAT(refused("sort,A,64,0,tile,8,1\nsort,A,64,1,other,2,7\nsort,A,64,2,round,3,20\n"),
               Catch::Contains("metrics_again_2.csv:3"));
    CHECK_THAT(refused("sort,A,64,0,tile,8,1\nsort,A,64,0,tile,8,1\n"), Catch::Contains("a second time"));
    CHECK_THAT(refused("sort,A,64,0,tile,8,1\n"), Catch::Contains("launch 1 of sort A n=64 is not in it"));
}

TEST_CASE("a record of cycles alone has neither metrics nor source") {
    const Record record("cycles");
    record.write("cycles.csv", cycles_text);
    std::filesystem::remove_all(record.folder() / "source");
    const auto runs = read_measured(record.folder());
    REQUIRE(runs.ok());
    CHECK((*runs)[0].launches[2].cycles_median == 3000.5);
    CHECK((*runs)[0].launches[0].source.empty());
}

TEST_CASE("a broken hardware record is refused with file and line") {
    const Record record("broken");
    CHECK_FALSE(read_measured(record.folder()).ok());
    const auto message = [&] { return read_measured(record.folder()).error().message(); };
    record.write("cycles.csv", cycles_text);
    CHECK_THAT(message(), Catch::Contains("metrics.csv"));
    record.write("metrics.csv", metrics_text);
    CHECK_THAT(message(), Catch::Contains("sort-A-64.csv"));
    SECTION("counters of other launches") {
        record.write("metrics.csv",
                     std::string(metrics_text).replace(std::string(metrics_text).find("round"), 5, "other"));
        CHECK_THAT(message(), Catch::Contains("metrics.csv:3"));
    }
    SECTION("a word where a number belongs") {
        record.write("source/sort-A-64.csv",
                     "launch,pc,inst_executed,thread_inst_executed,shared_wavefronts,shared_wavefronts_ideal,global_"
                     "sectors\n0,0,4x,1,1,1,1\n");
        CHECK_THAT(message(), Catch::Contains("4x") && Catch::Contains("sort-A-64.csv:2"));
    }
    SECTION("a missing column") {
        record.write("source/sort-A-64.csv", "launch,pc,inst_executed\n");
        CHECK_THAT(message(), Catch::Contains("thread_inst_executed"));
    }
    SECTION("a launch that cycles.csv does not know") {
        record.write("source/sort-A-64.csv", std::string(source_text) + "3,0,1,1,,,\n");
        CHECK_THAT(message(), Catch::Contains("launch 3"));
    }
    SECTION("a launch without instructions") {
        record.write("source/sort-A-64.csv",
                     "launch,pc,inst_executed,thread_inst_executed,shared_wavefronts,shared_wavefronts_ideal,global_"
                     "sectors\n0,0,4,128,,,\n");
        CHECK_THAT(message(), Catch::Contains("round"));
    }
    SECTION("a short row") {
        record.write("cycles.csv", std::string(cycles_text) + "sort,A\n");
        CHECK_THAT(message(), Catch::Contains("cycles.csv:5"));
    }
}

TEST_CASE("equal counts agree; rows of zeros do not count") {
    const Record record("equal");
    const auto runs = read_good(record);
    const auto kernels = compare_counts(runs[0], equal_model());
    REQUIRE(kernels.ok());
    REQUIRE(kernels->size() == 2);
    CHECK((*kernels)[0].instructions == 2);
    CHECK((*kernels)[0].agreeing == 2);
    CHECK((*kernels)[1].launches == 2);
    CHECK((*kernels)[1].instructions == 2);
    CHECK((*kernels)[1].agreeing == 2);
}

TEST_CASE("any count that differs is found") {
    const Record record("differ");
    const auto runs = read_good(record);
    auto model = equal_model();
    SECTION("each column") {
        const auto column = GENERATE(range(0, 5));
        sim::SourceRow& changed = model[0].source[1];
        ++(column == 0   ? changed.inst_executed
           : column == 1 ? changed.thread_inst_executed
           : column == 2 ? changed.shared_wavefronts
           : column == 3 ? changed.shared_wavefronts_ideal
                         : changed.global_sectors);
        const auto kernels = compare_counts(runs[0], model);
        REQUIRE(kernels.ok());
        CHECK((*kernels)[0].agreeing == 1);
        REQUIRE((*kernels)[0].differences.size() == 1);
        CHECK((*kernels)[0].differences[0].pc == 0x10);
        CHECK_THAT(counts_table(runs[0], *kernels, 5),
                   Catch::Contains("agree 1 of 2") &&
                       Catch::Contains(std::string(count_names[static_cast<std::size_t>(column)])));
    }
    SECTION("an instruction only the model ran") {
        model[2].source.push_back(row(0x40, 1, 1));
        const auto kernels = compare_counts(runs[0], model);
        REQUIRE(kernels.ok());
        CHECK((*kernels)[1].instructions == 3);
        CHECK((*kernels)[1].differences.at(0).launch == 2);
    }
    SECTION("an instruction only the hardware ran") {
        model[0].source.pop_back();
        const auto kernels = compare_counts(runs[0], model);
        REQUIRE(kernels.ok());
        CHECK((*kernels)[0].agreeing == 1);
        CHECK((*kernels)[0].instructions == 2);
    }
    SECTION("other launches") {
        model.pop_back();
        CHECK_FALSE(compare_counts(runs[0], model).ok());
        model = equal_model();
        std::swap(model[0], model[1]);
        CHECK_FALSE(compare_counts(runs[0], model).ok());
    }
}

TEST_CASE("a launch's sum is held against the hardware's own counter too") {
    const Record record("counter");
    const auto runs = read_good(record);
    auto model = equal_model();  // in launch 2 the counter has one execution more than the source page
    const auto counted = [&] {
        const auto kernels = compare_counts(runs[0], model);
        REQUIRE(kernels.ok());
        return (*kernels)[1];
    };
    CHECK(counted().launches_by_counter == 1);
    CHECK(counted().differences.empty());
    model[2].source[0].inst_executed = 3;
    CHECK(counted().launches_by_counter == 2);
    CHECK(counted().differences.size() == 1);
}

TEST_CASE("cycle errors are relative to the hardware, by launch and by kernel") {
    const Record record("cycles");
    const auto runs = read_good(record);
    const auto launches = compare_launch_cycles(runs[0], equal_model());
    REQUIRE(launches.ok());
    CHECK((*launches)[0].error_percent() == Approx(20));
    CHECK((*launches)[1].error_percent() == Approx(-50));
    CHECK((*launches)[2].error_percent() == Approx(0));
    CHECK((*launches)[2].most == 4000);
    const CycleErrors errors = summarise(*launches);
    CHECK(errors.mean_absolute_percent == Approx(70.0 / 3));
    CHECK(errors.greatest_absolute_percent == Approx(50));
    CHECK(errors.greatest == 1);
    const auto kernels = by_kernel(*launches);
    REQUIRE(kernels.size() == 2);
    CHECK(kernels[1].launches == 2);
    CHECK(kernels[1].error_percent() == Approx(100 * (4000.5 - 5000.5) / 5000.5));

    auto without_time = equal_model();
    without_time[1].metrics = {};
    CHECK_FALSE(compare_launch_cycles(runs[0], without_time).ok());
}
