// Simulated time of streams, events, copies and of the host, which waits for them. Kernels run one behind the other;
// the engines for copies to the device and to the host work beside them. Measured: validate/hardware/probes/copies.cu.
#pragma once

#include <cstdint>

#include "sim/platform/platform.hpp"

namespace sassafras::cudart {

/// What does a piece of a stream's work. Work on one engine goes one behind the other.
enum class Engine : std::uint8_t {
    commands,   ///< the stream's own commands: events, and bytes that travel with them; waits for no other stream
    kernels,    ///< kernels, copies within the device, sets
    to_device,  ///< copies from host memory
    to_host,    ///< copies to host memory
};
constexpr std::size_t engine_count = 4;

struct Work {
    Engine engine = Engine::commands;
    double nanoseconds = 0;
};

/// From where to where bytes move.
enum class Way : std::uint8_t {
    pinned_to_device,
    pageable_to_device,
    device_to_pinned,
    device_to_pageable,
    within_device,
    within_host,
    set,
};

/// What a copy or a set of so many bytes is for a stream. None at all for no bytes.
[[nodiscard]] Work work_of(Way way, std::uint64_t bytes, const sim::Platform& platform);

/// Whether the host goes on only when the copy has ended, also if it was to be asynchronous.
[[nodiscard]] bool host_waits_for(Way way, std::uint64_t bytes);

/// Behind a cudaStream_t.
struct Stream {
    double ready = 0;  ///< nanoseconds: when all work put into it so far has ended
    unsigned flags = 0;
    int priority = 0;
    std::uint64_t id = 0;
};

/// Behind a cudaEvent_t.
struct Event {
    double time = 0;  ///< nanoseconds
    bool recorded = false;
    bool timing = true;
};

class Timeline {
  public:
    /// Work of `stream` that begins not before `earliest`, nor before the host asked for it and the engine is free.
    /// Returns when it has ended.
    double run(Stream& stream, double earliest, const Work& work);

    /// The host asks for nothing more before `time`.
    void host_waits(double time);
    [[nodiscard]] double host() const { return host_; }
    /// When all work of all streams has ended.
    [[nodiscard]] double end() const { return end_; }

  private:
    double free_[engine_count] = {};
    double host_ = 0;
    double end_ = 0;
};

}  // namespace sassafras::cudart
