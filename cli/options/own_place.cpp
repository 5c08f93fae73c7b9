#include "cli/options/own_place.hpp"

#include <dlfcn.h>

namespace sassafras::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* something_of_ours = "sassafras";

}  // namespace

fs::path own_file() {
    std::error_code failed;
    Dl_info info{};
    const bool known = dladdr(something_of_ours, &info) != 0 && info.dli_fname != nullptr;
    const fs::path file = known ? fs::canonical(info.dli_fname, failed) : fs::path();
    return !failed && file.extension() == ".so" ? file : fs::read_symlink("/proc/self/exe", failed);
}

Result<std::string> own_program() {
    const fs::path file = own_file();
    if (file.empty())
        return Error{ErrorKind::bad_input, "where this program lies is not known", "/proc/self/exe", "mount /proc"};
    if (file.extension() != ".so") return file.string();
    // From python/sassafras in a build folder; from lib/python3/dist-packages/sassafras and site-packages.
    std::error_code failed;
    for (const char* place : {"../../cli/sassafras", "../../../../bin/sassafras", "../../../../../bin/sassafras"})
        if (fs::exists(file.parent_path() / place, failed))
            return fs::canonical(file.parent_path() / place, failed).string();
    return Error{ErrorKind::bad_input, "the program sassafras is not there", file.parent_path().string(),
                 "build or install it beside the Python module"};
}

fs::path runtime_library() {
    std::error_code failed;
    const fs::path here = own_file().parent_path();
    for (const char* folder :
         {"../cudart", "../lib/sassafras", ".", "../../cudart", "../../../sassafras", "../../../../sassafras"})
        if (fs::exists(here / folder / runtime_library_name, failed))
            return fs::canonical(here / folder, failed) / runtime_library_name;
    return {};
}

}  // namespace sassafras::cli
