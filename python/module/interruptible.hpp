// Work that a key on the terminal ends, as it does Python's own.
#pragma once

#include <functional>

namespace sassafras::python {

/// To be called often by the work, on any thread: throws Interrupted once somebody wants it to end.
using Poll = std::function<void()>;

/// Does the work on a thread of its own, without the interpreter's lock, while this one looks for signals. Throws what
/// the work throws; or what Python's handler of a signal raised (KeyboardInterrupt), when the work has ended at its next
/// poll. Call it with the interpreter's lock.
void run_interruptibly(const std::function<void(const Poll&)>& work);

}  // namespace sassafras::python
