// What takes long on the host asks now and then whether it is to end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace sassafras::workloads {

/// Called often by what takes long on the host; it may throw, to end it. Empty: nobody asks.
using HostPoll = std::function<void()>;

/// For inner loops: asks every millionth time, which is every few milliseconds.
class OccasionalPoll {
  public:
    explicit OccasionalPoll(const HostPoll& poll) : poll_(poll) {}
    void operator()() {
        constexpr std::uint32_t steps_a_poll = 1U << 20U;
        if (++steps_ % steps_a_poll == 0 && poll_) poll_();
    }

  private:
    const HostPoll& poll_;
    std::uint32_t steps_ = 0;
};

enum class SortKind : bool { any_order_of_equals, stable };

/// std::sort or std::stable_sort; while it compares it polls.
template <class T, class Less = std::less<>>
void sort_polled(std::vector<T>& elements, const HostPoll& poll, Less less = {},
                 SortKind kind = SortKind::any_order_of_equals) {
    const auto sorted_by = [&](auto compares) {
        if (kind == SortKind::stable)
            std::stable_sort(elements.begin(), elements.end(), std::move(compares));
        else
            std::sort(elements.begin(), elements.end(), std::move(compares));
    };
    if (!poll) return sorted_by(std::move(less));
    OccasionalPoll occasional(poll);
    sorted_by([&](const T& a, const T& b) {
        occasional();
        return less(a, b);
    });
}

}  // namespace sassafras::workloads
