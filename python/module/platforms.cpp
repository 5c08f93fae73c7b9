// Platforms, read and checked as the command line reads them.
#include <string>

#include <pybind11/stl.h>

#include "python/module/errors.hpp"
#include "python/module/parts.hpp"
#include "sim/platform/platform_json.hpp"
#include "sim/platform/platform_reader.hpp"

namespace sassafras::python {

namespace {

namespace py = pybind11;

/// The whole platform as JSON, and its hash.
py::tuple text_and_hash(Result<sim::ResolvedPlatform> resolved) {
    const sim::ResolvedPlatform platform = value_or_raise(std::move(resolved));
    return py::make_tuple(sim::platform_text(platform), platform.hash);
}

}  // namespace

void add_platforms(py::module_& module) {
    module.def("platform_names", &sim::platform_names);
    module.def(
        "load_platform",
        [](const std::string& name_or_path) { return text_and_hash(sim::load_platform(name_or_path)); },
        py::arg("name_or_path"));
    module.def(
        "parse_platform",
        [](const std::string& text, const std::string& origin) {
            return text_and_hash(sim::parse_platform(text, origin));
        },
        py::arg("text"), py::arg("origin"));
}

}  // namespace sassafras::python
