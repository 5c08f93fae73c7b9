// print() against what nvdisasm printed for the corpus: tests/golden/isa/*.tsv (origin: README.md beside them).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "isa/program/program.hpp"

namespace {

using namespace sassafras::isa;

struct Line {
    std::uint64_t pc = 0;
    Word128 word;
    std::string text;
};

std::vector<Line> read_golden(const std::filesystem::path& path) {
    std::vector<Line> lines;
    std::ifstream file(path);
    std::string row;
    while (std::getline(file, row)) {
        std::istringstream columns(row);
        std::string pc, low, high, text;
        std::getline(columns, pc, '\t');
        std::getline(columns, low, '\t');
        std::getline(columns, high, '\t');
        std::getline(columns, text);
        lines.push_back(
            {std::stoull(pc, nullptr, 16), {std::stoull(low, nullptr, 16), std::stoull(high, nullptr, 16)}, text});
    }
    return lines;
}

std::vector<std::filesystem::path> golden_files() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(SASSAFRAS_SOURCE_DIR) /
                                                                           "tests/golden/isa"))
        if (entry.path().extension() == ".tsv") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// "sm_80.tsv" is of sm_80; files of other names are of sm_90.
Architecture architecture_of_file(const std::filesystem::path& path) {
    const std::string stem = path.stem().string();
    if (stem.compare(0, 3, "sm_") != 0) return Architecture::sm_90;
    const auto found = architecture_of(std::stoi(stem.substr(3)));
    REQUIRE(found);
    return *found;
}

/// Operations whose text is known not to match everywhere, with how many lines of the golden files differ.
/// A gap that closes must leave this list: the counts are exact.
const std::map<std::string, std::size_t> known_gaps{};

}  // namespace

TEST_CASE("print equals nvdisasm on the corpus", "[golden]") {
    const auto files = golden_files();
    REQUIRE(!files.empty());
    std::size_t total = 0;
    std::map<std::string, std::size_t> differing;
    for (const auto& path : files) {
        const Architecture architecture = architecture_of_file(path);
        for (const Line& line : read_golden(path)) {
            ++total;
            const auto instruction = decode(line.word, architecture);
            if (!instruction.ok()) {
                ++differing["undecoded"];
                UNSCOPED_INFO("not decoded: " << line.text);
                continue;
            }
            const std::string printed = print(*instruction, line.pc);
            if (printed == line.text) continue;
            const std::string name = mnemonic(instruction->opcode);
            if (++differing[name] <= 3 && known_gaps.find(name) == known_gaps.end())
                UNSCOPED_INFO(path.filename().string() << ": nvdisasm '" << line.text << "', ours '" << printed << "'");
        }
    }
    std::size_t wrong = 0;
    for (const auto& [name, count] : differing) wrong += count;
    std::cout << "print: " << total - wrong << " of " << total << " instructions as nvdisasm prints them\n";
    CHECK(total > 5000);
    CHECK(differing == known_gaps);
}
