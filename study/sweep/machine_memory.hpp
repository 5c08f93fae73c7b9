// How much memory runs may take together on this machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace sassafras::study::sweep {

/// Bytes that new processes can have now without the machine swapping, or less where this one's control groups may have
/// less; 2^64 - 1 if nothing says how many.
[[nodiscard]] std::uint64_t available_memory();

/// What the groups of control (cgroups) leave: the least that one of them has left of its limit, from this process's
/// own up to the root. `mounted` is where they are (/sys/fs/cgroup), `own` the text of /proc/self/cgroup: paths of
/// version 2
/// ("0::/a/b"), and of version 1 ("4:memory:/a/b", below `mounted`/memory). A group that is not to be seen, as in a
/// container, limits nothing. 2^64 - 1 if none has a limit.
[[nodiscard]] std::uint64_t left_in_groups(const std::filesystem::path& mounted, std::string_view own);

}  // namespace sassafras::study::sweep
