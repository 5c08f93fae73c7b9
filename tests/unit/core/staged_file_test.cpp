#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "core/staged_file.hpp"

namespace {

namespace files = std::filesystem;

struct Folder {
    files::path path = files::temp_directory_path() / ("sassafras-staged-" + std::to_string(::getpid()));
    Folder() { files::create_directories(path); }
    ~Folder() { files::remove_all(path); }
};

void write(const files::path& path, const std::string& text) { std::ofstream(path) << text; }
std::string text_of(const files::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a staged file replaces a regular one when it is whole") {
    const Folder folder;
    const auto target = folder.path / "a";
    write(target, "old");
    const sassafras::StagedFile staged(target.string());
    write(staged.place(), "new");
    CHECK(text_of(target) == "old");
    CHECK(staged.commit());
    CHECK(text_of(target) == "new");
    CHECK_FALSE(files::exists(staged.place()));
}

TEST_CASE("a symbolic link is followed, a device is written to and stays") {
    const Folder folder;
    const auto target = folder.path / "target";
    const auto link = folder.path / "link";
    write(target, "old");
    files::create_symlink(target, link);
    const sassafras::StagedFile staged(link.string());
    write(staged.place(), "new");
    CHECK(staged.commit());
    CHECK(files::is_symlink(files::symlink_status(link)));
    CHECK(text_of(target) == "new");

    const sassafras::StagedFile device("/dev/null");
    CHECK(device.place() == "/dev/null");
    CHECK(device.commit());
    CHECK_FALSE(files::is_regular_file("/dev/null"));
}

TEST_CASE("a discarded staged file leaves nothing") {
    const Folder folder;
    const sassafras::StagedFile staged((folder.path / "b").string());
    write(staged.place(), "half");
    staged.discard();
    CHECK(files::is_empty(folder.path));
}
