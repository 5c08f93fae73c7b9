// sassafras._core: what the Python package is built on. Its types are in sassafras/_core.pyi.
#include <pybind11/pybind11.h>

#include "cli/reports/report.hpp"
#include "python/module/parts.hpp"

PYBIND11_MODULE(_core, module) {
    module.attr("version") = sassafras::cli::version();
    sassafras::python::add_commands(module);
    sassafras::python::add_platforms(module);
    sassafras::python::add_metrics(module);
    sassafras::python::add_gpu(module);
}
