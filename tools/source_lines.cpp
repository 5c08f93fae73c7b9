// source_lines LINED.cubin CHECKED-IN.cubin FOLDER: prints the .lines table of a cubin that was compiled with
// -lineinfo, after comparing its code with that of the checked-in one. FOLDER holds the sources. scripts/build-cubins
// runs it.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "isa/cubin/cubin.hpp"
#include "study/conflicts/source_lines.hpp"
#include "study/conflicts/source_text.hpp"

namespace {

using namespace sassafras;

int fail(const Error& error) {
    std::fprintf(stderr, "source_lines: %s\n", error.message().c_str());
    return error.exit_status();
}

Result<std::vector<std::byte>> read(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return Error{ErrorKind::bad_input, "cannot open the file", path, {}};
    const std::vector<char> text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    return std::vector<std::byte>(bytes, bytes + text.size());
}

int run(const std::string& lined_path, const std::string& checked_in_path, const std::string& folder) {
    const auto lined = read(lined_path);
    if (!lined) return fail(lined.error());
    const auto checked_in = read(checked_in_path);
    if (!checked_in) return fail(checked_in.error());
    auto lines = study::lines_of(*lined, lined_path);
    if (!lines) return fail(lines.error());
    const auto cubin = isa::read_cubin(*checked_in, checked_in_path);
    if (!cubin) return fail(cubin.error());
    study::SourceTexts sources;
    for (const isa::Kernel& kernel : cubin->kernels) {
        const auto found = lines->find(kernel.name);
        if (found == lines->end() || found->second.code_hash != study::hash_of_code(kernel))
            return fail({ErrorKind::check_failed, "with -lineinfo the code is another", kernel.name,
                         "the lines would not be those of the checked-in cubin"});
        for (auto& [pc, line] : found->second.at)
            line.text = sources.line(folder + "/" + line.location.file, line.location.line);
    }
    const std::string text = study::format_lines(*lines);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: source_lines LINED.cubin CHECKED-IN.cubin FOLDER\n");
        return 2;
    }
    return run(argv[1], argv[2], argv[3]);
}
