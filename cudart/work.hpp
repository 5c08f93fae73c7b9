// What a stream is told to do, and what that takes alone.
#pragma once

#include <cstdint>

#include "cudart/kernel_load.hpp"

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

/// Of recording an event for timing, in nanoseconds; 0: records do not hold each other up (RecordLine).
struct RecordTurn {
    double turn = 0;  ///< from the end of one stream's record to the begin of another's
    double back = 0;  ///< until its stream and others go on behind it, where others of its line wait
};

/// Of a launch, in nanoseconds; 0: launches do not hold each other up (LaunchLine).
struct LaunchTurn {
    double turn = 0;  ///< from one stream's launch to another's
    double back = 0;  ///< to go back to a stream that was left
};

/// What a wait for an event costs a stream that was not done when the host asked for it, in nanoseconds.
struct Waking {
    double alone = 0;    ///< where the stream waits when the event is done
    double done = 0;     ///< where it comes to it later
    double shared = 0;   ///< beyond `alone`, where others wait on its line (CommandQueues)
    double asked = 0;    ///< for each of these that waits for something else
    double turn = 0;     ///< from one that waits for the same event to the next
    double lost = 0;     ///< more, if L2 has lost what it had when the wait was put
    double l2_ways = 1;  ///< decides how soon it has
};

struct Work {
    Engine engine = Engine::commands;
    double nanoseconds = 0;
    KernelLoad load = {};    ///< of a kernel, a copy within the device, a set
    RecordTurn record = {};  ///< of a record
    LaunchTurn launch = {};  ///< of a kernel, a copy within the device, a set
};

}  // namespace sassafras::cudart
