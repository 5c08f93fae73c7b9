// What takes long on the host can be ended in its midst: a poll that throws.
#include <catch2/catch.hpp>

#include <cstdint>
#include <vector>

#include "workloads/inputs.hpp"
#include "workloads/merge/merge.hpp"
#include "workloads/sort/elements.hpp"
#include "workloads/sort/sort.hpp"

using namespace sassafras::workloads;

namespace {

struct Ended {};

constexpr std::uint64_t many = std::uint64_t{3} << 19U;  // more than it takes to poll once

/// Does it throw at its poll of this number? 0 counts from the first.
template <class Work>
bool ends_at(int number, const Work& work) {
    const HostPoll poll = [left = number]() mutable {
        if (left-- == 0) throw Ended();
    };
    try {
        work(poll);
    } catch (const Ended&) {
        return true;
    }
    return false;
}

}  // namespace

TEST_CASE("inputs that are sorted poll while they are") {
    for (const char* kind : {"sorted", "reverse", "organ-pipe"}) {
        CHECK(ends_at(10, [&](const HostPoll& poll) { (void)make_keys(kind, many, 1, poll); }));
        CHECK(ends_at(10, [&](const HostPoll& poll) { (void)sort::make_wide(sort::Order::u64, kind, many, 1, poll); }));
    }
    CHECK(ends_at(0, [&](const HostPoll& poll) { (void)make_keys("random", many, 1, poll); }));
    CHECK(ends_at(0, [&](const HostPoll& poll) { (void)make_keys("few-distinct", many, 1, poll); }));
    CHECK(ends_at(20, [&](const HostPoll& poll) { (void)merge::make_runs("random", many, many, 1, poll); }));
    CHECK(make_keys("sorted", many, 1, [] {}) == make_keys("sorted", many, 1));
    CHECK(make_keys("reverse", many, 1, [] {}) == make_keys("reverse", many, 1));
}

TEST_CASE("references of sorts poll while they sort") {
    const auto keys = make_keys("random", many, 1);
    CHECK(ends_at(2, [&](const HostPoll& poll) { (void)sort::reference(keys, poll); }));
    CHECK(ends_at(2, [&](const HostPoll& poll) { (void)sort::mismatch(keys, keys, poll); }));
    CHECK(ends_at(1, [&](const HostPoll& poll) { (void)merge::reference(keys, keys, poll); }));
    using sort::Order;
    using sort::Promise;
    const auto wide = sort::make_wide(Order::pair, "few-distinct", many, 1);
    for (const Promise promise : {Promise::stable, Promise::by_word, Promise::any_order}) {
        CHECK(ends_at(10, [&](const HostPoll& poll) { (void)sort::mismatch(Order::pair, promise, wide, wide, poll); }));
        const auto sorted = sort::make_wide(Order::pair, "sorted", many, 1);
        CHECK(sort::mismatch(Order::pair, promise, sorted, sorted, [] {}).empty());
        CHECK(sort::mismatch(Order::pair, promise, wide, wide, [] {}) ==
              sort::mismatch(Order::pair, promise, wide, wide));
    }
}
