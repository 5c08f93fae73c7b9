// The interpreter's lock, given up while something else is done.
#pragma once

#include <Python.h>

namespace sassafras::python {

/// For ever: of a daemon's thread whose interpreter ends. It must not have the interpreter's lock.
[[noreturn]] void wait_for_the_process_to_end();

/// As pybind11's gil_scoped_release. But where the interpreter has ended meanwhile, what waits for its lock waits until
/// the process ends: CPython ends such a thread by unwinding it, which pybind11's destructors and a thread that is
/// still to be joined answer with std::terminate.
class ReleasedInterpreter {
  public:
    ReleasedInterpreter() : state_(PyEval_SaveThread()) {}
    ReleasedInterpreter(const ReleasedInterpreter&) = delete;
    ReleasedInterpreter& operator=(const ReleasedInterpreter&) = delete;
    ~ReleasedInterpreter() { take_back(); }

    /// Does something of Python's with the lock. It must not throw.
    template <class What>
    void with_lock(const What& what) {
        take_back();
        what();
        state_ = PyEval_SaveThread();
    }

  private:
    void take_back();

    PyThreadState* state_;
};

}  // namespace sassafras::python
