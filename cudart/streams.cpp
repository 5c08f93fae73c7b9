#include "cudart/streams.hpp"

#include <algorithm>

namespace sassafras::cudart {

Stream& Streams::add(Stream::Kind kind, int priority) {
    auto stream = std::make_unique<Stream>(Stream{kind, priority, next_id_++});
    stream->made = streams_made_++;
    stream->name = "stream " + std::to_string(stream->number());
    return *created_.emplace(stream.get(), std::move(stream)).first->second;
}

Stream& Streams::of_thread(std::uint64_t thread) {
    Stream& stream = threads_[thread];
    if (stream.name.empty()) {
        stream.name = "default stream of thread " + std::to_string(thread);
        stream.made = streams_made_++;
    }
    return stream;
}

void Streams::reset() {
    host_waits_for_all();
    created_.clear();
}

/// What the stream's next work waits for in others: by the rules of the legacy default stream.
std::vector<CommandId> Streams::awaited_by(const Stream& stream) const {
    std::vector<CommandId> behind;
    if (stream.kind == Stream::Kind::legacy)
        for (const auto& [made, last] : last_of_blocking_) behind.push_back(last);
    if (stream.kind == Stream::Kind::blocking) behind.push_back(legacy_.last);
    std::erase_if(behind, [&](CommandId command) { return queues_.has_ended(command); });
    return behind;
}

Command Streams::command(const Stream& stream, const Work& work) const {
    Command command{stream.made, work, awaited_by(stream)};
    command.put_at = host_;
    command.behind_kernel = stream.launched;
    // tests/programs/stream_order.cu on an H200: a copy's event for timing waits in the line of the engine that copied,
    // also for copies of other streams; a kernel's event waits for other streams' only if they are for timing, too.
    if (work.engine == Engine::last)
        command.work.engine = stream.engine != Engine::kernels ? stream.engine
                              : work.record.turn > 0           ? Engine::records
                                                               : Engine::commands;
    return command;
}

CommandId Streams::put(Stream& stream, Command command) {
    while (const auto first = queues_.first_if_full(stream.made)) host_waits(*first);
    if (ahead_ && ahead_->queues.size() > queues_.size() + most_behind) ahead_.reset();
    if (ahead_) (void)ahead_->queues.put(command);
    may_look_through_ = std::min(may_look_through_ + looked_through_each, most_behind);
    stream.last = queues_.put(std::move(command));
    if (stream.kind == Stream::Kind::blocking) {
        last_of_blocking_[stream.made] = stream.last;
        if (last_of_blocking_.size() > 2 * blocking_under_way_ + 1) {
            std::erase_if(last_of_blocking_, [&](const auto& last) { return queues_.has_ended(last.second); });
            blocking_under_way_ = last_of_blocking_.size();
        }
    }
    question_ = first_question;
    return stream.last;
}

CommandId Streams::put(Stream& stream, const Work& work) {
    if (work.engine != Engine::last) {
        stream.engine = work.engine == Engine::commands ? Engine::kernels : work.engine;
        Command next = command(stream, work);
        stream.launched = work.engine == Engine::kernels;
        return put(stream, std::move(next));
    }
    return put(stream, command(stream, work));
}

void Streams::record(Stream& stream, Event& event, const Work& work) {
    forget(event);
    event.record = put(stream, work);
    event.stream = stream.made;
    recorded_.emplace(event.record, 0);
}

void Streams::forget(Event& event) {
    recorded_.erase(event.record);
    event.record = 0;
}

void Streams::wait(Stream& stream, const Event& event, const Waking& waking) {
    // What a stream waits for of itself, the driver leaves out (validate/records/h200/probes/cold_commands.cu, `own`).
    if (event.record == 0 || event.stream == stream.made) return;
    Command command{stream.made, {}, awaited_by(stream)};
    command.awaited = event.record;
    command.awaited_stream = event.stream;
    command.awaited_end = time_of(event);
    command.waking = waking;
    (void)put(stream, std::move(command));
}

Streams::Begin Streams::next_begin(const Stream& stream, const Work& work) {
    if (!ahead_ || (ahead_->stream != stream.made && queues_.size() <= may_look_through_)) {
        may_look_through_ -= std::min(may_look_through_, queues_.size());
        ahead_ = Ahead{stream.made, queues_};
    }
    ahead_->stream = stream.made;
    ahead_->queues.run_to(host_);
    ahead_->queues.run_until_end(stream.last);
    (void)ahead_->queues.take_ended();
    CommandQueues next = ahead_->queues;
    Work alone = work;
    alone.nanoseconds = std::max(1.0, work.load.before + work.load.after);
    const CommandId kernel = next.put(command(stream, alone));
    const double time = next.run_until_begin(kernel);
    return {time, next.launches_beside(kernel)};
}

void Streams::collect() {
    for (const EndedCommand& ended : queues_.take_ended()) {
        if (const auto record = recorded_.find(ended.command); record != recorded_.end()) record->second = ended.end;
        ended_.push_back(ended);
    }
}

std::vector<EndedCommand> Streams::take_ended() {
    collect();
    return std::exchange(ended_, {});
}

double Streams::time_of(const Event& event) const {
    const auto record = recorded_.find(event.record);
    return record == recorded_.end() ? 0 : record->second;
}

/// Time passes for the host, and for the GPU.
void Streams::pass(double time, HostSpan::Kind kind) {
    if (time > host_) {
        if (!host_spans_.empty() && host_spans_.back().kind == kind && host_spans_.back().end == host_)
            host_spans_.back().end = time;
        else
            host_spans_.push_back({kind, host_, time});
        host_ = time;
    }
    queues_.run_to(host_);
    collect();
}

void Streams::host_waits(CommandId command) {
    queues_.run_until_end(command);
    pass(queues_.now(), HostSpan::Kind::waits);
    question_ = first_question;
}

void Streams::host_waits(const Stream& stream) {
    for (const CommandId command : awaited_by(stream))
        if (stream.kind == Stream::Kind::legacy) host_waits(command);
    host_waits(stream.last);
}

void Streams::host_spends(double nanoseconds) {
    pass(host_ + nanoseconds, HostSpan::Kind::copies);
    question_ = first_question;
}

void Streams::host_waits_for_all() {
    queues_.run_until_idle();
    pass(queues_.now(), HostSpan::Kind::waits);
    question_ = first_question;
}

void Streams::run_to_end() {
    queues_.run_until_idle();
    collect();
}

bool Streams::ask(CommandId command) {
    if (queues_.has_ended(command)) return true;
    queues_.run_until_end(command, host_ + question_);
    pass(queues_.now(), HostSpan::Kind::asks);
    question_ *= 2;
    return false;
}

bool Streams::ask(const Stream& stream) {
    if (stream.kind == Stream::Kind::legacy)
        for (const CommandId command : awaited_by(stream))
            if (!ask(command)) return false;
    return ask(stream.last);
}

}  // namespace sassafras::cudart
