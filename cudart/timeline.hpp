// When the parts of the GPU that do the work of streams are busy, in simulated nanoseconds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

namespace sassafras::cudart {

/// What does a piece of a stream's work.
enum class Engine : std::uint8_t {
    kernels,    ///< kernels, copies within the device, sets: as many as fit beside each other
    to_device,  ///< copies from host memory: one at a time
    to_host,    ///< copies to host memory: one at a time
    commands,   ///< bytes that travel with a stream's commands; nothing else waits for them
    last,       ///< events, waits: what did the stream's last work; of a kernel, its stream's commands
};

struct Work {
    Engine engine = Engine::commands;
    double nanoseconds = 0;
    double share = 1;  ///< of the engine, above 0: what goes on at the same time has at most all of it together
};

class Timeline {
  public:
    /// Puts work that can begin at `earliest` where its share of its engine is first free for as long as it takes. Work
    /// that was put before keeps its place: what waits leaves the engine to others until it can begin. Returns when it
    /// has ended.
    double place(double earliest, const Work& work);
    /// When what was placed last begins.
    [[nodiscard]] double begun() const { return begun_; }
    /// No work will begin before this time any more.
    void forget_before(double time);

  private:
    struct Busy {
        double begin = 0;
        double end = 0;
        double share = 0;  ///< that is taken
    };
    using Times = std::deque<Busy>;
    static double first_room(const Times& busy, double earliest, const Work& work);
    static void take(Times& busy, double begin, const Work& work);
    static constexpr std::size_t shared_engines = 3;
    static constexpr std::size_t most_gaps = 4096;  ///< of an engine; the earliest are given up
    double begun_ = 0;
    std::array<Times, shared_engines> busy_;  ///< by time; neighbours that touch have different shares
};

}  // namespace sassafras::cudart
