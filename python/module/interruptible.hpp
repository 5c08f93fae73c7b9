// Work that a key on the terminal ends, as it does Python's own.
#pragma once

#include <functional>

namespace sassafras::python {

/// To be called often by the work, on any thread: throws Interrupted once somebody wants it to end.
using Poll = std::function<void()>;

/// What becomes of work that does not poll within a moment after somebody wanted it to end.
enum class Impatience {
    waits,  ///< until it does: it uses what the caller has
    /// It goes on by itself until it polls, which is when a simulation would begin; the interpreter waits for it at its
    /// end. It must own all that it uses, and nothing of Python's.
    leaves,
};

/// Does the work on a thread of its own, without the interpreter's lock, while this one looks for signals. Throws what
/// the work throws; or what Python's handler of a signal raised (KeyboardInterrupt). Call it with the interpreter's
/// lock.
void run_interruptibly(std::function<void(const Poll&)> work, Impatience impatience);

/// To be called at the interpreter's end.
void wait_for_left_work();

}  // namespace sassafras::python
