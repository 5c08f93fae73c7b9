#include "sim/timing/round_requests.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include "core/result.hpp"

namespace sassafras::sim {

void RoundRequests::deliver(Sm& sm, std::uint32_t number) {
    OfSm& of = sms_[number];
    if (of.delivered) return;
    of.delivered = true;
    std::erase_if(sm.outbox(), [&](const MemoryRequest& request) { return request.time < of.end; });
    for (std::size_t shard = 0; shard < memory_.shards(); ++shard)
        sm.free_stores(memory_.shard(shard).stores_done[number]);
    if (memory_.shards() == 1) {
        note_times(of, memory_.shard(0).responses[number]);
        sm.receive(memory_.shard(0).responses[number]);
        return;
    }
    of.answers.clear();
    for (std::size_t shard = 0; shard < memory_.shards(); ++shard) {
        const auto& some = memory_.shard(shard).responses[number];
        of.answers.insert(of.answers.end(), some.begin(), some.end());
    }
    // Of what comes in the same cycle, what was asked for first comes first.
    std::sort(of.answers.begin(), of.answers.end(), [](const MemoryResponse& a, const MemoryResponse& b) {
        return std::tie(a.asked, a.issue) < std::tie(b.asked, b.issue);
    });
    note_times(of, of.answers);
    sm.receive(of.answers);
}

void RoundRequests::note_times(OfSm& of, std::span<const MemoryResponse> answers) {
    for (const MemoryResponse& answer : answers)
        if (!answer.acknowledges) of.times.note(answer.time);
}

AnswerTimes RoundRequests::answer_times() const {
    AnswerTimes all;
    for (const OfSm& of : sms_) all.add(of.times);
    return all;
}

void RoundRequests::leave(Sm& sm, std::uint32_t number, std::uint64_t begin, std::uint64_t end) {
    OfSm& of = sms_[number];
    of.next = sm.let_stores_leave(end);
    of.end = end;
    of.delivered = false;
    of.leaving.clear();
    std::vector<MemoryRequest>& outbox = sm.outbox();
    of.outbox = outbox.data();
    for (std::uint32_t place = 0; place < outbox.size(); ++place) {
        MemoryRequest& request = outbox[place];
        request.issue = place;
        if (request.time >= end) {
            of.next = std::min(of.next, request.time);
            continue;
        }
        require_invariant(request.time >= begin, "a memory request was left behind");
        of.leaving.push_back(place);
    }
    if (memory_.shards() == 1 || memory_.translates())
        of.begin = {0, static_cast<std::uint32_t>(of.leaving.size())};
    else
        group_by_shard(of, outbox);
}

/// A sort by counting, which leaves those of a shard in order.
void RoundRequests::group_by_shard(OfSm& of, std::span<const MemoryRequest> outbox) const {
    of.shards.clear();
    memory_.shards_of(outbox, of.shards);
    of.begin.assign(memory_.shards() + 1, 0);
    for (const std::uint32_t place : of.leaving) ++of.begin[of.shards[place] + 1];
    for (std::size_t shard = 1; shard < of.begin.size(); ++shard) of.begin[shard] += of.begin[shard - 1];
    of.in_order = of.leaving;
    for (const std::uint32_t place : of.in_order) of.leaving[of.begin[of.shards[place]]++] = place;
    for (std::size_t shard = of.begin.size() - 1; shard != 0; --shard) of.begin[shard] = of.begin[shard - 1];
    of.begin[0] = 0;
}

/// Requests of a shard, or all of them, in order of time, then of SM, then of issue. A round has few cycles.
void RoundRequests::collect(std::size_t shard) {
    std::vector<std::uint32_t>& place = place_[shard];
    place.assign(end_ - begin_ + 1, 0);
    const auto for_each = [&](auto&& visit) {
        for (const OfSm& of : sms_)
            for (std::uint32_t i = of.begin[shard]; i < of.begin[shard + 1]; ++i) visit(of.outbox[of.leaving[i]]);
    };
    for_each([&](const MemoryRequest& request) { ++place[request.time - begin_ + 1]; });
    for (std::size_t cycle = 1; cycle < place.size(); ++cycle) place[cycle] += place[cycle - 1];
    order_[shard].resize(place.back());
    for_each([&](const MemoryRequest& request) { order_[shard][place[request.time - begin_]++] = &request; });
}

void RoundRequests::begin(std::uint64_t begin, std::uint64_t end) {
    begin_ = begin;
    end_ = end;
    memory_.begin_round(begin);
    if (!memory_.translates()) return;
    collect(0);
    untranslated_.clear();
    for (const MemoryRequest* request : order_[0]) untranslated_.push_back(*request);
    std::vector<std::uint32_t> shards;
    const std::vector<MemoryRequest>& translated = memory_.translate(untranslated_, end);
    memory_.shards_of(translated, shards);
    for (auto& order : order_) order.clear();
    for (std::size_t i = 0; i < translated.size(); ++i) order_[shards[i]].push_back(&translated[i]);
}

void RoundRequests::answer(std::size_t shard) {
    if (!memory_.translates()) collect(shard);
    memory_.answer(shard, order_[shard]);
}

void RoundRequests::drain(const std::vector<std::unique_ptr<Sm>>& sms) {
    for (std::uint32_t number = 0; number < sms.size(); ++number) deliver(*sms[number], number);
    std::vector<MemoryRequest> requests;
    for (const auto& sm : sms) {
        sm->let_stores_leave(never);
        requests.insert(requests.end(), sm->outbox().begin(), sm->outbox().end());
    }
    std::stable_sort(requests.begin(), requests.end(),
                     [](const MemoryRequest& a, const MemoryRequest& b) { return a.time < b.time; });
    const std::vector<MemoryRequest>& last =
        memory_.translates() ? memory_.translate(requests, MemorySystem::never) : requests;
    std::vector<std::uint32_t> shards;
    memory_.shards_of(last, shards);
    for (auto& order : order_) order.clear();
    for (std::size_t i = 0; i < last.size(); ++i) order_[shards[i]].push_back(&last[i]);
    if (!last.empty()) memory_.begin_round(last.front().time);
    for (std::size_t shard = 0; shard < memory_.shards(); ++shard) memory_.answer(shard, order_[shard]);
}

std::uint64_t RoundRequests::earliest(std::uint32_t sm) const {
    std::uint64_t first = never;
    for (std::size_t shard = 0; shard < memory_.shards(); ++shard)
        first = std::min(first, memory_.shard(shard).earliest[sm]);
    return first;
}

std::uint64_t RoundRequests::next() const {
    std::uint64_t next = memory_.next_unanswered();
    for (const OfSm& of : sms_) next = std::min(next, of.next);
    return next;
}

}  // namespace sassafras::sim
