// Requests on their way through translation. One that waits for its page must not hold up others that L2 serves
// meanwhile, so requests come out in the order in which they are translated, which may be rounds later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/timing/memory/memory_request.hpp"
#include "sim/timing/memory/translation.hpp"

namespace sassafras::sim {

class TranslatedRequests {
  public:
    explicit TranslatedRequests(const Platform& platform)
        : translation_(platform), line_bytes_(platform.lsu.l1_line_bytes) {}

    [[nodiscard]] bool modelled() const { return translation_.modelled(); }
    void begin_launch(bool cold) {
        translation_.begin_launch(cold);
        waiting_.clear();
        number_ = 0;
    }

    /// Takes `requests` (in order of time, ties in order of SM); those of all so far that are translated before `end`,
    /// in order of that time, ties in order of arrival. Valid until the next call.
    const std::vector<MemoryRequest>& until(std::uint64_t end, const std::vector<MemoryRequest>& requests) {
        for (const MemoryRequest& request : requests) {
            Waiting& waiting = waiting_.emplace_back(Waiting{.request = request, .number = number_++});
            const std::uint64_t address = request.line * line_bytes_;
            if (address < local_memory_begin)
                waiting.request.time = translation_.translated(request.sm, address, request.time);
            std::push_heap(waiting_.begin(), waiting_.end(), later);
        }
        ready_.clear();
        while (!waiting_.empty() && waiting_.front().request.time < end) {
            std::pop_heap(waiting_.begin(), waiting_.end(), later);
            ready_.push_back(waiting_.back().request);
            ready_.back().issue = static_cast<std::uint32_t>(ready_.size() - 1);  // its order is theirs from here on
            waiting_.pop_back();
        }
        return ready_;
    }

    /// The cycle at which the next of those that wait is translated; the largest number if none does.
    [[nodiscard]] std::uint64_t next() const {
        return waiting_.empty() ? ~std::uint64_t{0} : waiting_.front().request.time;
    }

  private:
    struct Waiting {
        MemoryRequest request;
        std::uint64_t number = 0;  ///< in order of arrival
    };
    static bool later(const Waiting& a, const Waiting& b) {
        return a.request.time != b.request.time ? a.request.time > b.request.time : a.number > b.number;
    }

    Translation translation_;
    std::uint64_t line_bytes_;
    std::uint64_t number_ = 0;
    std::vector<Waiting> waiting_;  ///< a heap, whose front is translated first
    std::vector<MemoryRequest> ready_;
};

}  // namespace sassafras::sim
