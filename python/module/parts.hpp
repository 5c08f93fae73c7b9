// What the module has, each part in a file of its own.
#pragma once

#include <pybind11/pybind11.h>

namespace sassafras::python {

void add_commands(pybind11::module_& module);
void add_platforms(pybind11::module_& module);
void add_metrics(pybind11::module_& module);
void add_gpu(pybind11::module_& module);

}  // namespace sassafras::python
