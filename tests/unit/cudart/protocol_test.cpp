// What the library in a program and `sassafras exec` write for each other reads back as it was.
#include <catch2/catch.hpp>

#include <optional>
#include <tuple>

#include "cudart/protocol/exec_settings.hpp"
#include "cudart/protocol/launch_record.hpp"
#include "tests/sass_text.hpp"

namespace sassafras::cudart {
namespace {

sim::KernelResult some_result() {
    sim::KernelResult result;
    result.name = "_Z1kPi";
    result.grid = {3, 4, 5};
    result.block = {32, 2, 1};
    result.registers_per_thread = 40;
    result.most_registers_per_thread = 63;
    result.static_shared = Bytes{123};
    result.dynamic_shared = Bytes{456};
    result.metrics = {{"gpu__time_duration.sum"_metric, 1234.5678901234567},
                      {"smsp__inst_executed.sum"_metric, 1e15},
                      {"sm__cycles_active.sum"_metric, 3}};
    result.source.push_back({0x10, source_rows::shared_load(), 1, 32, 2, 1, 4, {}});
    result.source[0].stalls[index_of(sim::Stall::wait)] = 7;
    return result;
}

TEST_CASE("Settings read back as they were") {
    ExecSettings settings;
    settings.device = ExecSettings::Device::capture;
    settings.platform = "{\n\"name\": \"x\"}";
    settings.threads = 3;
    settings.cold_caches = true;
    settings.instruction_limit = 1ULL << 60U;
    settings.source = true;
    settings.check = true;
    settings.profile_interval = 1000;
    settings.blocks_of_launch = 5;
    settings.most_blocks = 7;
    settings.nvtx = true;
    settings.lists_work = true;
    settings.selection = {.kernel = "regex:k",
                          .base = sim::LaunchSelection::NameBase::mangled,
                          .kernel_id = "::k:2",
                          .ranges = {"a", "b/"},
                          .skip_before = 1,
                          .skip = 2,
                          .count = 3};
    settings.times_unselected = true;
    settings.full_metrics = true;
    settings.records = "/a b/\"c\"";
    settings.trace_folder = "traces";
    settings.module_folder = "modules";
    settings.explained = {.kernel = "k(int*)", .pc = 0x4a0, .number = std::nullopt};
    const auto read = parse_settings(to_json(settings), "here");
    REQUIRE(read);
    CHECK(to_json(*read) == to_json(settings));
    CHECK(read->records == settings.records);
    CHECK(read->selection == settings.selection);
    CHECK(read->explained.kernel == "k(int*)");
    CHECK(read->explained.pc == std::optional<std::uint64_t>(0x4a0));
    CHECK_FALSE(read->explained.number.has_value());
    CHECK_FALSE(parse_settings("{}", "here"));
    CHECK_FALSE(parse_settings("", "here"));
}

TEST_CASE("What has its place in time reads back as it was, by process") {
    using Kind = TimelineEntry::Kind;
    const TimelineEntry copy{Kind::copy, 0.1, 1e9 + 0.25, 3, "stream 7", "pageable HtoD", 1ULL << 40U, 1, 0};
    TimelineEntry range{Kind::range_start, 2, 2, 0, "my \"domain\"", "", 9, 1, 0};
    sim::KernelResult result = some_result();
    result.profile.interval = 500;
    result.profile.intervals.push_back({0, 750, 1, 2, 3, 4, 5, 6, {}});
    result.profile.intervals[0].stalls[2] = 8;
    result.profile.blocks.push_back({1ULL << 40U, 131, 2, 3});
    result.profile.blocks_left_out = 4;
    range.count = 3;
    range.call = 1;
    TimelineEntry kernel;
    kernel.end = 5;
    kernel.track = "default stream";
    const std::string text = start_line(7) + launch_line(result, false, 7) + timeline_line(7, {range, copy}) +
                             start_line(9) + launch_line(result, false, 9) + timeline_line(9, {kernel}) +
                             start_line(7) + timeline_line(7, {copy}) + start_line(11) + timeline_line(12, {copy});
    const auto records = parse_records(text, "records");
    REQUIRE(records);
    REQUIRE(records->timeline.size() == 5);
    CHECK(timeline_line(0, {records->timeline[0], records->timeline[1]}) == timeline_line(0, {copy, range}));
    // The first one became another program; one that does nothing has no number; its child has no start of its own.
    const std::vector<std::size_t> processes{0, 0, 1, 2, 3};
    for (std::size_t i = 0; i < 5; ++i) CHECK(records->timeline[i].process == processes[i]);
    CHECK(records->timeline[2].track == "default stream");
    CHECK(records->timeline[2].number == 1);  // of all launches, the first of its process
    CHECK_FALSE(
        parse_records(start_line(9) + launch_line(result, false, 9) + start_line(9) + timeline_line(9, {kernel}),
                      "records"));  // of the program before
    const sim::LaunchProfile& read = records->kernels.at(0).profile;
    CHECK(read.interval == 500);
    REQUIRE(read.intervals.size() == 1);
    CHECK(read.intervals[0].end == 750);
    CHECK(read.intervals[0].dram_bytes_write == 6);
    CHECK(read.intervals[0].stalls[2] == 8);
    REQUIRE(read.blocks.size() == 1);
    CHECK(read.blocks[0].block == 1ULL << 40U);
    CHECK(read.blocks_left_out == 4);
    for (const char* damaged : {R"({"timeline":"99 0 0 0 0 0 0 1 0 ","names":["a"],"process":1})",
                                R"({"timeline":"0 2 1 0 0 0 0 1 0 ","names":["a"],"process":1})",
                                R"({"timeline":"0 1 2 0 0 1 0 1 0 ","names":["a"],"process":1})",
                                R"({"timeline":"0 1 2 0 0 0 0 1 0","names":["a"],"process":1})",
                                R"({"timeline":"0 ","names":["a"],"process":1})"})
        CHECK_FALSE(parse_records(std::string(damaged) + "\n", "records"));
}

TEST_CASE("Launches, troubles and findings read back as they were") {
    const sim::KernelResult result = some_result();
    sim::Finding finding;
    finding.tool = sim::FindingTool::racecheck;
    finding.kernel = "k(int*)";
    finding.what = "Potential RAW hazard";
    finding.details = {"a", "b"};
    finding.places.push_back({"Write", 0x40, "STS", "k.cu", 12, {"a.cu:3"}, {1, 2, 3}, {4, 5, 6}});
    finding.count = 9;
    const std::string text = start_line(7) + launch_line(result, true) + launch_line(result, false) +
                             trouble_line({"it broke", 3, true}) + trouble_line({"a kernel failed", 1}) +
                             failed_line({"f", {7, 1, 1}, {32, 2, 1}, "why", 0}) +
                             traced_line({"0001-k.sft", "k", 1, 2, 3, ~std::uint64_t{0}, {}, {6, false}}) +
                             findings_line(7, {}) + findings_line(7, {finding});
    const auto records = parse_records(text, "records");
    REQUIRE(records);
    CHECK(records->started);
    REQUIRE(records->kernels.size() == 2);
    const sim::KernelResult& read = records->kernels[0];
    CHECK(read.name == result.name);
    CHECK(read.grid == result.grid);
    CHECK(read.block == result.block);
    CHECK(read.registers_per_thread == 40);
    CHECK(read.most_registers_per_thread == 63);
    CHECK(read.static_shared.count == 123);
    CHECK(read.dynamic_shared.count == 456);
    CHECK(read.metrics == result.metrics);
    REQUIRE(read.source.size() == 1);
    CHECK(source_rows::sass(read.source[0]) == "LDS R28, [R20]");
    CHECK(read.source[0].pc == 0x10);
    CHECK(read.source[0].stalls == result.source[0].stalls);
    CHECK(records->kernels[1].source.empty());
    REQUIRE(records->traced.size() == 1);
    CHECK(records->traced[0].file == "0001-k.sft");
    CHECK(records->traced[0].bytes == 3);
    CHECK(records->traced[0].checksum == ~std::uint64_t{0});
    CHECK(records->traced[0].dealt_from == sim::DealtFrom{6, false});
    REQUIRE(records->failed.size() == 1);
    CHECK(records->failed[0].kernel == "f");
    CHECK(records->failed[0].grid == Dim3{7, 1, 1});
    CHECK(records->failed[0].block == Dim3{32, 2, 1});
    CHECK(records->failed[0].message == "why");
    CHECK(records->failed[0].before == 2);
    REQUIRE(records->troubles.size() == 2);
    CHECK(records->troubles[0].exit_status == 3);
    CHECK(records->troubles[0].cut_short);
    CHECK_FALSE(records->troubles[1].cut_short);
    REQUIRE(records->findings.size() == 1);
    CHECK(sim::report_lines(records->findings[0]) == sim::report_lines(finding));
}

sim::ConflictCounts some_counts() {
    sim::ConflictCounts counts;
    counts.requests = 3;
    counts.lanes = 65;
    counts.wavefronts = 34;
    counts.wavefronts_ideal = 3;
    counts.degree[1] = 2;
    counts.degree[32] = 1;
    counts.shapes.add(sim::GroupShape(~0U, warp_size), 2);
    counts.shapes.add(sim::GroupShape(1U, warp_size));
    return counts;
}

ProgramConflicts some_conflicts() {
    ProgramConflicts conflicts;
    conflicts.module = 2;
    sim::LaunchConflicts& launch = conflicts.launch;
    launch.kernel = "_Z1kPi";
    launch.grid = {3, 4, 5};
    launch.block = {32, 2, 1};
    launch.shared = Bytes{4096};
    launch.geometry = {32, 4};
    launch.instructions.push_back({.instruction = 7,
                                   .decoded = source_rows::shared_load(),
                                   .width = 4,
                                   .kind = sim::SharedAccessKind::atomic,
                                   .by_round = {sim::ConflictCounts{}, some_counts()}});
    launch.banks = {{1, 2}, {3, 4}};
    sim::SharedRequest request;
    request.instruction = 7;
    request.block = 8;
    request.warp = 9;
    request.number = 10;
    request.width = 4;
    request.access.mask = 0b101;
    for (std::size_t lane = 0; lane < warp_size; ++lane) request.access.address[lane] = 128 * lane;
    request.wavefronts = {2, 1};
    launch.chosen = request;
    return conflicts;
}

TEST_CASE("Conflicts read back as they were") {
    ProgramConflicts without = some_conflicts();
    without.launch.chosen.reset();
    const auto records = parse_records(conflicts_line(some_conflicts()) + conflicts_line(without), "records");
    REQUIRE(records);
    REQUIRE(records->conflicts.size() == 2);
    CHECK_FALSE(records->conflicts[1].launch.chosen.has_value());
    const ProgramConflicts& read = records->conflicts[0];
    CHECK(read.module == 2);
    CHECK(read.launch.kernel == "_Z1kPi");
    CHECK(read.launch.grid == Dim3{3, 4, 5});
    CHECK(read.launch.block == Dim3{32, 2, 1});
    CHECK(read.launch.shared.count == 4096);
    CHECK(read.launch.geometry.banks == 32);
    CHECK(read.launch.geometry.bank_bytes == 4);
    REQUIRE(read.launch.banks.size() == 2);
    CHECK(read.launch.banks[1].words == 3);
    CHECK(read.launch.banks[1].worst == 4);
    REQUIRE(read.launch.instructions.size() == 1);
    const sim::InstructionConflicts& site = read.launch.instructions[0];
    CHECK(site.instruction == 7);
    CHECK(isa::print(site.decoded, 0) == "LDS R28, [R20]");
    CHECK(site.width == 4);
    CHECK(site.kind == sim::SharedAccessKind::atomic);
    REQUIRE(site.by_round.size() == 2);
    CHECK(site.by_round[0].requests == 0);
    const sim::ConflictCounts& counts = site.by_round[1];
    CHECK(counts.requests == 3);
    CHECK(counts.lanes == 65);
    CHECK(counts.wavefronts == 34);
    CHECK(counts.wavefronts_ideal == 3);
    CHECK(counts.degree == some_counts().degree);
    REQUIRE(counts.shapes.entries().size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(counts.shapes.entries()[i].shape == some_counts().shapes.entries()[i].shape);
        CHECK(counts.shapes.entries()[i].requests == some_counts().shapes.entries()[i].requests);
    }
    REQUIRE(read.launch.chosen.has_value());
    const sim::SharedRequest& chosen = *read.launch.chosen;
    CHECK(std::tuple(chosen.instruction, chosen.block, chosen.warp, chosen.number, chosen.width) ==
          std::tuple(7U, 8U, 9U, 10U, 4U));
    CHECK(chosen.access.mask == 0b101);
    CHECK(chosen.access.address[2] == 256);
    CHECK(chosen.wavefronts.actual == 2);
    CHECK(chosen.wavefronts.ideal == 1);
}

TEST_CASE("Conflicts that nothing can have are damage") {
    const std::string good = conflicts_line(some_conflicts());
    REQUIRE(parse_records(good, "records"));
    for (const auto& [from, to] : {std::pair(R"("width":4)", R"("width":3)"),
                                   {R"("width":4)", R"("width":32)"},
                                   {R"("kind":2)", R"("kind":9)"},
                                   {R"([32,1])", R"([33,1])"},
                                   {R"("geometry":[32,4])", R"("geometry":[0,4])"},
                                   {R"("geometry":[32,4])", R"("geometry":[128,4])"},
                                   {R"("geometry":[32,4])", R"("geometry":[16,4])"},
                                   {R"("module":2)", R"("module":"two")"}}) {
        std::string text = good;
        CAPTURE(from, to);
        const std::size_t at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, std::string(from).size(), to);
        const auto read = parse_records(text, "records");
        REQUIRE_FALSE(read);
        CHECK(read.error().where == "records, line 1");
    }
}

TEST_CASE("Of each process, and of each program that it becomes, the last findings count") {
    const auto found = [](const char* what) {
        sim::Finding finding;
        finding.what = what;
        return finding;
    };
    const auto records =
        parse_records(start_line(7) + findings_line(7, {found("a")}) + start_line(8) + findings_line(8, {found("b")}) +
                          findings_line(7, {found("a"), found("c")}) + start_line(7) + findings_line(7, {found("d")}),
                      "records");
    REQUIRE(records);
    std::string all;
    for (const sim::Finding& finding : records->findings) all += finding.what;
    CHECK(all == "acbd");
}

TEST_CASE("A last line that was cut is left out; any other that is damaged is refused with its number") {
    const std::string whole = start_line(7) + launch_line(some_result(), false);
    const auto cut = parse_records(whole + "{\"launch\": {\"na", "records");
    REQUIRE(cut);
    CHECK(cut->kernels.size() == 1);
    const auto damaged = parse_records(start_line(7) + "{\"launch\": {\"na\n" + whole, "records");
    REQUIRE_FALSE(damaged);
    CHECK(damaged.error().where == "records, line 2");
    for (const char* wrong : {R"("metrics": [["no__such.metric", 1]], "source": [])",
                              R"("metrics": [], "source": [[0, [0, 0, 99], 0, 0, 0, 0, 0, []]])"}) {
        const auto read =
            parse_records(std::string(R"({"launch": {"name": "k", "grid": [1,1,1], "block": [1,1,1], "registers": 1, )"
                                      R"("static_shared": 0, "dynamic_shared": 0, )") +
                              wrong + "}}\n",
                          "records");
        REQUIRE_FALSE(read);
        CHECK(read.error().where == "records, line 1");
    }
    const auto nothing = parse_records("", "records");
    REQUIRE(nothing);
    CHECK_FALSE(nothing->started);
}

}  // namespace
}  // namespace sassafras::cudart
