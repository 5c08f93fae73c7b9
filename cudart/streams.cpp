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

/// When what is put into the stream now can begin, if its engine is free.
double Streams::earliest(const Stream& stream) const {
    const double own = std::max(host_, stream.ready);
    if (stream.kind == Stream::Kind::legacy) return std::max(own, blocking_end_);
    if (stream.kind == Stream::Kind::blocking) return std::max(own, legacy_.ready);
    return own;
}

/// What Launches and Turns have to know of the stream.
Work Streams::of_stream(const Stream& stream, Work work) const {
    const double from = earliest(stream);
    work.launch.behind = stream.launched && from > host_ && from > stream.resumed;
    work.recording.stream = stream.made;
    work.recording.since = stream.woken;
    work.recording.lost = stream.lost;
    return work;
}

double Streams::put(Stream& stream, const Work& work) {
    // tests/programs/stream_order.cu on an H200: a copy's event waits in the line of the engine that copied, also for
    // copies of other streams; a kernel's event waits for other streams' only if they are for timing, too.
    Engine engine = work.engine;
    if (engine == Engine::last)
        engine = stream.engine != Engine::kernels ? stream.engine
                 : work.recording.turn > 0        ? Engine::records
                                                  : Engine::commands;
    else
        stream.engine = engine == Engine::commands ? Engine::kernels : engine;
    Work placed = of_stream(stream, work);
    placed.engine = engine;
    const double from = earliest(stream);
    stream.ready = engines_.place(from, placed);
    if (work.engine != Engine::last) stream.launched = engine == Engine::kernels;
    if (engine <= Engine::records) stream.lost = engines_.lost();
    if (engine == Engine::kernels) {
        const double held_up = std::exchange(stream.held_up, 0);
        if (from <= stream.resumed) stream.ready += std::clamp(stream.ready - from - work.nanoseconds, 0.0, held_up);
    }
    has_got_later(stream);
    question_ = first_question;
    return stream.ready;
}

void Streams::wait(Stream& stream, Event& event, const Waking& waking) {
    if (!event.recorded) return;
    (void)put(stream, {Engine::last, 0});  // in the legacy stream this is work that others wait for
    const bool has_to_wait = event.time > std::max(host_, stream.ready);
    stream.woken = std::max(stream.woken, event.time);
    if (!has_to_wait) return;
    const auto before = static_cast<double>(event.waiters++);
    // Of two that wait both are later than one alone; but what the first then does has its place by now.
    stream.held_up = std::min(before, 2.0) * waking.turn;
    stream.ready = event.time + waking.alone + (before > 0 ? (before + 1) * waking.turn : 0);
    stream.resumed = stream.ready;
    has_got_later(stream);
}

void Streams::has_got_later(const Stream& stream) {
    last_end_ = std::max(last_end_, stream.ready);
    if (stream.kind == Stream::Kind::blocking) blocking_end_ = std::max(blocking_end_, stream.ready);
}

double Streams::end(const Stream& stream) const {
    return stream.kind == Stream::Kind::legacy ? std::max(stream.ready, blocking_end_) : stream.ready;
}

void Streams::pass(double time, HostSpan::Kind kind) {
    if (time > host_) {
        if (!host_spans_.empty() && host_spans_.back().kind == kind && host_spans_.back().end == host_)
            host_spans_.back().end = time;
        else
            host_spans_.push_back({kind, host_, time});
        host_ = time;
    }
    engines_.forget_before(host_);
}

void Streams::host_waits(double time) {
    pass(time, HostSpan::Kind::waits);
    question_ = first_question;
}

void Streams::host_spends(double nanoseconds) {
    pass(host_ + nanoseconds, HostSpan::Kind::copies);
    question_ = first_question;
}

void Streams::host_waits_for_all() { host_waits(last_end_); }

bool Streams::ask(double time) {
    if (time <= host_) return true;
    pass(std::min(time, host_ + question_), HostSpan::Kind::asks);
    question_ *= 2;
    return false;
}

}  // namespace sassafras::cudart
