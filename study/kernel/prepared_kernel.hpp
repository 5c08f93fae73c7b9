// One kernel of a user's cubin with its arguments, as `launch` and the search over a kernel's input run it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "sim/device/device.hpp"
#include "study/kernel/launch_argument.hpp"

namespace sassafras::study {

/// The kernel as a command line or a script spells it.
struct KernelOptions {
    std::string cubin;
    std::string kernel;
    std::string grid = "1,1,1";
    std::string block = "32,1,1";
    std::uint64_t shared = 0;
    bool cooperative = false;
    std::vector<std::string> arguments;
};

/// A buffer among the arguments, on the device.
struct PlacedBuffer {
    std::size_t argument = 0;  ///< from 0
    Address address;
    Bytes size{};
    BufferArgument wanted;
};

/// Ready to be launched again and again. The buffers are allocated and hold nothing yet.
class PreparedKernel {
  public:
    /// Error bad_input: extents, arguments, the cubin, a file of a buffer's that is not there or does not fit; or what
    /// the device reports.
    [[nodiscard]] static Result<PreparedKernel> make(sim::Device& device, const KernelOptions& options,
                                                     std::span<const std::byte> cubin);

    [[nodiscard]] const std::vector<PlacedBuffer>& buffers() const { return buffers_; }
    /// What the options say that the buffer holds before a launch.
    [[nodiscard]] static Result<std::vector<std::byte>> content(const PlacedBuffer& buffer, std::uint64_t seed);
    /// Puts that there, piece by piece. Zeros take no memory of this machine for it.
    [[nodiscard]] static Result<void> fill(sim::Device& device, const PlacedBuffer& buffer, std::uint64_t seed);
    /// Launches and waits. Whoever calls it has filled the buffers.
    [[nodiscard]] Result<void> run();

  private:
    explicit PreparedKernel(sim::Device& device) : device_(&device) {}

    sim::Device* device_;
    sim::Launch launch_;
    std::vector<PlacedBuffer> buffers_;
};

/// FNV-1a, 64 bits, of memory of the device: tells whether two runs left the same bytes. Error as the device's.
[[nodiscard]] Result<std::uint64_t> checksum(sim::Device& device, Address from, Bytes size);

}  // namespace sassafras::study
