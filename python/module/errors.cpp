#include "python/module/errors.hpp"

#include <array>
#include <string_view>

namespace sassafras::python {

namespace {

namespace py = pybind11;

constexpr std::array<std::string_view, 7> fault_names{
    "", "illegal_address", "misaligned_address", "illegal_instruction", "assertion", "trap", "runaway"};

}  // namespace

void raise(const Error& error, const std::string& json, const std::string& notes) {
    const py::object make = py::module_::import("sassafras.errors").attr("from_core");
    const py::object exception =
        make(static_cast<int>(error.kind), error.what, error.where, error.remedy,
             py::str(std::string(fault_names.at(static_cast<std::size_t>(error.fault)))), json, notes);
    PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
    throw py::error_already_set();
}

}  // namespace sassafras::python
