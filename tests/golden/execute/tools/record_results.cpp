// Prints the digests of the kernels of tests/fixtures/hardware on a device: family, kernel, column, digest, a line
// each.
//   record_results DEVICE FOLDER [KERNEL [WORDS]]
// DEVICE is functional or cuda, or list, which only names the kernels. WORDS is a file that the results are appended
// to, column after column.
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "sim/device/cuda_device.hpp"
#include "sim/device/modelled_devices.hpp"
#include "sim/platform/platform_reader.hpp"
#include "tests/golden/execute/results.hpp"

using namespace sassafras;

namespace {

int fail(const Error& error) {
    std::fprintf(stderr, "%s\n", error.message().c_str());
    return 1;
}

Result<std::unique_ptr<sim::Device>> make_device(const std::string& name) {
    if (name == "cuda") return sim::make_cuda_device({0, false});
    auto platform = sim::load_platform("h200");
    if (!platform) return platform.error();
    sim::ModelOptions options;
    options.instruction_limit = 10'000'000;
    return std::unique_ptr<sim::Device>(sim::make_functional_device(platform->platform, std::move(options)));
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) {
        std::fprintf(stderr, "usage: record_results functional|cuda|list FOLDER [KERNEL [WORDS]]\n");
        return 2;
    }
    const std::string device_name = arguments[1];
    const std::string folder = arguments[2];
    const std::string wanted = count > 3 ? arguments[3] : "";
    const auto names = test::list_kernels(folder);
    if (!names) return fail(names.error());
    int status = 0;
    for (const test::KernelName& name : *names) {
        if (!wanted.empty() && wanted != "all" && name.kernel != wanted) continue;
        if (device_name == "list") {
            std::printf("%s\n", name.kernel.c_str());
            continue;
        }
        auto device = make_device(device_name);
        if (!device) return fail(device.error());
        const auto columns = test::run_kernel(**device, folder, name);
        if (!columns) {
            std::fprintf(stderr, "%s: ", name.kernel.c_str());
            status = fail(columns.error());
            continue;
        }
        for (const test::Column& column : *columns) {
            std::printf("%s\t%s\t%u\t%016" PRIx64 "\n", name.family.c_str(), name.kernel.c_str(), column.number,
                        column.digest);
            if (count <= 4) continue;
            std::ofstream file(arguments[4], std::ios::binary | std::ios::app);
            file.write(reinterpret_cast<const char*>(column.words.data()),
                       static_cast<std::streamsize>(column.words.size() * sizeof(std::uint64_t)));
        }
    }
    return status;
}
