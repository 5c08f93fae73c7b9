// Any bytes given as a kernel's trace of Accel-Sim (after a byte that is even), compressed by xz or not, or as a list
// of kernels. Nothing may crash, hang or leak; what is refused says why.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "sim/formats/accel_sim/kernel_import.hpp"
#include "sim/formats/accel_sim/kernels_list.hpp"

using namespace sassafras;
using namespace sassafras::sim;

namespace {

accel_sim::LineReader lines_of(const std::string& text, bool compressed) {
    return {std::make_unique<std::istringstream>(text), "k.traceg", compressed};
}

const std::string& scratch() {
    static const std::string folder = [] {
        std::string name = (std::filesystem::temp_directory_path() / "sassafras-fuzz-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) std::abort();
        return name;
    }();
    return folder;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
    if (data[0] % 2 == 1) {
        const auto list = accel_sim::read_kernels_list(lines_of(text, false));
        if (!list && list.error().what.empty()) std::abort();
        return 0;
    }
    accel_sim::ImportFindings findings;
    const bool compressed = data[0] % 4 == 2;
    const auto launch = accel_sim::import_kernel(
        [&]() -> Result<accel_sim::LineReader> { return lines_of(text, compressed); }, scratch(), 0, findings);
    if (launch)
        std::filesystem::remove(scratch() + "/" + launch->file);
    else if (launch.error().what.empty())
        std::abort();
    return 0;
}
