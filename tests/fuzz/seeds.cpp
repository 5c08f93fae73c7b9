// Gives a fuzz target every file of a folder once, without libFuzzer: what the fuzzers begin with passes before they
// do. With --damaged N also so many damaged copies of each, the same ones every time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void give(const std::string& bytes) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

/// Bytes changed at one to sixteen places; of every fourth also a stretch written over by another, of every eighth the
/// end is missing.
std::string damaged(std::string bytes, std::mt19937_64& random) {
    if (bytes.empty()) return bytes;
    const auto place = [&] { return static_cast<std::size_t>(random() % bytes.size()); };
    for (std::uint64_t left = 1 + random() % 16; left != 0; --left) {
        constexpr std::string_view edges("\x00\x01\x7f\x80\xff", 5);
        bytes[place()] = random() % 2 == 0 ? edges[random() % edges.size()] : static_cast<char>(random());
    }
    if (random() % 4 == 0) {
        const std::size_t from = place();
        const std::size_t to = place();
        const std::size_t length = std::min<std::size_t>(random() % 64, bytes.size() - std::max(from, to));
        bytes.replace(to, length, bytes.substr(from, length));
    }
    if (random() % 8 == 0) bytes.resize(place());
    return bytes;
}

}  // namespace

int main(int argc, char** argv) {
    const bool damages = argc == 4 && std::string_view(argv[1]) == "--damaged";
    if (argc != 2 && !damages) {
        std::fputs("usage: fuzz_seeds_TARGET [--damaged N] FOLDER\n", stderr);
        return 2;
    }
    const unsigned long copies = damages ? std::strtoul(argv[2], nullptr, 10) : 0;
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[argc - 1]))
        if (entry.is_regular_file()) files.insert(entry.path());
    for (const auto& path : files) {
        std::printf("%s\n", path.c_str());
        std::fflush(stdout);  // the last line names what a crash came from
        std::ifstream file(path, std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        give(bytes);
        for (unsigned long copy = 0; copy < copies; ++copy) {
            std::mt19937_64 random(copy);
            give(damaged(bytes, random));
        }
    }
    std::printf("%zu files\n", files.size());
    return files.empty() ? 1 : 0;
}
