#include "cli/commands/program_file.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <boost/interprocess/file_mapping.hpp>
#include <boost/interprocess/mapped_region.hpp>

#include "cli/options/own_place.hpp"
#include "isa/cubin/elf.hpp"
#include "isa/cubin/host_file.hpp"

namespace sassafras::cli {

namespace {

namespace fs = std::filesystem;
namespace mapped = boost::interprocess;

constexpr const char* driver_name = "libcuda.so.";
constexpr const char* link_shared = "link it with nvcc 13 -cudart shared";

/// As execvp finds it; empty if it does not.
fs::path found_program(const std::string& name) {
    std::error_code failed;
    if (name.find('/') != std::string::npos) return name;
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "/bin:/usr/bin" : path;
    while (true) {
        const std::size_t colon = rest.find(':');
        const fs::path candidate = fs::path(rest.substr(0, colon)) / name;
        if (fs::is_regular_file(candidate, failed) && access(candidate.c_str(), X_OK) == 0) return candidate;
        if (colon == std::string_view::npos) return {};
        rest.remove_prefix(colon + 1);
    }
}

/// Nothing if it cannot be read as such: that is not what these checks are for.
std::optional<isa::HostFile> host_file(const std::string& program) {
    const fs::path path = found_program(program);
    std::error_code failed;
    if (!fs::is_regular_file(path, failed) || fs::file_size(path, failed) == 0) return std::nullopt;
    try {
        // A program may have gigabytes of code, of which this needs a few pages.
        const mapped::file_mapping file(path.c_str(), mapped::read_only);
        const mapped::mapped_region region(file, mapped::read_only);
        const std::span bytes(static_cast<const std::byte*>(region.get_address()), region.get_size());
        if (!isa::begins_as_elf(bytes)) return std::nullopt;
        auto read = isa::read_host_file(bytes, program);
        if (!read) return std::nullopt;
        read->fat_binaries.clear();  // they go with the mapping
        return std::move(*read);
    } catch (const mapped::interprocess_exception&) {
        return std::nullopt;
    }
}

std::string runtime_of(const isa::HostFile& file) {
    for (const std::string& name : file.needed)
        if (name.starts_with("libcudart.so.")) return name;
    return {};
}

}  // namespace

std::vector<std::string> files_of_program(const std::vector<std::string>& program) {
    std::vector<std::string> files = program;
    if (!files.empty()) files.front() = found_program(files.front()).string();
    return files;
}

Result<void> check_program_file(const std::string& program) {
    const auto file = host_file(program);
    if (!file) return {};
    const std::string runtime = runtime_of(*file);
    if (!runtime.empty() && !file->needs(runtime_library_name))
        return Error{ErrorKind::bad_input,
                     fmt::format("the program needs {}, and only {} can be replaced", runtime, runtime_library_name),
                     program, "build it with nvcc 13 -cudart shared"};
    if (file->has_runtime_inside)
        return Error{ErrorKind::bad_input,
                     "the CUDA runtime is inside the program (libcudart_static), where it cannot be replaced", program,
                     fmt::format("{}; without that option nvcc puts it there", link_shared)};
    return {};
}

Error never_called(const std::string& program, int exit_status) {
    const auto file = host_file(program);
    if (file && file->needs(driver_name))
        return {ErrorKind::bad_input,
                fmt::format("the program needs the CUDA driver (libcuda.so.1), of which no function is modelled, and "
                            "never called the runtime (it exited with {})",
                            exit_status),
                program,
                file->needs(runtime_library_name)
                    ? "link it without -lcuda if it calls none of them, else call the runtime's in their place"
                    : fmt::format("call the runtime's functions in their place, and {}", link_shared)};
    if (file && file->needs(runtime_library_name))
        return {
            ErrorKind::bad_input,
            fmt::format("the program ended before it called {} (it exited with {})", runtime_library_name, exit_status),
            program, "it is linked as it should be: what it printed may say why"};
    return {ErrorKind::bad_input,
            fmt::format("the program does not use {} (it exited with {})", runtime_library_name, exit_status), program,
            fmt::format("{} (by default the runtime is inside the program, where it cannot be replaced)", link_shared)};
}

}  // namespace sassafras::cli
