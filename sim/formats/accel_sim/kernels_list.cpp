#include "sim/formats/accel_sim/kernels_list.hpp"

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace sassafras::sim::accel_sim {

namespace {

bool is_number(std::string_view text, int base) {
    std::uint64_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return code == std::errc() && end == text.data() + text.size();
}

/// MemcpyHtoD,0x00007efe7b500000,2052
bool is_copy(std::string_view line) {
    const std::size_t first = line.find(',');
    const std::size_t second = first == std::string_view::npos ? first : line.find(',', first + 1);
    if (second == std::string_view::npos) return false;
    std::string_view address = line.substr(first + 1, second - first - 1);
    if (address.starts_with("0x")) address.remove_prefix(2);
    return line.substr(0, first) == "MemcpyHtoD" && is_number(address, 16) && is_number(line.substr(second + 1), 10);
}

}  // namespace

Result<KernelsList> read_kernels_list(LineReader lines) {
    const std::size_t slash = lines.name().rfind('/');
    const std::string folder = slash == std::string::npos ? "" : lines.name().substr(0, slash + 1);
    KernelsList list;
    for (;;) {
        auto next = lines.next();
        if (!next) return next.error();
        if (!*next) break;
        std::string_view line = **next;
        while (!line.empty() && (line.back() == ' ' || line.back() == '\t')) line.remove_suffix(1);
        if (line.starts_with("MemcpyHtoD")) {
            if (!is_copy(line))
                return Error{ErrorKind::bad_input, "a copy that is not MemcpyHtoD,0x<address>,<bytes>", lines.place(),
                             "remove the line: copies take no time here"};
            ++list.copies;
        } else if (line.starts_with("kernel")) {
            if (line.ends_with(".tracez"))
                return Error{ErrorKind::not_modelled, "traces of the form .tracez are not read", lines.place(),
                             "give the text that it was made of, .traceg or .traceg.xz"};
            if (!line.ends_with(".traceg") && !line.ends_with(".traceg.xz"))
                return Error{ErrorKind::bad_input, fmt::format("\"{}\" is no .traceg or .traceg.xz", line),
                             lines.place(),
                             "run Accel-Sim's post-traces-processing, and give the kernelslist.g it makes"};
            list.traces.push_back(folder + std::string(line));
        }
    }
    if (list.traces.empty())
        return Error{ErrorKind::bad_input, "the list names no kernel", lines.name(),
                     "give the kernelslist.g that Accel-Sim's post-traces-processing makes"};
    return list;
}

Result<KernelsList> open_kernels_list(const std::string& path) {
    if (path.ends_with(".traceg") || path.ends_with(".traceg.xz")) return KernelsList{{path}, 0};
    auto lines = LineReader::open(path);
    if (!lines) return lines.error();
    return read_kernels_list(std::move(*lines));
}

}  // namespace sassafras::sim::accel_sim
