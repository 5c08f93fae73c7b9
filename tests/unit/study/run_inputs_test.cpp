// Studies: what a run reads is in its key, and known to have changed.
#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/whole_file.hpp"
#include "study/sweep/run_inputs.hpp"
#include "study/sweep/run_keys.hpp"

using namespace sassafras;
using namespace sassafras::study::sweep;
using Catch::Contains;

namespace {

namespace fs = std::filesystem;

/// A folder of the test's own, which is gone after it.
class TestFolder {
  public:
    TestFolder() { fs::create_directories(path_); }
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;
    ~TestFolder() { fs::remove_all(path_); }
    [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& content) const {
        fs::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary | std::ios::trunc) << content;
        return *this / name;
    }

  private:
    fs::path path_ = "run_inputs_test.folder";
};

constexpr const char* trace_index = "{\n  \"sassafras_trace\": 1\n}\n";

Result<RunKey> made_key(const std::vector<std::string>& command) {
    InputFiles files;
    return RunKeys("1", files).of(command);
}

std::string digits_of(const std::vector<std::string>& command) {
    const auto key = made_key(command);
    INFO((key ? "" : key.error().message()));
    REQUIRE(key.ok());
    return key->digits;
}

void make_old(const std::string& file) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1));
}

}  // namespace

TEST_CASE("a run's key changes with all files of a trace that it replays") {
    const TestFolder folder;
    const std::vector<std::string> replay{"trace", "replay", folder / "tr"};
    std::set<std::string> keys{digits_of(replay)};
    folder.write("tr/index.json", trace_index);
    keys.insert(digits_of(replay));
    for (const char* content : {"a", "b"}) {
        folder.write("tr/0000-merge.sft", content);
        keys.insert(digits_of(replay));
        folder.write("tr/inner/x", content);
        keys.insert(digits_of(replay));
    }
    fs::rename(folder / "tr/inner/x", folder / "tr/inner/y");
    keys.insert(digits_of(replay));
    CHECK(keys.size() == 7);
    CHECK(keys.contains(digits_of(replay)));
    CHECK(digits_of({"x", "--trace=" + folder / "tr"}) != digits_of({"x", "--trace=" + folder / "other"}));
}

TEST_CASE("a folder that is no trace, or for output, is not in a run's key") {
    const TestFolder folder;
    folder.write("any/index.json", "{}");
    folder.write("tr/index.json", trace_index);
    const std::vector<std::string> reads{"x", folder / "any"};
    const std::vector<std::string> writes{"trace", "capture", "-o", folder / "tr"};
    const std::vector<std::string> also{"trace", "capture", "--output=" + folder / "tr"};
    const std::vector<std::string> before{digits_of(reads), digits_of(writes), digits_of(also)};
    folder.write("any/a", "a");
    folder.write("tr/a", "a");
    CHECK(std::vector<std::string>{digits_of(reads), digits_of(writes), digits_of(also)} == before);
}

TEST_CASE("a trace's folder without end is an error") {
    const TestFolder folder;
    folder.write("tr/index.json", trace_index);
    fs::create_directory_symlink(".", folder / "tr/again");
    const auto key = made_key({"trace", "replay", folder / "tr"});
    REQUIRE_FALSE(key.ok());
    CHECK_THAT(key.error().message(), Contains("deeper than 16") && Contains("tr"));
}

TEST_CASE("a run's key changes with the program that PATH finds, the first that can be executed") {
    const TestFolder folder;
    const char* before = std::getenv("PATH");
    const std::string path = before != nullptr ? before : "";
    const std::string name = "run_inputs_test_program";
    setenv("PATH", (folder / "none" + ":" + folder / "first" + ":" + folder / "second").c_str(), 1);
    const std::vector<std::string> run{"exec", "--", name};
    std::set<std::string> keys{digits_of(run)};
    for (const char* content : {"a", "b"}) {
        fs::permissions(folder.write("second/" + name, content), fs::perms::owner_all);
        keys.insert(digits_of(run));
    }
    CHECK(keys.size() == 3);
    const std::string first = folder.write("first/" + name, "c");
    fs::permissions(first, fs::perms::owner_read | fs::perms::owner_write);
    CHECK(keys.contains(digits_of(run)));
    fs::permissions(first, fs::perms::owner_all);
    keys.insert(digits_of(run));
    CHECK(keys.size() == 4);
    CHECK(digits_of({"run", name}) == digits_of({"run", name}));
    setenv("PATH", path.c_str(), 1);
}

TEST_CASE("what has changed since a key was made is known") {
    const TestFolder folder;
    const std::string input = folder.write("input", "a");
    folder.write("tr/index.json", trace_index);
    make_old(input);
    make_old(folder / "tr");
    const auto key = made_key({"x", input, folder / "tr"});
    REQUIRE(key.ok());
    CHECK(changed_since(key->inputs) == std::nullopt);
    SECTION("the file") {
        folder.write("input", "b");
        CHECK(changed_since(key->inputs) == input);
    }
    SECTION("it is gone") {
        fs::remove(input);
        CHECK(changed_since(key->inputs) == input);
    }
    SECTION("the folder has one more") {
        folder.write("tr/more", "b");
        CHECK(changed_since(key->inputs) == folder / "tr");
    }
}

TEST_CASE("a digest in pieces is that of the whole") {
    const TestFolder folder;
    // By XXH3_128bits() at once: of 0 bytes, and of as many as are longer than a piece and no multiple of one.
    CHECK(*file_digest(folder.write("nothing", "")) == "99aa06d3014798d86001c324468d497f");
    CHECK(*file_digest(folder.write("long", std::string((5U << 19U) + 7, 'x'))) == "d2168fb11576948fe93be26e6a0b0894");
}

TEST_CASE("a large input is not read again while it stays the same") {
    const TestFolder folder;
    const std::string cache = folder / "digests.txt";
    const std::string input = folder.write("input", std::string(1U << 17U, 'a'));
    const auto digest = [&] {
        InputFiles files(cache);
        const auto found = files.of(input);
        REQUIRE(found.ok());
        files.save();
        return (*found)->digest;
    };
    const std::string first = digest();
    CHECK_FALSE(fs::exists(cache));  // the file may yet change within its time
    make_old(input);
    CHECK(digest() == first);
    std::string text = *read_whole_text(cache, 1000);
    CHECK_THAT(text, Contains(first));
    // Another digest in the cache comes out: the file was not read.
    const std::string other(32, '0');
    text.replace(text.find(first), first.size(), other);
    folder.write("digests.txt", text);
    CHECK(digest() == other);
    folder.write("input", std::string(1U << 17U, 'b'));
    make_old(input);
    const std::string second = digest();
    CHECK((second != first && second != other));
    folder.write("digests.txt", "what is no cache");
    CHECK(digest() == second);
}
