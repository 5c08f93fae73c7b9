// What happens in a program's simulated time, as the runtime library writes it down and `sassafras exec` reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace sassafras::cudart {

/// Times are nanoseconds from the begin of the process's simulated time.
struct TimelineEntry {
    enum class Kind : std::uint8_t {
        kernel,  ///< work of a stream, as the next three
        copy,
        set,
        event,       ///< that is recorded
        host_waits,  ///< as of HostSpan
        host_copies,
        host_asks,
        push,         ///< NVTX: a range of a thread begins ...
        pop,          ///< ... and the innermost one ends
        range_start,  ///< a range of the process begins ...
        range_end,    ///< ... and ends
        mark,         ///< a moment
    };
    Kind kind = Kind::kernel;
    double begin = 0;
    double end = 0;
    std::uint64_t thread = 0;  ///< of the host, that asked for it; by their first calls, from 0
    std::string track = {};    ///< of work: the stream; of NVTX: the domain
    std::string name = {};     ///< of a copy: its way; of NVTX: the message
    /// Of a copy or set, its bytes; of an event, its number; of range_start and range_end, the range's; of a kernel,
    /// its place among ExecRecords::kernels, but as it is written, among the process's launches.
    std::uint64_t number = 0;
    /// Pieces of work that it stands for, of one kind and one stream, each of which begins when the one before ends.
    std::uint64_t count = 1;
    std::uint64_t call = 0;   ///< of the process's calls: entries are read back in their order
    std::size_t process = 0;  ///< of those on the timeline, in their order; not written

    [[nodiscard]] bool is_work() const { return kind <= Kind::event; }
    [[nodiscard]] bool is_of_host() const { return kind >= Kind::host_waits && kind <= Kind::host_asks; }
};

/// Some entries as a line with its newline.
[[nodiscard]] std::string timeline_line(int process, const std::vector<TimelineEntry>& entries);
/// Throws nlohmann::json::exception or DamagedRecord if the line is not as timeline_line writes it.
[[nodiscard]] std::vector<TimelineEntry> read_timeline(const nlohmann::ordered_json& line);

}  // namespace sassafras::cudart
