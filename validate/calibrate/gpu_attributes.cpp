#include "validate/calibrate/gpu_attributes.hpp"

#include <array>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/types.hpp"
#include "sim/device/cuda_driver.hpp"
#include "sim/platform/platform_numbers.hpp"

namespace sassafras::validate::calibrate {

namespace {

/// One number of a platform that the driver knows under a name of its own.
struct Known {
    std::string_view pointer;
    int attribute;          ///< CUdevice_attribute, whose values are those of cudaDeviceAttr
    std::string_view name;  ///< of cudaDeviceAttr
    double divisor = 1;     ///< the driver's unit in that of the platform
};

constexpr double kilohertz_per_megahertz = 1000;

constexpr auto known = std::to_array<Known>({
    {"/clock/sm_mhz", 13, "cudaDevAttrClockRate", kilohertz_per_megahertz},
    {"/gpu/sm_count", 16, "cudaDevAttrMultiProcessorCount"},
    {"/gpu/compute_capability_major", 75, "cudaDevAttrComputeCapabilityMajor"},
    {"/gpu/compute_capability_minor", 76, "cudaDevAttrComputeCapabilityMinor"},
    {"/sm/max_warps", 39, "cudaDevAttrMaxThreadsPerMultiProcessor", warp_size},
    {"/sm/max_blocks", 106, "cudaDevAttrMaxBlocksPerMultiprocessor"},
    {"/sm/registers", 82, "cudaDevAttrMaxRegistersPerMultiprocessor"},
    {"/sm/max_threads_per_block", 1, "cudaDevAttrMaxThreadsPerBlock"},
    {"/sm/shared_bytes", 81, "cudaDevAttrMaxSharedMemoryPerMultiprocessor"},
    {"/sm/max_shared_per_block_bytes", 97, "cudaDevAttrMaxSharedMemoryPerBlockOptin"},
    {"/sm/reserved_shared_per_block_bytes", 111, "cudaDevAttrReservedSharedMemoryPerBlock"},
    {"/l2/bytes", 38, "cudaDevAttrL2CacheSize"},
    {"/limits/max_grid_x", 5, "cudaDevAttrMaxGridDimX"},
    {"/limits/max_grid_y", 6, "cudaDevAttrMaxGridDimY"},
    {"/limits/max_grid_z", 7, "cudaDevAttrMaxGridDimZ"},
    {"/limits/max_block_x", 2, "cudaDevAttrMaxBlockDimX"},
    {"/limits/max_block_y", 3, "cudaDevAttrMaxBlockDimY"},
    {"/limits/max_block_z", 4, "cudaDevAttrMaxBlockDimZ"},
    {"/limits/standard_shared_per_block_bytes", 8, "cudaDevAttrMaxSharedMemoryPerBlock"},
    {"/limits/registers_per_block", 12, "cudaDevAttrMaxRegistersPerBlock"},
    {"/limits/constant_bytes", 9, "cudaDevAttrTotalConstantMemory"},
    {"/limits/pitch_bytes", 11, "cudaDevAttrMaxPitch"},
    {"/limits/copy_engines", 40, "cudaDevAttrAsyncEngineCount"},
    {"/limits/textures/width_1d", 21, "cudaDevAttrMaxTexture1DWidth"},
    {"/limits/textures/width_2d", 22, "cudaDevAttrMaxTexture2DWidth"},
    {"/limits/textures/height_2d", 23, "cudaDevAttrMaxTexture2DHeight"},
    {"/limits/textures/width_3d", 24, "cudaDevAttrMaxTexture3DWidth"},
    {"/limits/textures/height_3d", 25, "cudaDevAttrMaxTexture3DHeight"},
    {"/limits/textures/depth_3d", 26, "cudaDevAttrMaxTexture3DDepth"},
    {"/limits/textures/layered_width_2d", 27, "cudaDevAttrMaxTexture2DLayeredWidth"},
    {"/limits/textures/layered_height_2d", 28, "cudaDevAttrMaxTexture2DLayeredHeight"},
    {"/limits/textures/layers_2d", 29, "cudaDevAttrMaxTexture2DLayeredLayers"},
    {"/limits/textures/layered_width_1d", 42, "cudaDevAttrMaxTexture1DLayeredWidth"},
    {"/limits/textures/layers_1d", 43, "cudaDevAttrMaxTexture1DLayeredLayers"},
    {"/limits/textures/gather_width_2d", 45, "cudaDevAttrMaxTexture2DGatherWidth"},
    {"/limits/textures/gather_height_2d", 46, "cudaDevAttrMaxTexture2DGatherHeight"},
    {"/limits/textures/linear_width_1d", 69, "cudaDevAttrMaxTexture1DLinearWidth"},
    {"/limits/textures/linear_width_2d", 70, "cudaDevAttrMaxTexture2DLinearWidth"},
    {"/limits/textures/linear_height_2d", 71, "cudaDevAttrMaxTexture2DLinearHeight"},
    {"/limits/textures/linear_pitch_bytes", 72, "cudaDevAttrMaxTexture2DLinearPitch"},
    {"/limits/textures/alignment_bytes", 14, "cudaDevAttrTextureAlignment"},
    {"/limits/textures/pitch_alignment_bytes", 51, "cudaDevAttrTexturePitchAlignment"},
    {"/limits/textures/surface_alignment_bytes", 30, "cudaDevAttrSurfaceAlignment"},
});

/// A stack of HBM has a bus of 1,024 bits, in channels of 64; an L2 slice belongs to each: of an H100 with a bus of
/// 5,120 bits Nsight Compute counts 80 slices, of an H200 with 6,016 bits 94. Other memories are not known so well.
constexpr double least_bits_of_hbm = 1024;
constexpr double bits_of_channel = 64;
constexpr std::array<std::string_view, 2> one_a_channel{"/dram/channels", "/l2/slices"};
constexpr std::string_view bus_name = "cudaDevAttrGlobalMemoryBusWidth";

constexpr std::string_view bandwidth_pointer = "/dram/bandwidth_gb_per_s";

/// GB/s: two transfers a clock on every line of the bus. Memories that transfer more often a clock (GDDR5X, GDDR6)
/// are told by the driver with a clock that makes this true of them, too.
double bandwidth_of(double memory_kilohertz, double bus_bits) {
    constexpr double bits_per_byte = 8;
    constexpr double hertz_per_gigahertz_of_kilohertz = 1e6;
    return 2 * memory_kilohertz * bus_bits / bits_per_byte / hertz_per_gigahertz_of_kilohertz;
}

}  // namespace

Result<GpuAttributes> driver_attributes(int ordinal) {
    auto driver = sim::cuda::Driver::open();
    if (!driver) return driver.error();
    const sim::cuda::Driver& cuda = **driver;
    sim::cuda::DeviceOrdinal gpu = 0;
    if (const auto code = cuda.device_get(&gpu, ordinal); code != sim::cuda::status::success)
        return cuda.error(code, fmt::format("there is no GPU {}", ordinal), "cuDeviceGet");
    GpuAttributes attributes;
    constexpr int longest_name = 256;
    std::array<char, longest_name> name{};
    if (const auto code = cuda.device_name(name.data(), longest_name - 1, gpu); code != sim::cuda::status::success)
        return cuda.error(code, "the GPU does not say its name", "cuDeviceGetName");
    attributes.name = name.data();
    int version = 0;
    if (cuda.driver_version(&version) == sim::cuda::status::success)
        attributes.driver_version = fmt::format("{}.{}", version / 1000, version % 1000 / 10);  // 13000 is 13.0
    const auto said = [&](int attribute) -> std::optional<double> {
        int value = 0;
        if (cuda.device_attribute(&value, attribute, gpu) != sim::cuda::status::success) return {};
        return value;
    };
    for (const Known& number : known)
        if (const auto value = said(number.attribute))
            attributes.values.push_back(
                {std::string(number.pointer), *value / number.divisor, std::string(number.name)});
    const auto clock = said(sim::cuda::attribute::memory_clock_khz);
    const auto bus = said(sim::cuda::attribute::memory_bus_bits);
    if (clock && bus && *clock > 0 && *bus > 0)
        attributes.values.push_back({std::string(bandwidth_pointer), bandwidth_of(*clock, *bus),
                                     fmt::format("cudaDevAttrMemoryClockRate {:.0f} MHz, two transfers a clock, and "
                                                 "cudaDevAttrGlobalMemoryBusWidth {:.0f} bits",
                                                 *clock / kilohertz_per_megahertz, *bus)});
    if (bus && *bus >= least_bits_of_hbm)
        for (const std::string_view pointer : one_a_channel)
            attributes.values.push_back(
                {std::string(pointer), *bus / bits_of_channel,
                 fmt::format("{} {:.0f} bits, HBM in channels of {:.0f}", bus_name, *bus, bits_of_channel)});
    return attributes;
}

GpuAttributes modelled_attributes(const sim::Platform& platform) {
    GpuAttributes attributes;
    attributes.name = "Sassafras " + platform.name;
    const auto say = [&](std::string_view pointer, std::string_view name) {
        const auto number = sim::number_at(platform, pointer);
        require_invariant(number.has_value(), "an attribute is of no number of a platform");
        attributes.values.push_back({number->pointer, number->value, std::string(name)});
    };
    for (const Known& number : known) say(number.pointer, number.name);
    say(bandwidth_pointer, "cudaDevAttrMemoryClockRate and cudaDevAttrGlobalMemoryBusWidth");
    if (platform.dram.channels * bits_of_channel >= least_bits_of_hbm)
        for (const std::string_view pointer : one_a_channel) say(pointer, bus_name);
    return attributes;
}

}  // namespace sassafras::validate::calibrate
