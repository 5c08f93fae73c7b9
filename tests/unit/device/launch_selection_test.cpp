// Nsight Compute's filters; the expressions of --kernel-id are the examples of its manual.
#include <catch2/catch.hpp>

#include "sim/device/launch_selection.hpp"

using namespace sassafras;
using sim::LaunchSelection;
using sim::LaunchSelector;

namespace {

constexpr const char* saxpy = "_Z5saxpyIfEviT_S0_PS0_";  // void saxpy<float>(int, float, float, float*)

/// Which of the launches are taken, by their places.
std::vector<std::size_t> taken(const LaunchSelection& selection, const std::vector<std::string>& kernels,
                               std::uint64_t stream = sim::default_stream) {
    auto selector = LaunchSelector::make(selection);
    REQUIRE(selector);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < kernels.size(); ++i)
        if (selector->takes(kernels[i], stream)) places.push_back(i);
    return places;
}

bool is_inside(const std::string& text, const std::vector<sim::OpenRange>& open) {
    auto selector = LaunchSelector::make({.ranges = {text}});
    REQUIRE(selector);
    return selector->takes("k", sim::default_stream, open);
}

using Places = std::vector<std::size_t>;
const std::vector<std::string> some{"foo", "fooBar", "foo", "bar", "foo", saxpy};

}  // namespace

TEST_CASE("names of kernels") {
    CHECK(taken({}, some) == Places{0, 1, 2, 3, 4, 5});
    CHECK(taken({.kernel = "foo"}, some) == Places{0, 2, 4});
    CHECK(taken({.kernel = "regex:foo"}, some) == Places{0, 1, 2, 4});
    CHECK(taken({.kernel = "regex:^(foo|bar)$"}, some) == Places{0, 2, 3, 4});
    CHECK(taken({.kernel = "saxpy"}, some) == Places{5});
    CHECK(taken({.kernel = "saxpy", .base = LaunchSelection::NameBase::demangled}, some).empty());
    CHECK(taken({.kernel = "regex:saxpy<float>", .base = LaunchSelection::NameBase::demangled}, some) == Places{5});
    CHECK(taken({.kernel = saxpy, .base = LaunchSelection::NameBase::mangled}, some) == Places{5});
}

TEST_CASE("places among those that match") {
    CHECK(taken({.kernel = "foo", .skip = 1}, some) == Places{2, 4});
    CHECK(taken({.kernel = "foo", .skip = 1, .count = 1}, some) == Places{2});
    CHECK(taken({.kernel = "foo", .skip_before = 1}, some) == Places{2, 4});
    CHECK(taken({.skip_before = 1, .skip = 2, .count = 2}, some) == Places{3, 4});
    CHECK(taken({.count = 0}, some).empty());
}

TEST_CASE("ids of kernels") {
    CHECK(taken({.kernel_id = "::foo:2"}, some) == Places{2});
    CHECK(taken({.kernel_id = ":::.*5|3"}, std::vector<std::string>(25, "k")) == Places{2, 4, 14, 24});
    CHECK(taken({.kernel_id = "::regex:^foo$:"}, some) == Places{0, 2, 4});
    CHECK(taken({.kernel_id = "::regex:^((?!foo).)*$:"}, some) == Places{3, 5});
    CHECK(taken({.kernel_id = "1:123:regex:foo.*:1"}, some, 123) == Places{0, 1});
    CHECK(taken({.kernel_id = "1:123:regex:foo.*:1"}, some, 124).empty());
    CHECK(taken({.kernel_id = "2:::"}, some).empty());
    CHECK(taken({.kernel = "fooBar", .kernel_id = "::regex:foo:"}, some) == Places{1});
}

TEST_CASE("ranges that are open") {
    const std::vector<sim::OpenRange> open{{"", "solve", true}, {"mine", "step", false}};
    CHECK(is_inside("solve", open));
    CHECK(is_inside("solve/", open));
    CHECK(is_inside("mine@step", open));
    CHECK_FALSE(is_inside("mine@step/", open));  // it was started, not pushed
    CHECK_FALSE(is_inside("step", open));        // another domain's
    CHECK_FALSE(is_inside("solv", open));
    CHECK(is_inside("solve,mine@step", open));
    CHECK_FALSE(is_inside("solve,other", open));
    CHECK(is_inside("a\\,b\\@c", {{"", "a,b@c", true}}));
    CHECK_FALSE(is_inside("solve", {}));
}

TEST_CASE("expressions that are none are refused") {
    for (const char* text : {"regex:(", "regex:[a", "regex:*"}) CHECK_FALSE(LaunchSelector::make({.kernel = text}));
    for (const char* text : {"foo", "1:2", "::regex:foo", "a:::", ":b::", "::regex:(:", ":::("})
        CHECK_FALSE(LaunchSelector::make({.kernel_id = text}));
    for (const char* text : {"", "a/b", "[a", "a]", "*", "a,", "d@"})
        CHECK_FALSE(LaunchSelector::make({.ranges = {text}}));
}
