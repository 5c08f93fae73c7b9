#include "cudart/command_queues.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "core/result.hpp"
#include "cudart/l2_loss.hpp"

namespace sassafras::cudart {

namespace {

/// Nanoseconds. What a kernel does between its first block and its last is no shorter.
constexpr double shortest_kernel = 4e-3;

bool is_launch(const Work& work) { return work.engine == Engine::kernels && work.nanoseconds > 0; }

}  // namespace

CommandId CommandQueues::put(Command command) {
    const CommandId id = ++last_id_;
    if (command.awaited != 0 && !has_ended(command.awaited)) {
        waits_for_.emplace(command.awaited, id);
    } else {
        command.awaited = 0;
        command.waking = {};
    }
    Stream& stream = streams_[command.stream];
    if (stream.commands.empty()) {
        heads_.insert(id);
        const auto fewest = std::min_element(connections_.begin(), connections_.end(),
                                             [](const auto& a, const auto& b) { return a.streams < b.streams; });
        stream.connection = static_cast<std::size_t>(fewest - connections_.begin());
        ++fewest->streams;
    }
    command.used_before = used_;
    if (is_launch(command.work)) connections_[stream.connection].launches.insert(id);
    stream.commands.push_back(id);
    stream.timed += command.work.nanoseconds > 0 ? 1 : 0;
    commands_.emplace(id, State{std::move(command)});
    return id;
}

std::optional<CommandId> CommandQueues::first_if_full(std::uint64_t stream) const {
    const auto found = streams_.find(stream);
    if (found == streams_.end()) return std::nullopt;
    const bool full = found->second.timed >= most_timed || commands_.size() >= most_commands;
    return full ? std::optional(found->second.commands.front()) : std::nullopt;
}

void CommandQueues::run_to(double time) {
    while (now_ < time) step(time);
}

void CommandQueues::run_until_end(CommandId command, double limit) {
    settle();
    while (!has_ended(command) && now_ < limit) step(limit);
}

void CommandQueues::run_until_idle() {
    settle();
    while (!commands_.empty()) step(KernelRoom::never);
}

double CommandQueues::run_until_begin(CommandId kernel) {
    settle();
    while (!has_ended(kernel) && !commands_.at(kernel).has_begun) step(KernelRoom::never);
    return has_ended(kernel) ? now_ : commands_.at(kernel).begin;
}

std::vector<CommandId> CommandQueues::launches_beside(CommandId kernel) const {
    std::vector<CommandId> beside;
    for (const CommandId head : heads_) {
        const State& state = commands_.at(head);
        const auto& commands = streams_.at(state.command.stream).commands;
        const bool wakes = state.stage == Stage::wakes && commands.size() > 1;
        const CommandId id = wakes ? commands[1] : head;
        const bool has_it = wakes || (state.stage >= Stage::lined_up && state.stage <= Stage::has_places);
        if (has_it && id < kernel && is_launch(commands_.at(id).command.work)) beside.push_back(id);
    }
    std::sort(beside.begin(), beside.end());
    return beside;
}

double CommandQueues::next() {
    double next = std::min({now_ + kernels_.until_change(), launches_.next(), records_.next()});
    for (const CommandId id : heads_) {
        const State& state = commands_.at(id);
        if (state.stage >= Stage::wakes && state.stage != Stage::has_places) next = std::min(next, state.until);
    }
    return next;
}

/// To the next time at which something changes, or to the limit.
void CommandQueues::step(double limit) {
    settle();
    const double to = std::min(next(), limit);
    require_invariant(to < KernelRoom::never, "commands wait for what never ends");
    // What is left of a kernel is exact even where times are so long that their sums are not.
    const double until_change = kernels_.until_change();
    kernels_.pass(to == now_ + until_change ? until_change : to - now_);
    now_ = to;
    settle();
}

/// All that happens now.
void CommandQueues::settle() {
    while (finish_what_is_due() || begin_what_can() || change_kernels()) {}
}

bool CommandQueues::finish_what_is_due() {
    bool any = false;
    const std::vector<CommandId> heads(heads_.begin(), heads_.end());
    for (const CommandId id : heads) {
        State& state = commands_.at(id);
        if (state.stage < Stage::wakes || state.stage == Stage::has_places || state.until > now_) continue;
        come_to_time(id, state);
        any = true;
    }
    while (const auto record = records_.take(now_)) {
        State& state = commands_.at(*record);
        state.begin = now_ - state.command.work.nanoseconds;
        state.has_begun = true;
        Stream& stream = streams_.at(state.command.stream);
        const bool is_shared = sleeping_by_line()[line_of(stream)] > 0;
        const double back = is_shared ? state.command.work.record.back : 0;
        stream.goes_on = now_ + back;
        end(*record, back);
        any = true;
    }
    return any;
}

bool CommandQueues::begin_what_can() {
    bool any = false;
    // In the order in which they were put, those also that come to be first meanwhile.
    for (auto head = heads_.begin(); head != heads_.end();) {
        const CommandId id = *head;
        any = begin(id, commands_.at(id)) || any;
        head = heads_.upper_bound(id);
    }
    for (Line& line : copies_) {
        if (line.at_work != 0 || line.waiting.empty()) continue;
        line.at_work = *line.waiting.begin();
        line.waiting.erase(line.waiting.begin());
        State& state = commands_.at(line.at_work);
        work(state, Stage::works, state.command.work.nanoseconds);
        any = true;
    }
    while (const auto launched = launches_.take(now_)) {
        State& state = commands_.at(*launched);
        work(state, Stage::launches, before_of(state.command.work));
        state.has_begun = false;  // not before its first block
        any = true;
    }
    return any;
}

bool CommandQueues::change_kernels() {
    (void)kernels_.until_change();
    bool any = false;
    for (const auto& [kernel, has_ended] : kernels_.take_changes()) {
        State& state = commands_.at(kernel);
        if (has_ended) {
            state.stage = Stage::completes;
            state.until = now_ + after_of(state.command.work);
        } else {
            state.begin = now_ - before_of(state.command.work);
            state.has_begun = true;
        }
        any = true;
    }
    return any;
}

/// The first command of a stream goes on if it can. Returns whether it did.
bool CommandQueues::begin(CommandId id, State& state) {
    if (state.stage > Stage::waits) return false;
    const bool is_new = std::exchange(state.stage, Stage::waits) == Stage::queued;
    Command& command = state.command;
    std::erase_if(command.behind, [&](CommandId other) { return has_ended(other); });
    if (!command.behind.empty()) {
        state.stage = Stage::queued;
        return false;
    }
    if (command.awaited != 0) return is_new;
    Stream& stream = streams_.at(command.stream);
    std::set<CommandId>& launches = connections_[stream.connection].launches;
    if (is_launch(command.work) && *launches.begin() != id) return false;
    if (stream.goes_on > now_) {
        state.stage = Stage::pauses;
        state.until = stream.goes_on;
        return true;
    }
    stream.since = std::max(stream.since, command.awaited_end);
    if (command.waking.done > 0) {
        state.stage = Stage::wakes;
        state.until = now_ + command.waking.done + lost_by(command);
        return true;
    }
    launches.erase(id);
    line_up(id, state, stream);
    return true;
}

/// Nanoseconds that a wait takes more, as L2 has lost what belongs to the event's stream
/// (validate/records/h200/probes/cold_commands.cu).
double CommandQueues::lost_by(const Command& wait) {
    const double before = std::max(wait.used_before, std::exchange(looked_up_[wait.awaited_stream], used_));
    return wait.waking.lost * share_lost(used_ - before, wait.waking.l2_ways);
}

void CommandQueues::line_up(CommandId id, State& state, const Stream& stream) {
    const Command& command = state.command;
    const double nanoseconds = command.work.nanoseconds;
    state.begin = now_;
    state.stage = Stage::lined_up;
    if (nanoseconds <= 0) return end(id);
    switch (command.work.engine) {
        case Engine::to_device:
        case Engine::to_host: line_of(command.work.engine).waiting.insert(id); return;
        case Engine::records:
            return records_.add(
                now_, {id, command.stream, nanoseconds, command.work.record, std::max(stream.since, command.put_at)});
        case Engine::kernels: {
            const bool behind = command.behind_kernel && now_ > command.put_at && now_ > stream.resumed;
            const bool woken = now_ > command.put_at && now_ == stream.resumed;
            return launches_.add(now_, {id, command.stream, woken ? LaunchTurn{} : command.work.launch, behind});
        }
        case Engine::commands:
        case Engine::last: return work(state, Stage::works, nanoseconds);
    }
}

void CommandQueues::work(State& state, Stage stage, double nanoseconds) {
    state.begin = now_;
    state.has_begun = true;
    state.stage = stage;
    state.until = now_ + nanoseconds;
}

void CommandQueues::come_to_time(CommandId id, State& state) {
    const Work& work = state.command.work;
    if (state.stage == Stage::pauses) {
        state.stage = Stage::waits;
        return;
    }
    if (state.stage == Stage::launches) {
        state.stage = Stage::has_places;
        used_ += work.load.l2_lines;
        kernels_.add(id, std::max(shortest_kernel, work.nanoseconds - before_of(work) - after_of(work)), work.load);
        return;
    }
    if (state.stage == Stage::wakes) streams_.at(state.command.stream).resumed = now_;
    if (work.engine == Engine::to_device || work.engine == Engine::to_host) line_of(work.engine).at_work = 0;
    end(id);
}

void CommandQueues::end(CommandId id, double until_seen) {
    const State& state = commands_.at(id);
    ended_.push_back({id, state.begin, now_});
    Stream& stream = streams_.at(state.command.stream);
    stream.commands.pop_front();
    stream.timed -= state.command.work.nanoseconds > 0 ? 1 : 0;
    heads_.erase(id);
    if (!stream.commands.empty()) {
        heads_.insert(stream.commands.front());
    } else {
        --connections_[stream.connection].streams;
        streams_.erase(state.command.stream);  // what comes later comes from the host
    }
    commands_.erase(id);
    wake(id, until_seen);
}

/// Streams that have nothing to do but to wait for an event, by line: those also that have just come to that.
std::array<std::size_t, CommandQueues::lines> CommandQueues::sleeping_by_line() const {
    std::array<std::size_t, lines> count{};
    for (const CommandId id : heads_) {
        const State& state = commands_.at(id);
        if (state.stage <= Stage::waits && state.command.awaited != 0)
            ++count[line_of(streams_.at(state.command.stream))];
    }
    return count;
}

/// Streams that wait for a record which has just ended. Each of the GPU's lines asks its streams that wait one after
/// the other whether they can go on: one that waits alone there goes on at once, others as the line comes to them, any
/// of them first (validate/records/h200/probes/wake_lines.cu).
void CommandQueues::wake(CommandId record, double until_seen) {
    std::array<std::vector<State*>, lines> sleeping;
    const std::array<std::size_t, lines> asked = sleeping_by_line();
    const auto [first, last] = waits_for_.equal_range(record);
    for (auto waiter = first; waiter != last; ++waiter) {
        State& state = commands_.at(waiter->second);
        state.command.awaited = 0;
        state.command.awaited_end = now_;
        if (state.stage == Stage::waits) sleeping[line_of(streams_.at(state.command.stream))].push_back(&state);
    }
    waits_for_.erase(first, last);
    Random random(record);
    for (std::size_t line = 0; line < lines; ++line) {
        std::vector<State*>& woken = sleeping[line];
        if (woken.empty()) continue;
        std::rotate(woken.begin(), woken.begin() + static_cast<std::ptrdiff_t>(random.below(woken.size())),
                    woken.end());
        for (std::size_t i = 0; i < woken.size(); ++i) {
            State& state = *woken[i];
            const Waking& waking = state.command.waking;
            state.stage = Stage::wakes;
            state.until = now_ + until_seen + waking.alone + lost_by(state.command);
            if (asked[line] > 1)
                state.until += waking.shared + static_cast<double>(asked[line] - woken.size()) * waking.asked +
                               static_cast<double>(i) * waking.turn;
            Stream& stream = streams_.at(state.command.stream);
            stream.since = std::max(stream.since, now_);
        }
    }
}

}  // namespace sassafras::cudart
