// When the parts of the GPU that do the work of streams are busy, in simulated nanoseconds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "cudart/kernel_room.hpp"
#include "cudart/launches.hpp"
#include "cudart/turns.hpp"

namespace sassafras::cudart {

/// What does a piece of a stream's work.
enum class Engine : std::uint8_t {
    kernels,    ///< kernels, copies within the device, sets: as many as fit beside each other
    to_device,  ///< copies from host memory: one at a time
    to_host,    ///< copies to host memory: one at a time
    records,    ///< records of events for timing, but behind copies: the streams take turns
    commands,   ///< bytes that travel with a stream's commands; nothing else waits for them
    last,       ///< events, waits: what did the stream's last work; of a kernel, its stream's commands
};

struct Work {
    Engine engine = Engine::commands;
    double nanoseconds = 0;
    KernelLoad load = {};      ///< of a kernel, a copy within the device, a set
    Recording recording = {};  ///< of a record
    LaunchTurn launch = {};    ///< of a kernel, a copy within the device, a set
};

class Timeline {
  public:
    /// Puts work that can begin at `earliest` where its engine is first free for as long as it takes; kernels as
    /// KernelRoom says. Work that was put before keeps its place: what waits leaves the engine to others until it can
    /// begin. Returns when it has ended.
    double place(double earliest, const Work& work);
    /// When a kernel that can begin at `earliest` will, if it is placed next.
    [[nodiscard]] double first_begin(double earliest, const Work& work) const {
        return kernels_.first_begin(launches_.find(work.recording.stream, earliest, work.launch), work.load);
    }
    /// When what was placed last begins.
    [[nodiscard]] double begun() const { return begun_; }
    /// What the kernel that was placed last loses in taking turns with others (KernelRoom::Span).
    [[nodiscard]] double lost() const { return lost_; }
    /// No work will begin before this time any more.
    void forget_before(double time);

  private:
    struct Busy {
        double begin = 0;
        double end = 0;
    };
    using Times = std::deque<Busy>;
    static constexpr std::size_t copy_engines = 2;
    static constexpr std::size_t most_gaps = 4096;  ///< of an engine; the earliest are given up
    Times& times_of(Engine engine) { return copies_[engine == Engine::to_device ? 0 : 1]; }
    static double take(Times& busy, double earliest, double nanoseconds);

    double begun_ = 0;
    double lost_ = 0;
    KernelRoom kernels_;
    Launches launches_;
    Turns records_;
    std::array<Times, copy_engines> copies_;  ///< by time; none touch
};

}  // namespace sassafras::cudart
