// "Analysis-driven engineering of comparison-based sorting algorithms on GPUs" (ICS 2018, slides), and 7.4 as far as it
// says what other keys, comparisons and sorts do. Slides on machines are in karsin_machines.cpp.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "validate/claims/makers.hpp"
#include "validate/claims/quantities.hpp"
#include "validate/claims/table.hpp"

namespace sassafras::validate::claims {

namespace {

constexpr std::uint64_t slide_keys = 491520;  // as in karsin_multiway.cpp

RunSpec slide_sort(const std::string& platform, const std::string& variant, Parameters parameters,
                   const std::string& input = {}) {
    return {platform, "sort", variant, slide_keys, std::move(parameters), input};
}

RunSpec slide_mms(const std::string& platform, const std::string& input = {}) {
    if (platform == "algoparc") return slide_sort(platform, "mms", {{"K", 16}, {"blocks", 312}}, input);
    return slide_sort(platform, "mms", {{"K", 8}, {"blocks", platform == "gibson" ? 128 : 240}}, input);
}

void add_keys(std::vector<Claim>& claims) {
    const std::vector<RunSpec> inputs{slide_mms("algoparc"), slide_mms("algoparc", "sorted"),
                                      slide_mms("algoparc", "reverse"), slide_mms("algoparc", "organ-pipe")};
    claims.push_back(claim_of(
        {"mms-any-input", "Karsin 7.4, p. 79; ICS 2018, slide 48", "GPU-MMS takes the same time whatever the keys are",
         "equal", Cause::algorithm},
        {lengthy(simulation_test(
            {"greatest time of random, sorted, reverse and organ-pipe keys over the least", "x", {1, 1.1}}, inputs,
            [inputs](const Evidence& evidence) {
                double least = INFINITY;
                double most = 0;
                for (const RunSpec& run : inputs) {
                    least = std::min(least, evidence.cycles(run));
                    most = std::max(most, evidence.cycles(run));
                }
                return most / least;
            }))},
        "no conflicts on any of them (mms-conflict-free), but where parts of lists begin, and so what a warp reads, "
        "depends on the keys"));
    Claim heavy = claim_of({"conflict-heavy-degrades", "Karsin 7.4, p. 79; figure 7.10",
                            "keys with many conflicts slow down MGPU and Thrust significantly (gibson)", "slower"},
                           {});
    heavy.tests.push_back(
        lengthy(time_ratio({"time of sort mgpu (E = 15, b = 128) on constructed over random keys", "x", at_least(1.1)},
                           slide_sort("gibson", "mgpu", {{"E", 15}, {"b", 128}}, "worst"),
                           slide_sort("gibson", "mgpu", {{"E", 15}, {"b", 128}}))));
    heavy.tests.push_back(lengthy(time_ratio({"the same of Thrust's shape (E = 15, b = 512)", "x", at_least(1.1)},
                                             slide_sort("gibson", "mgpu", {{"E", 15}, {"b", 512}}, "worst"),
                                             slide_sort("gibson", "mgpu", {{"E", 15}, {"b", 512}}))));
    claims.push_back(heavy);
    Claim costlier = claim_of(
        {"costlier-comparisons", "ICS 2018, slide 49", "more work a comparison makes sorts slower (Maxwell)", "slower"},
        {});
    const auto compared = [](RunSpec run, std::int64_t comparator) {
        run.n = slide_keys / 4;
        run.parameters.emplace_back("comparator", comparator);
        return run;
    };
    const RunSpec mgpu = slide_sort("algoparc", "mgpu", {{"E", 11}, {"b", 128}});
    for (const RunSpec& run : {mgpu, slide_mms("algoparc")})
        costlier.tests.push_back(
            time_ratio({fmt::format("time of sort {} of 122,880 keys with the costlier comparator over the plain one",
                                    run.variant),
                        "x", longer()},
                       compared(run, 1), compared(run, 0)));
    claims.push_back(costlier);
}

void add_rank(std::vector<Claim>& claims) {
    claims.push_back(claim_of(
        {"mms-beats-E-31", "Karsin 7.4, p. 79; figure 7.9",
         "on algoparc GPU-MMS beats MGPU with the better E = 31, too", "faster", Cause::kernel},
        {lengthy(time_ratio({"time of sort mgpu (E = 31) over mms (K = 16), 491,520 random keys", "x", longer()},
                            slide_sort("algoparc", "mgpu", {{"E", 31}, {"b", 128}}), slide_mms("algoparc")))},
        "mms here is the thesis' one warp a heap, as in mms-beats-pairwise-algoparc"));
    const std::vector<RunSpec> others{slide_sort("algoparc", "mgpu", {{"E", 15}, {"b", 128}}),
                                      slide_sort("algoparc", "mgpu", {{"E", 15}, {"b", 512}}),
                                      slide_sort("algoparc", "koike-sadakane", {{"K", 4}, {"blocks", 416}}),
                                      slide_sort("algoparc", "bitonic", {}), slide_sort("algoparc", "shearsort", {})};
    std::vector<RunSpec> all = others;
    all.push_back(slide_mms("algoparc"));
    claims.push_back(claim_of(
        {"mms-rank", "Karsin 7.4, p. 78; figure 7.9", "GPU-MMS is the quickest comparison sort for most sizes", "first",
         Cause::kernel},
        {lengthy(simulation_test(
            {"how many of mgpu (b = 128, 512), koike-sadakane, bitonic, shearsort are quicker, 491,520 random keys", "",
             exactly(0)},
            all,
            [others](const Evidence& evidence) {
                return static_cast<double>(std::count_if(others.begin(), others.end(), [&](const RunSpec& run) {
                    return evidence.cycles(run) < evidence.cycles(slide_mms("algoparc"));
                }));
            }))},
        "mms here is the thesis' one warp a heap"));
    constexpr std::array<const char*, 3> machines{"algoparc", "gibson", "uhhpc"};
    const auto gain = [](const Evidence& evidence, const std::string& platform) {
        double quickest = evidence.cycles(slide_sort(platform, "mgpu", {{"E", 15}, {"b", 128}}));
        if (platform != "algoparc")
            quickest = std::min({quickest, evidence.cycles(slide_sort(platform, "mgpu", {{"E", 11}, {"b", 128}})),
                                 evidence.cycles(slide_sort(platform, "mgpu", {{"E", 17}, {"b", 256}}))});
        return quickest / evidence.cycles(slide_mms(platform));
    };
    std::vector<RunSpec> runs;
    for (const char* platform : machines) {
        runs.push_back(slide_mms(platform));
        runs.push_back(slide_sort(platform, "mgpu", {{"E", 15}, {"b", 128}}));
        if (std::string(platform) == "algoparc") continue;
        runs.push_back(slide_sort(platform, "mgpu", {{"E", 11}, {"b", 128}}));
        runs.push_back(slide_sort(platform, "mgpu", {{"E", 17}, {"b", 256}}));
    }
    claims.push_back(claim_of(
        {"mms-mean-gain", "Karsin abstract, p. iv", "on random keys GPU-MMS gains 21 % on average", "21 %",
         Cause::kernel},
        {arithmetic_test({"mean of 32.27, 23.26 and 11.48 % (7.4)", "%", within_a_tenth(21)},
                         (32.27 + 23.26 + 11.48) / 3),
         lengthy(simulation_test({"mean of the three machines' ratios, 491,520 random keys", "x", gain_of(1.21)}, runs,
                                 [gain, machines](const Evidence& evidence) {
                                     double sum = 0;
                                     for (const char* platform : machines) sum += gain(evidence, platform);
                                     return sum / static_cast<double>(machines.size());
                                 }))},
        "0.63, 1.07 and 1.07: algoparc alone makes it a loss (mms-beats-pairwise-algoparc)"));
}

}  // namespace

void add_slides(std::vector<Claim>& claims) {
    add_keys(claims);
    add_rank(claims);
}

}  // namespace sassafras::validate::claims
