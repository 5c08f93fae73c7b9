// What a host's ELF file, a program or an object as nvcc makes them, says of CUDA. It owns no bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace sassafras::isa {

struct HostFile {
    std::vector<std::string> needed;  ///< libraries that the loader brings (DT_NEEDED)
    /// The runtime is inside (libcudart_static): no library can take its place.
    bool has_runtime_inside = false;
    std::vector<std::span<const std::byte>> fat_binaries;  ///< device code, by the source files that were linked
    /// Device code that was compiled for a device linker (-rdc=true) and not linked yet.
    bool has_unlinked_code = false;

    [[nodiscard]] bool needs(std::string_view library) const;  ///< "libcudart.so.": of any version
};

/// Error bad_input if it is no ELF file of a host, or damaged. Any bytes are safe input.
[[nodiscard]] Result<HostFile> read_host_file(std::span<const std::byte> bytes, std::string_view origin);

}  // namespace sassafras::isa
