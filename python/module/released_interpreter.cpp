#include "python/module/released_interpreter.hpp"

#include <cxxabi.h>
#include <unistd.h>

namespace sassafras::python {

void wait_for_the_process_to_end() {
    for (;;) pause();
}

void ReleasedInterpreter::take_back() {
    try {
        PyEval_RestoreThread(state_);
    } catch (const abi::__forced_unwind&) {
        wait_for_the_process_to_end();  // never left, so that nothing is unwound further
    }
}

}  // namespace sassafras::python
