#include "python/module/errors.hpp"

#include <array>
#include <string_view>

namespace sassafras::python {

namespace {

namespace py = pybind11;

constexpr std::array<std::string_view, 7> fault_names{
    "", "illegal_address", "misaligned_address", "illegal_instruction", "assertion", "trap", "runaway"};

}  // namespace

py::str text_of(const std::string& bytes) {
    PyObject* const text = PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace");
    if (text == nullptr) throw py::error_already_set();
    return py::reinterpret_steal<py::str>(text);
}

void raise(const Error& error, const std::string& json, const std::string& notes) {
    const py::object make = py::module_::import("sassafras.errors").attr("from_core");
    const py::object exception =
        make(static_cast<int>(error.kind), text_of(error.what), text_of(error.where), text_of(error.remedy),
             py::str(std::string(fault_names.at(static_cast<std::size_t>(error.fault)))), json, text_of(notes));
    PyErr_SetObject(py::type::of(exception).ptr(), exception.ptr());
    throw py::error_already_set();
}

}  // namespace sassafras::python
