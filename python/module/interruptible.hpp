// Work that a key on the terminal ends, as it does Python's own.
#pragma once

#include <functional>

namespace sassafras::python {

/// To be called often by the work: throws Interrupted once somebody wants it to end.
using Poll = std::function<void()>;

/// Does the work on a thread of its own, without the interpreter's lock, while this one looks for signals. Throws what
/// the work throws; or what Python's handler of a signal raised (KeyboardInterrupt). Work that does not poll within a
/// moment goes on by itself until it does, which is when a simulation would begin; the interpreter waits for it at its
/// end. So it must own all that it uses, and nothing of Python's. Call it with the interpreter's lock.
void run_on_a_thread(std::function<void(const Poll&)> work);

/// The same on this thread, which costs less, but a signal is only seen when the work polls on this thread.
void run_here(const std::function<void(const Poll&)>& work);

/// To be called at the interpreter's end: ends all work that still runs (of daemons' threads, or left to itself), and
/// waits for that.
void end_work_with_interpreter();

}  // namespace sassafras::python
