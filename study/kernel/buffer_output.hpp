// What a launch left in buffers, as files.
#pragma once

#include <vector>

#include "core/result.hpp"
#include "core/staged_file.hpp"
#include "sim/device/device.hpp"
#include "study/kernel/prepared_kernel.hpp"

namespace sassafras::study {

/// Opened before the launch, so that its work is not lost; each file is there whole or not at all.
class BufferOutputs {
  public:
    /// Of those buffers that are to be written. Error bad_input: a file cannot be written or is named twice, or a .npy
    /// file's numbers do not fill the buffer.
    [[nodiscard]] static Result<BufferOutputs> open(const std::vector<PlacedBuffer>& buffers);
    /// Errors: bad_input where a file cannot be written; as the device's.
    [[nodiscard]] Result<void> write(sim::Device& device);

  private:
    struct Output {
        StagedFile file;
        PlacedBuffer buffer;
        std::vector<std::byte> header;
    };
    std::vector<Output> outputs_;
};

}  // namespace sassafras::study
