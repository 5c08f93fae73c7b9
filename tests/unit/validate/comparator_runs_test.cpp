#include "validate/records/comparator_runs.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <set>

#include "validate/claims/table.hpp"

using namespace sassafras::validate;

namespace {

/// Of the claim about CUB's radix sort and the samplesort, with times that are made up.
claims::Verdict verdict_with(double radix, double samplesort) {
    std::vector<claims::Claim> all = claims::all_claims();
    std::erase_if(all, [](const claims::Claim& claim) { return claim.id != "radix-and-samplesort"; });
    claims::Evidence evidence;
    for (const char* platform : {"algoparc", "gibson", "uhhpc"})
        for (const std::uint64_t n : {1048576U, 4194304U})
            evidence.comparators.insert(evidence.comparators.end(), {{platform, "radix-300", n, radix},
                                                                     {platform, "radix-350", n, radix},
                                                                     {platform, "radix-500", n, radix},
                                                                     {platform, "radix", n, 50},
                                                                     {platform, "merge", n, 100},
                                                                     {platform, "mgpu-E15-b128", n, 120},
                                                                     {platform, "mms-K8", n, 110},
                                                                     {platform, "samplesort", n, samplesort}});
    return claims::evaluate(all, evidence, claims::Extent::usual).front().verdict;
}

}  // namespace

TEST_CASE("rows of comparators: by the names of the columns, others are left aside") {
    const auto runs = parse_comparator_runs(
        "n,platform,microseconds,cycles,sort\n1024,gibson,1.5,200,radix\n"
        "1024,uhhpc,,300,mms-K8\n",
        "here.csv");
    REQUIRE(runs.ok());
    REQUIRE(runs->size() == 2);
    CHECK(runs->front().platform == "gibson");
    CHECK(runs->front().sort == "radix");
    CHECK(runs->front().n == 1024);
    CHECK(runs->front().cycles == 200);
    CHECK(runs->back().sort == "mms-K8");
}

TEST_CASE("rows of comparators: what is wrong is said with its place") {
    const auto refused = [](const char* text, const char* place) {
        const auto runs = parse_comparator_runs(text, "here.csv");
        REQUIRE_FALSE(runs.ok());
        CHECK(runs.error().where == place);
    };
    refused("platform,sort,n\n", "here.csv");
    refused("platform,sort,n,cycles\ngibson,radix,1024,many\n", "here.csv:2");
    refused("platform,sort,n,cycles\ngibson,radix,1024,\n", "here.csv:2");
    refused("platform,sort,n,cycles\ngibson,radix,1024,5\ngibson,radix,1024,6\n", "here.csv:3");
}

TEST_CASE("the record has every sort on each of the thesis' machines, and more keys take longer") {
    const auto runs = comparator_runs();
    REQUIRE(runs.ok());
    std::map<std::string, std::set<std::string>> sorts;
    std::map<std::string, double> cycles;
    for (const ComparatorRun& run : *runs) {
        sorts[run.platform + " " + std::to_string(run.n)].insert(run.sort);
        if (run.n < 131072) continue;  // for the samplesort one bucket, and so one block
        double& before = cycles[run.platform + " " + run.sort];
        CHECK(run.cycles > before);
        before = run.cycles;
    }
    for (const char* platform : {"algoparc", "gibson", "uhhpc"})
        for (const char* n : {" 1048576", " 4194304"}) {
            INFO(platform << n);
            CHECK(sorts[std::string(platform) + n].size() == 8);
        }
}

TEST_CASE("the claim about radix sort and samplesort: by the quickest mergesort, and by the slowest of all others") {
    using claims::Verdict;
    CHECK(verdict_with(65, 250) == Verdict::reproduced);
    CHECK(verdict_with(70, 250) == Verdict::differs);
    CHECK(verdict_with(65, 230) == Verdict::differs);  // 120 is the slowest
    CHECK(verdict_with(130, 250) == Verdict::differs);
    claims::Evidence nothing;
    CHECK_THROWS_AS(nothing.sorts_of("gibson", 1048576), sassafras::InvariantViolation);
}
