// The climb: finds what there is to find, repeats itself, continues where it was, and its file is read strictly.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "core/random.hpp"
#include "study/adversary/climb_file.hpp"
#include "study/adversary/hill_climb.hpp"

using namespace sassafras;
using namespace sassafras::study::adversary;

namespace {

/// Neighbours in ascending order.
double rises(const Numbers& numbers) {
    double count = 0;
    for (std::size_t i = 1; i < numbers.size(); ++i) count += numbers[i - 1] < numbers[i] ? 1 : 0;
    return count;
}

void climb(HillClimb& search, int evaluations) {
    for (int i = 0; i < evaluations; ++i) search.judge(rises(search.candidate()));
}

Numbers falling(std::uint32_t count) {
    Numbers numbers;
    while (count > 0) numbers.push_back(--count);
    return numbers;
}

ClimbRules rules(Goal goal) {
    ClimbRules rules;
    rules.goal = goal;
    rules.patience = 1500;
    return rules;
}

class File {
  public:
    File() : path_((std::filesystem::temp_directory_path() / "sassafras_hill_climb_test.json").string()) {}
    ~File() { std::filesystem::remove(path_); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string text() const {
        std::ifstream file(path_);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    void write(const std::string& text) const { std::ofstream(path_) << text; }

  private:
    std::string path_;
};

}  // namespace

TEST_CASE("a climb sorts a small array, or turns it round, by what it is told of it alone") {
    HillClimb up(falling(9), 1, rules(Goal::worst));
    climb(up, 20000);
    CHECK(up.state().best_value == 8);
    CHECK(rises(up.state().best) == 8);
    Numbers rising = falling(9);
    std::reverse(rising.begin(), rising.end());
    HillClimb down(rising, 1, rules(Goal::best));
    climb(down, 20000);
    CHECK(down.state().best_value == 0);
}

TEST_CASE("the start is measured first, numbers stay the same if values may not change, the best is never lost") {
    const Numbers start{5, 1, 4, 2, 3};
    HillClimb search(start, 3, rules(Goal::worst));
    CHECK(search.candidate() == start);
    double best = -1;
    for (int i = 0; i < 4000; ++i) {
        Numbers sorted = search.candidate();
        std::sort(sorted.begin(), sorted.end());
        REQUIRE(sorted == Numbers{1, 2, 3, 4, 5});
        best = std::max(best, rises(search.candidate()));
        search.judge(rises(search.candidate()));
        REQUIRE(search.state().best_value == best);
        REQUIRE(rises(search.state().best) == best);
    }
    CHECK(search.state().restarts > 0);
    CHECK(search.state().evaluations == 4000);
}

TEST_CASE("values change if they may, and candidates are settled") {
    ClimbRules free = rules(Goal::worst);
    free.values.emplace();
    HillClimb equal(Numbers(8, 7), 1, free);
    climb(equal, 5000);
    CHECK(equal.state().best_value == 7);
    ClimbRules settled = rules(Goal::best);
    settled.settle = [](Numbers& numbers) { std::sort(numbers.begin(), numbers.end()); };
    HillClimb sorted(falling(6), 1, settled);
    for (int i = 0; i < 100; ++i) {
        REQUIRE(rises(sorted.candidate()) == 5);
        sorted.judge(5);
    }
}

TEST_CASE("a climb continues from its state, and from its file, as if it had not stopped") {
    const File file;
    ClimbRules restless = rules(Goal::worst);
    restless.patience = 40;
    for (const int stop : {0, 1, 77, 400}) {
        HillClimb whole(falling(12), 5, restless);
        climb(whole, 1000);
        HillClimb part(falling(12), 5, restless);
        climb(part, stop);
        REQUIRE(write_climb(file.path(), "rises", part.state()).ok());
        const auto state = read_climb(file.path(), "rises", 12);
        if (!state) FAIL(state.error().message());
        CHECK(*state == part.state());
        HillClimb rest(*state, restless);
        climb(rest, 1000 - stop);
        CHECK(rest.state() == whole.state());
    }
}

TEST_CASE("cut anywhere, any number of times, a climb by any rules ends as one that was not cut", "[property]") {
    const File file;
    Random draw(17);
    for (int round = 0; round < 40; ++round) {
        ClimbRules any = rules(draw.below(2) == 0 ? Goal::worst : Goal::best);
        any.patience = 1 + draw.below(60);
        const bool wide = draw.below(3) == 0;
        if (draw.below(2) == 0) {
            any.values.emplace();
            any.values->type = wide ? ElementType::u64 : ElementType::u32;
            if (wide) any.values->greatest = ~std::uint64_t{0};
        }
        if (draw.below(3) == 0)
            any.settle = [](Numbers& numbers) {
                std::sort(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2));
            };
        const Numbers start = falling(static_cast<std::uint32_t>(2 + draw.below(20)));
        const std::uint64_t seed = draw.next_u64();
        const int total = static_cast<int>(draw.below(600));
        HillClimb whole(start, seed, any);
        climb(whole, total);
        HillClimb part(start, seed, any);
        for (int done = 0; done < total;) {
            const int more = 1 + static_cast<int>(draw.below(static_cast<std::uint64_t>(total - done)));
            climb(part, more);
            done += more;
            REQUIRE(write_climb(file.path(), "rises", part.state()).ok());
            const auto state = read_climb(file.path(), "rises", start.size(), ~std::uint64_t{0});
            if (!state) FAIL(state.error().message());
            REQUIRE(reachable(any, start, state->current));
            REQUIRE(reachable(any, start, state->best));
            part = HillClimb(*state, any);
            part.correct(rises(state->best), state->judged ? rises(state->current) : state->current_value);
        }
        CAPTURE(round, total);
        CHECK(part.state() == whole.state());
    }
}

TEST_CASE("values that were not measured are corrected, and the better of two inputs is the best") {
    HillClimb search(falling(6), 5, rules(Goal::worst));
    climb(search, 30);
    ClimbState state = search.state();
    state.best = falling(6);  // rises nowhere
    state.best_value = 1e9;
    state.current_value = -1;
    HillClimb resumed(state, rules(Goal::worst));
    resumed.correct(rises(state.best), rises(state.current));
    CHECK(resumed.state().best_value == rises(resumed.state().best));
    CHECK(resumed.state().best == state.current);
    CHECK(resumed.state().current_value == rises(state.current));
}

TEST_CASE("numbers that a climb could not have come to") {
    const ClimbRules permuting = rules(Goal::worst);
    CHECK(reachable(permuting, {1, 2, 2}, {2, 1, 2}));
    CHECK_FALSE(reachable(permuting, {1, 2, 2}, {2, 1, 1}));
    CHECK_FALSE(reachable(permuting, {1, 2, 2}, {2, 1}));
    ClimbRules ranged = permuting;
    ranged.values = ValueRange{ElementType::u32, 3, 5};
    CHECK(reachable(ranged, {3, 3}, {5, 4}));
    CHECK_FALSE(reachable(ranged, {3, 3}, {5, 6}));
    CHECK_FALSE(reachable(ranged, {3, 3}, {5, 4, 3}));
}

TEST_CASE("a climb's file that is damaged or another's is refused") {
    const File file;
    HillClimb search(falling(4), 5, rules(Goal::worst));
    climb(search, 10);
    REQUIRE(write_climb(file.path(), "rises", search.state()).ok());
    const std::string good = file.text();
    const auto refused = [&](const std::string& question, std::uint64_t count, const std::string& says) {
        const auto state = read_climb(file.path(), question, count);
        REQUIRE_FALSE(state.ok());
        CAPTURE(state.error().message());
        CHECK(state.error().message().find(says) != std::string::npos);
    };
    refused("falls", 4, "another search: rises");
    refused("rises", 5, "/current");
    const auto replaced = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        REQUIRE(text.find(from) != std::string::npos);
        text.replace(text.find(from), from.size(), to);
        file.write(text);
    };
    replaced("\"evaluations\"", "\"evaluation\"");
    refused("rises", 4, "/evaluation");
    replaced("\"random\":\"", "\"random\":\"g");
    refused("rises", 4, "/random");
    replaced("\"judged\":true", "\"judged\":1");
    refused("rises", 4, "/judged");
    file.write(good.substr(0, good.size() / 2));
    refused("rises", 4, file.path());
    replaced("\"current\":[", "\"current\":[-1,");
    refused("rises", 5, "/current/0");
    replaced("\"current\":[", "\"current\":[4294967296,");
    refused("rises", 5, "/current/0");
    replaced("\"question\":\"rises", "\"question\":\"\\u001b[2J");
    refused("rises", 4, "another search: \\x1b[2J");
    CHECK_FALSE(read_climb(file.path() + "/none", "rises", 4).ok());
    const auto folder = read_climb(std::filesystem::temp_directory_path().string(), "rises", 4);
    REQUIRE_FALSE(folder.ok());
    CHECK(folder.error().message().find("no regular file") != std::string::npos);
}
