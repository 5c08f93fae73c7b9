#include "study/compare/match_launches.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <string>

#include "study/compare/kernel_identity.hpp"

namespace sassafras::study {

namespace {

/// Launches of one report that have no pair yet.
struct UnpairedLaunches {
    std::vector<KernelIdentity> kernels;
    std::vector<bool> has_pair;

    explicit UnpairedLaunches(const std::vector<MeasuredLaunch>& launches) : has_pair(launches.size()) {
        for (const MeasuredLaunch& launch : launches) kernels.push_back(KernelIdentity::of(launch.demangled));
    }
    [[nodiscard]] std::vector<std::size_t> left() const {
        std::vector<std::size_t> numbers;
        for (std::size_t i = 0; i < has_pair.size(); ++i)
            if (!has_pair[i]) numbers.push_back(i);
        return numbers;
    }
};

class Matcher {
  public:
    Matcher(const std::vector<MeasuredLaunch>& a, const std::vector<MeasuredLaunch>& b) : a_(a), b_(b) {}

    using Key = std::function<std::string(const UnpairedLaunches&, std::size_t)>;

    void pair_by(const Key& key) {
        std::map<std::string, std::deque<std::size_t>> waiting;
        for (const std::size_t i : b_.left()) waiting[key(b_, i)].push_back(i);
        for (const std::size_t i : a_.left()) {
            const auto found = waiting.find(key(a_, i));
            if (found == waiting.end() || found->second.empty()) continue;
            put(i, found->second.front());
            found->second.pop_front();
        }
    }

    /// Kernels that nothing of the other report is called like.
    void pair_in_order() {
        const auto of_a = numbers_of_kernels(a_, b_);
        const auto of_b = numbers_of_kernels(b_, a_);
        if (of_a.size() != of_b.size()) return;
        pair_by([&](const UnpairedLaunches& side, std::size_t i) {
            const auto& numbers = &side == &a_ ? of_a : of_b;
            const auto found = numbers.find(side.kernels[i].whole);
            return found == numbers.end() ? side.kernels[i].whole : std::to_string(found->second);
        });
    }

    [[nodiscard]] LaunchMatch result() {
        std::sort(match_.pairs.begin(), match_.pairs.end(),
                  [](const LaunchPair& one, const LaunchPair& other) { return one.a < other.a; });
        match_.only_a = a_.left();
        match_.only_b = b_.left();
        return std::move(match_);
    }

  private:
    void put(std::size_t a, std::size_t b) {
        match_.pairs.push_back({a, b, a_.kernels[a].is_same_kernel(b_.kernels[b])});
        a_.has_pair[a] = b_.has_pair[b] = true;
    }

    /// In the order of their first launches.
    static std::map<std::string, std::size_t> numbers_of_kernels(const UnpairedLaunches& side,
                                                                 const UnpairedLaunches& other) {
        std::map<std::string, std::size_t> numbers;
        for (const std::size_t i : side.left()) {
            const auto is_alike = [&](const KernelIdentity& known) {
                return known.function == side.kernels[i].function;
            };
            if (std::none_of(other.kernels.begin(), other.kernels.end(), is_alike))
                numbers.emplace(side.kernels[i].whole, numbers.size());
        }
        return numbers;
    }

    UnpairedLaunches a_;
    UnpairedLaunches b_;
    LaunchMatch match_;
};

}  // namespace

LaunchMatch match_launches(const std::vector<MeasuredLaunch>& a, const std::vector<MeasuredLaunch>& b) {
    Matcher matcher(a, b);
    matcher.pair_by([](const UnpairedLaunches& side, std::size_t i) { return side.kernels[i].whole; });
    matcher.pair_by([](const UnpairedLaunches& side, std::size_t i) { return side.kernels[i].instance; });
    matcher.pair_by([](const UnpairedLaunches& side, std::size_t i) { return side.kernels[i].function; });
    matcher.pair_in_order();
    return matcher.result();
}

}  // namespace sassafras::study
