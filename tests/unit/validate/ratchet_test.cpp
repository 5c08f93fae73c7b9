#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "validate/compare/hardware/ratchet.hpp"

using namespace sassafras;
using namespace sassafras::validate;

namespace {

constexpr const char* text =
    "workload,variant,n,kernel,error_percent,accepted\n"
    "mean,,,,6.00,\n"
    "sort,mgpu,64,tile,2.00,\n"
    "sort,mgpu,64,merge,10.00,\"from 8.00 to 10.00: a reason, kept\"\n";

/// Measured 10,000 cycles, so that a hundred simulated ones are a per cent.
CycleComparison kernel(const std::string& name, double error_percent) {
    CycleComparison made;
    made.workload = "sort";
    made.variant = "mgpu";
    made.n = 64;
    made.kernel = name;
    made.measured = 10000;
    made.simulated = 10000 + 100 * error_percent;
    return made;
}

std::vector<CycleComparison> kernels(double tile, double merge) {
    return {kernel("tile", tile), kernel("merge", merge)};
}

Ratchet held() {
    auto ratchet = parse_ratchet(text, "ratchet.csv");
    REQUIRE(ratchet.ok());
    return *ratchet;
}

}  // namespace

TEST_CASE("a ratchet is read as it was written") {
    const Ratchet ratchet = held();
    REQUIRE(ratchet.kernels.size() == 2);
    CHECK(ratchet.mean.error_percent == 6);
    CHECK(ratchet.kernels[1].kernel == "merge");
    CHECK(ratchet.kernels[1].error_percent == 10);
    CHECK(ratchet.kernels[1].accepted == "from 8.00 to 10.00: a reason, kept");
    CHECK(ratchet_text(ratchet) == text);
}

TEST_CASE("a malformed ratchet is refused") {
    const std::string header = "workload,variant,n,kernel,error_percent,accepted\n";
    const auto message = [&](const std::string& rows) {
        const auto ratchet = parse_ratchet(header + rows, "ratchet.csv");
        REQUIRE_FALSE(ratchet.ok());
        CHECK(ratchet.error().kind == ErrorKind::bad_input);
        return ratchet.error().message();
    };
    CHECK_THAT(message("sort,mgpu,64,tile,2,\n"), Catch::Contains("no line of the mean"));
    CHECK_THAT(message("mean,,,,6,\nmean,,,,6,\n"), Catch::Contains("second line of the mean"));
    CHECK_THAT(message("mean,,,,6,\nsort,mgpu,64,tile,2,\nsort,mgpu,64,tile,3,\n"),
               Catch::Contains("second line of sort mgpu 64 tile") && Catch::Contains("ratchet.csv:4"));
    CHECK_THAT(message("mean,,,,6,\nsort,mgpu,64,,2,\n"), Catch::Contains("names no kernel"));
    CHECK_THAT(message("mean,,,,-6,\n"), Catch::Contains("percentage"));
    CHECK_THAT(message("mean,,,,nan,\n"), Catch::Contains("percentage") || Catch::Contains("not a number"));
    CHECK_FALSE(read_ratchet("no such file.csv").ok());
}

TEST_CASE("an error above its line breaks it, whatever its sign; within the tolerance it does not") {
    CHECK(broken_lines(held(), kernels(2, 10), Compared::all).empty());
    CHECK(broken_lines(held(), kernels(-2.04, -10), Compared::all).empty());
    CHECK(broken_lines(held(), kernels(1, 5), Compared::all).empty());
    const auto broken = broken_lines(held(), kernels(-2.2, 5), Compared::all);
    REQUIRE(broken.size() == 1);
    CHECK(broken[0] == "sort mgpu 64 tile: off by 2.20 %, the ratchet holds 2.00 %");
}

TEST_CASE("the mean has a line of its own, and only all runs have a mean") {
    Ratchet strict = held();
    strict.mean.error_percent = 4;
    const auto broken = broken_lines(strict, kernels(2, 10), Compared::all);  // (2 + 10) / 2
    REQUIRE(broken.size() == 1);
    CHECK(broken[0] == "the mean over all kernels: off by 6.00 %, the ratchet holds 4.00 %");
    CHECK(broken_lines(strict, kernels(2, 10), Compared::some).empty());
}

TEST_CASE("kernels without a line, and lines without a kernel, do not hold") {
    const std::vector<CycleComparison> other{kernel("tile", 2), kernel("scan", 0)};
    const auto broken = broken_lines(held(), other, Compared::all);
    REQUIRE(broken.size() == 2);
    CHECK(broken[0] == "sort mgpu 64 scan: the ratchet has no line of it");
    CHECK(broken[1] == "sort mgpu 64 merge: the ratchet has a line of it, and it was not compared");
    const std::vector<CycleComparison> part{kernel("tile", 2)};
    CHECK(broken_lines(held(), part, Compared::some).empty());
}

TEST_CASE("an update takes smaller errors") {
    const auto next = updated_ratchet(held(), kernels(-1.234, 10), Compared::all, {});
    REQUIRE(next.ok());
    CHECK(next->kernels[0].error_percent == Approx(1.23));
    CHECK(next->kernels[1].error_percent == 10);
    CHECK(next->mean.error_percent == Approx(5.62));  // (1.234 + 10) / 2
    CHECK(next->kernels[1].accepted == held().kernels[1].accepted);
}

TEST_CASE("small steps within the tolerance are no way up") {
    Ratchet ratchet = held();
    for (const double error : {2.04, 2.04, 2.04}) {
        const auto next = updated_ratchet(ratchet, kernels(error, 9), Compared::all, {});
        REQUIRE(next.ok());
        ratchet = *next;
    }
    CHECK(ratchet.kernels[0].error_percent == 2);
    CHECK_FALSE(updated_ratchet(ratchet, kernels(2.08, 9), Compared::all, {}).ok());
}

TEST_CASE("an update refuses greater errors unless a reason says why, and keeps the reason") {
    const auto refused = updated_ratchet(held(), kernels(3, 12), Compared::all, {});
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == ErrorKind::check_failed);
    CHECK_THAT(refused.error().message(), Catch::Contains("sort mgpu 64 tile: off by 3.00 %") &&
                                              Catch::Contains("sort mgpu 64 merge: off by 12.00 %") &&
                                              Catch::Contains("the mean over all kernels: off by 7.50 %") &&
                                              Catch::Contains("--accept-worse"));

    const auto accepted = updated_ratchet(held(), kernels(3, 12), Compared::all, "refresh, \"measured\"");
    REQUIRE(accepted.ok());
    CHECK(accepted->kernels[0].error_percent == 3);
    CHECK(accepted->kernels[0].accepted == "from 2.00 to 3.00: refresh, \"measured\"");
    CHECK(accepted->kernels[1].accepted ==
          "from 8.00 to 10.00: a reason, kept; from 10.00 to 12.00: refresh, \"measured\"");
    CHECK(accepted->mean.error_percent == 7.5);
    const auto again = parse_ratchet(ratchet_text(*accepted), "ratchet.csv");
    REQUIRE(again.ok());
    CHECK(again->kernels[1].accepted == accepted->kernels[1].accepted);
    CHECK(broken_lines(*again, kernels(3, 12), Compared::all).empty());

    CHECK_FALSE(updated_ratchet(held(), kernels(3, 12), Compared::all, "").ok());
    CHECK_FALSE(updated_ratchet(held(), kernels(3, 12), Compared::all, "two\nlines").ok());
}

TEST_CASE("an update of all runs gives new kernels a line and drops what is recorded no more") {
    const std::vector<CycleComparison> others{kernel("tile", 2), kernel("scan", 4)};
    const auto next = updated_ratchet(held(), others, Compared::all, {});
    REQUIRE(next.ok());
    REQUIRE(next->kernels.size() == 2);
    CHECK(next->kernels[1].kernel == "scan");
    CHECK(next->kernels[1].error_percent == 4);
    CHECK(next->kernels[1].accepted.empty());
}

TEST_CASE("an update of some runs leaves the mean and the other lines") {
    const std::vector<CycleComparison> part{kernel("merge", 1)};
    const auto next = updated_ratchet(held(), part, Compared::some, {});
    REQUIRE(next.ok());
    REQUIRE(next->kernels.size() == 2);
    CHECK(next->kernels[0].error_percent == 2);
    CHECK(next->kernels[1].error_percent == 1);
    CHECK(next->mean.error_percent == 6);
}

TEST_CASE("the first update writes every line") {
    const auto first = updated_ratchet(empty_ratchet(), kernels(2, -10), Compared::all, {});
    REQUIRE(first.ok());
    REQUIRE(first->kernels.size() == 2);
    CHECK(first->kernels[1].error_percent == 10);
    CHECK(first->mean.error_percent == 6);
    CHECK(first->mean.accepted.empty());
}
