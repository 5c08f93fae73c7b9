#include "cudart/streams.hpp"

#include <algorithm>

namespace sassafras::cudart {

Stream& Streams::add(Stream::Kind kind, int priority) {
    auto stream = std::make_unique<Stream>(Stream{kind, priority, next_id_++});
    return *created_.emplace(stream.get(), std::move(stream)).first->second;
}

void Streams::remove(const Stream* stream) {
    if (stream->kind == Stream::Kind::blocking) removed_ = std::max(removed_, stream->ready);
    created_.erase(stream);
}

void Streams::reset() {
    host_waits_for_all();
    created_.clear();
}

double Streams::of_blocking() const {
    double latest = removed_;
    for (const auto& [thread, stream] : threads_) latest = std::max(latest, stream.ready);
    for (const auto& [handle, stream] : created_)
        if (stream->kind == Stream::Kind::blocking) latest = std::max(latest, stream->ready);
    return latest;
}

double Streams::put(Stream& stream, const Work& work) {
    double earliest = std::max(host_, stream.ready);
    if (stream.kind == Stream::Kind::legacy) earliest = std::max(earliest, of_blocking());
    if (stream.kind == Stream::Kind::blocking) earliest = std::max(earliest, legacy_.ready);
    // tests/programs/stream_order.cu on an H200: a copy's event waits in the line of the engine that copied, also for copies of
    // other streams; a kernel's event waits for no other stream.
    Engine engine = work.engine;
    if (engine == Engine::last)
        engine = stream.engine == Engine::kernels ? Engine::commands : stream.engine;
    else
        stream.engine = engine == Engine::commands ? Engine::kernels : engine;
    stream.ready = engines_.place(earliest, {engine, work.nanoseconds});
    last_end_ = std::max(last_end_, stream.ready);
    return stream.ready;
}

void Streams::wait(Stream& stream, double time) {
    (void)put(stream, {Engine::last, 0});  // in the legacy stream this is work that others wait for
    stream.ready = std::max(stream.ready, time);
}

double Streams::end(const Stream& stream) const {
    return stream.kind == Stream::Kind::legacy ? std::max(stream.ready, of_blocking()) : stream.ready;
}

void Streams::host_waits(double time) {
    host_ = std::max(host_, time);
    question_ = first_question;
    engines_.forget_before(host_);
}

void Streams::host_waits_for_all() { host_waits(last_end_); }

bool Streams::ask(double time) {
    if (has_ended(time)) {
        question_ = first_question;
        return true;
    }
    const double next = 2 * question_;
    host_spends(question_);
    question_ = next;
    return false;
}

}  // namespace sassafras::cudart
