// Gpu and what a launch on it gives, as Python sees them.
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "cli/reports/report.hpp"
#include "core/demangle.hpp"
#include "core/json_text.hpp"
#include "isa/cubin/cubin.hpp"
#include "python/module/errors.hpp"
#include "python/module/gpu.hpp"
#include "python/module/parts.hpp"

namespace sassafras::python {

namespace {

namespace py = pybind11;

std::vector<std::byte> bytes_of(const py::bytes& bytes) {
    const std::string_view view(bytes);
    std::vector<std::byte> copy(view.size());
    std::memcpy(copy.data(), view.data(), view.size());
    return copy;
}

/// A buffer's memory, which stays where it is for as long as this lives.
class HeldBuffer {
  public:
    explicit HeldBuffer(py::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE) != 0)
            throw py::error_already_set();
    }
    HeldBuffer(HeldBuffer&& other) noexcept : view_(std::exchange(other.view_, Py_buffer{})) {}
    HeldBuffer(const HeldBuffer&) = delete;
    HeldBuffer& operator=(const HeldBuffer&) = delete;
    HeldBuffer& operator=(HeldBuffer&&) = delete;
    ~HeldBuffer() { PyBuffer_Release(&view_); }

    [[nodiscard]] HostRange range() const {
        return {static_cast<std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
    }

  private:
    Py_buffer view_{};
};

Dim3 extents_of(const std::array<std::uint32_t, 3>& extents) { return {extents[0], extents[1], extents[2]}; }

std::string findings_json(const GpuLaunched& launched) {
    auto all = nlohmann::ordered_json::array();
    for (const sim::Finding& finding : launched.findings) all.push_back(cli::finding_json(finding));
    return json_line(all);
}

GpuLaunched launch(Gpu& gpu, std::uint32_t module, const std::string& kernel, std::array<std::uint32_t, 3> grid,
                   std::array<std::uint32_t, 3> block, std::uint64_t shared, bool cooperative, const py::list& values) {
    GpuLaunch wanted{module, kernel, extents_of(grid), extents_of(block), shared, cooperative, {}};
    std::vector<HeldBuffer> held;
    for (const py::handle value : values) {
        if (py::isinstance<py::bytes>(value)) {
            wanted.values.emplace_back(bytes_of(py::reinterpret_borrow<py::bytes>(value)));
        } else {
            held.emplace_back(value);
            wanted.values.emplace_back(held.back().range());
        }
    }
    GpuLaunched launched;
    Result<void> done;
    run_here([&](const Poll& poll) { done = gpu.launch(wanted, poll, launched); });
    if (!done) raise(done.error(), findings_json(launched), launched.printed);
    return launched;
}

/// Of each kernel of a cubin: its name, how people read it, and the sizes of its parameters in bytes.
py::list kernels_of(const py::bytes& cubin, const std::string& origin) {
    const isa::Cubin read = value_or_raise(isa::read_cubin(bytes_of(cubin), origin));
    py::list kernels;
    for (const isa::Kernel& kernel : read.kernels) {
        std::vector<std::uint32_t> sizes;
        for (const isa::KernelParameter& parameter : kernel.parameters) sizes.push_back(parameter.size);
        kernels.append(py::make_tuple(kernel.name, demangled(kernel.name), sizes));
    }
    return kernels;
}

std::unique_ptr<Gpu> make_gpu(const std::string& platform, const std::string& origin, bool has_time,
                              std::uint32_t threads, bool cold_caches, bool check, bool sample,
                              std::uint64_t instruction_limit) {
    return std::make_unique<Gpu>(value_or_raise(sim::parse_platform(platform, origin)),
                                 GpuOptions{has_time, threads, cold_caches, check, sample, instruction_limit});
}

}  // namespace

void add_gpu(py::module_& module) {
    module.def("kernels_of", &kernels_of, py::arg("cubin"), py::arg("origin"));
    py::class_<GpuLaunched>(module, "Launched")
        .def(
            "json",
            [](const GpuLaunched& launched, bool with_source) {
                return json_line(cli::kernel_json(launched.result, with_source));
            },
            py::arg("with_source"))
        .def("findings_json", &findings_json)
        .def_property_readonly("printed", [](const GpuLaunched& launched) { return text_of(launched.printed); });
    py::class_<Gpu>(module, "Gpu")
        .def(py::init(&make_gpu), py::arg("platform"), py::arg("origin"), py::arg("has_time"), py::arg("threads"),
             py::arg("cold_caches"), py::arg("check"), py::arg("sample"), py::arg("instruction_limit"))
        .def(
            "load_module",
            [](Gpu& gpu, const py::bytes& cubin, const std::string& origin) {
                return value_or_raise(gpu.load_module(bytes_of(cubin), origin));
            },
            py::arg("cubin"), py::arg("origin"))
        .def("launch", &launch, py::arg("module"), py::arg("kernel"), py::arg("grid"), py::arg("block"),
             py::arg("shared"), py::arg("cooperative"), py::arg("values"));
}

}  // namespace sassafras::python
