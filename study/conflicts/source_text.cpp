#include "study/conflicts/source_text.hpp"

#include <sys/stat.h>

#include <sstream>

#include "core/whole_file.hpp"

namespace sassafras::study {
namespace {

constexpr std::uint64_t most_source_bytes = std::uint64_t{64} << 20U;

std::string trimmed_line(std::string line) {
    for (char& c : line)
        if (c == '\t' || c == '\r') c = ' ';
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos) return {};
    return line.substr(first, line.find_last_not_of(' ') - first + 1);
}

bool is_as_compiled(const isa::SourceFile& source) {
    struct stat found {};
    return stat(source.path.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
           static_cast<std::uint64_t>(found.st_size) == source.bytes &&
           static_cast<std::uint64_t>(found.st_mtime) == source.modified;
}

}  // namespace

std::string SourceTexts::line(const std::string& path, std::uint32_t number) {
    const auto [found, is_new] = files_.try_emplace(path);
    std::vector<std::string>& lines = found->second;
    if (is_new) {
        if (const auto text = read_whole_text(path, most_source_bytes)) {
            std::istringstream stream(*text);
            for (std::string line; std::getline(stream, line);) lines.push_back(trimmed_line(std::move(line)));
        }
    }
    return number == 0 || number > lines.size() ? std::string() : lines[number - 1];
}

void add_source_texts(LinesByKernel& lines) {
    SourceTexts texts;
    std::map<std::string, bool> as_compiled;  // by path
    for (auto& [kernel, of_kernel] : lines)
        for (auto& [pc, line] : of_kernel.at) {
            const isa::SourceFile* const source = line.location.source.get();
            if (source == nullptr || !line.text.empty()) continue;
            const auto [found, is_new] = as_compiled.try_emplace(source->path);
            if (is_new) found->second = is_as_compiled(*source);
            if (found->second) line.text = texts.line(source->path, line.location.line);
        }
}

}  // namespace sassafras::study
