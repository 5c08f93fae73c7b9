#include "sim/timing/production.hpp"

namespace sassafras::sim {

std::optional<Error> Production::round(const std::vector<ProductionNeed>& needs, const RunSm& run) {
    failure_.reset();
    choose_parts(needs);
    if (!parts_.empty() && source_.begin_parts(parts_))
        round_together(run);
    else
        round_in_order(needs, run);
    return failure_;
}

std::uint32_t Production::home_of(std::uint32_t sm) const {
    return HomeQueues::home_of(sm, plan_.order().size(), pool_.size());
}

void Production::choose_parts(const std::vector<ProductionNeed>& needs) {
    parts_ = {};
    if (pool_.size() == 1) return;
    advancing_.clear();
    comparing_.clear();
    const std::vector<std::uint32_t>& order = plan_.order();
    std::uint32_t count = 0;
    for (std::size_t at = plan_.first_produced(); at < order.size(); ++at) {
        for (BlockTrace* block : resident_(order[at])) {
            if (count == room_.size()) room_.emplace_back();
            room_[count].blocks.assign(1, block);
            room_[count].instructions_ahead = plan_.target(order[at], needs[order[at]]);
            advancing_.add(home_of(order[at]), count);
            comparing_.add(home_of(order[at]), count);
            ++count;
        }
    }
    parts_ = {room_.data(), count};
}

void Production::round_in_order(const std::vector<ProductionNeed>& needs, const RunSm& run) {
    const std::vector<std::uint32_t>& order = plan_.order();
    produced_.store(plan_.first_produced(), std::memory_order_relaxed);
    pool_.run(
        static_cast<std::uint32_t>(order.size()),
        [&](std::uint32_t at) {
            WorkerPool::wait([&] { return produced_.load(std::memory_order_acquire) > at; });
            run(order[at]);
        },
        [&] {
            const auto all_may_run = [&] { produced_.store(order.size(), std::memory_order_release); };
            try {
                produce_in_order(needs);
            } catch (...) {
                all_may_run();  // nobody may wait for what will not come
                throw;
            }
            all_may_run();
        });
}

void Production::produce_in_order(const std::vector<ProductionNeed>& needs) {
    const std::vector<std::uint32_t>& order = plan_.order();
    for (std::size_t at = plan_.first_produced(); at < order.size(); ++at) {
        const std::uint64_t target = plan_.target(order[at], needs[order[at]]);
        for (BlockTrace* block : resident_(order[at])) {
            if (Result<void> advanced = source_.advance(*block, target); !advanced) {
                failure_ = advanced.error();
                return;
            }
        }
        produced_.store(at + 1, std::memory_order_release);
    }
}

/// A worker goes on to what waits for a phase when all of that phase is taken, so nobody waits for what nobody does.
void Production::round_together(const RunSm& run) {
    const std::vector<std::uint32_t>& order = plan_.order();
    ready_.clear();
    waiting_.clear();
    for (std::size_t at = 0; at < order.size(); ++at)
        (at < plan_.first_produced() ? ready_ : waiting_).add(home_of(order[at]), order[at]);
    advanced_.store(0, std::memory_order_relaxed);
    compared_.store(0, std::memory_order_relaxed);
    thrown_.store(false, std::memory_order_relaxed);
    produced_.store(0, std::memory_order_relaxed);
    pool_.run_by_worker(
        pool_.size(),
        [&](std::uint32_t, std::uint32_t worker) {
            while (const auto part = advancing_.take(worker)) advance(*part);
            while (const auto sm = ready_.take(worker)) run(*sm);
            while (const auto part = comparing_.take(worker)) compare(*part);
            while (const auto sm = waiting_.take(worker)) {
                WorkerPool::wait([&] { return produced_.load(std::memory_order_acquire) != 0; });
                run(*sm);
            }
        },
        [] {});
}

void Production::advance(std::size_t part) {
    try {
        for (std::size_t place = 0; place < parts_[part].blocks.size(); ++place) source_.advance_in_part(part, place);
    } catch (...) {
        thrown_.store(true, std::memory_order_relaxed);
        advanced_.fetch_add(1, std::memory_order_release);
        throw;
    }
    advanced_.fetch_add(1, std::memory_order_release);
}

void Production::compare(std::size_t part) {
    WorkerPool::wait([&] { return advanced_.load(std::memory_order_acquire) == parts_.size(); });
    const bool thrown = thrown_.load(std::memory_order_relaxed);
    if (!thrown) source_.compare_part(part);
    if (compared_.fetch_add(1, std::memory_order_acq_rel) + 1 != parts_.size()) return;
    try {
        if (!thrown)
            if (auto ended = source_.end_parts(); !ended) failure_ = ended.error();
    } catch (...) {
        produced_.store(1, std::memory_order_release);
        throw;
    }
    produced_.store(1, std::memory_order_release);
}

}  // namespace sassafras::sim
