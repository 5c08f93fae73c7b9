// Errors as Python has them.
#pragma once

#include <string>

#include <pybind11/pybind11.h>

#include "core/result.hpp"

namespace sassafras::python {

/// What somebody else wrote, such as a kernel: bytes that are no UTF-8 are replaced.
[[nodiscard]] pybind11::str text_of(const std::string& bytes);

/// Throws the class of sassafras.errors that stands for the kind. `json` is what there is of a result, `notes` what was
/// said beside it.
[[noreturn]] void raise(const Error& error, const std::string& json = {}, const std::string& notes = {});

/// The value, or the exception.
template <class T>
T value_or_raise(Result<T> result) {
    if (!result) raise(result.error());
    return std::move(result).value();
}
inline void raise_unless(const Result<void>& done) {
    if (!done) raise(done.error());
}

}  // namespace sassafras::python
