// Handles of streams and events, and what stands behind them.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "cudart/runtime.hpp"
#include "sim/timing/memory/sm_placement.hpp"

namespace sassafras::cudart {

std::uint64_t number_of_this_thread() {
    static std::atomic<std::uint64_t> next{0};
    thread_local const std::uint64_t number = next++;
    return number;
}

std::size_t Runtime::connections() {
    constexpr int most = 32;  // CUDA C++ Programming Guide, environment variables
    const char* const text = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    const int wanted = text == nullptr ? 0 : std::atoi(text);
    return wanted < 1 ? CommandQueues::usual_connections : static_cast<std::size_t>(std::min(wanted, most));
}

/// Says to the device what follows from when a launch begins, and beside what.
void Runtime::look_ahead(const Stream& stream, const Work& work, sim::Launch& launch) {
    if (!dealt_) dealt_.emplace(platform().gpu.first_sms, sim::SmPlacement(platform()).gpcs());
    if (!streams_.others_under_way(stream)) {
        launch.dealt_from = dealt_->deal(work.load, {});
        device().set_global_timer([this, work, of = &stream] { return streams_.first_begin(*of, work); });
        return;
    }
    const Streams::Begin next = streams_.next_begin(stream, work);
    launch.dealt_from = dealt_->deal(work.load, next.beside);
    device().set_global_timer([begin = next.time] { return begin; });
}

Stream* Runtime::stream(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &streams_.legacy();
    if (handle == cudaStreamPerThread) return &streams_.of_thread(number_of_this_thread());
    auto* const stream = reinterpret_cast<Stream*>(handle);
    return streams_.contains(stream) ? stream : nullptr;
}

cudaStream_t Runtime::add_stream(Stream::Kind kind, int priority) {
    return reinterpret_cast<cudaStream_t>(&streams_.add(kind, priority));
}

bool Runtime::remove_stream(cudaStream_t handle) {
    const auto* const stream = reinterpret_cast<const Stream*>(handle);
    if (!streams_.contains(stream)) return false;
    streams_.remove(stream);
    return true;
}

Event* Runtime::event(cudaEvent_t handle) {
    auto* const event = reinterpret_cast<Event*>(handle);
    return events_.contains(event) ? event : nullptr;
}

cudaEvent_t Runtime::add_event(unsigned flags) {
    auto* const event = new Event{(flags & cudaEventDisableTiming) == 0, events_made_++};
    events_.insert(event);
    return reinterpret_cast<cudaEvent_t>(event);
}

bool Runtime::remove_event(cudaEvent_t handle) {
    auto* const event = reinterpret_cast<Event*>(handle);
    if (events_.erase(event) == 0) return false;
    streams_.forget(*event);
    delete event;
    return true;
}

}  // namespace sassafras::cudart
