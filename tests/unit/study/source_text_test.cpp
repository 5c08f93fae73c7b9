// Texts of source lines are those of the file that was compiled, or none.
#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "study/conflicts/source_text.hpp"

using namespace sassafras;
using namespace sassafras::study;

namespace {

/// A file that goes with its owner.
class SourceOnDisk {
  public:
    explicit SourceOnDisk(const std::string& text)
        : path_((std::filesystem::temp_directory_path() / ("sassafras-source-" + std::to_string(getpid()) + ".cu"))
                    .string()) {
        std::ofstream(path_, std::ios::binary) << text;
    }
    ~SourceOnDisk() { std::filesystem::remove(path_); }
    SourceOnDisk(const SourceOnDisk&) = delete;
    SourceOnDisk& operator=(const SourceOnDisk&) = delete;
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] isa::SourceFile as_compiled() const {
        struct stat found {};
        REQUIRE(stat(path_.c_str(), &found) == 0);
        return {path_, static_cast<std::uint64_t>(found.st_mtime), static_cast<std::uint64_t>(found.st_size)};
    }

  private:
    std::string path_;
};

std::string text_of(const isa::SourceFile& source, std::uint32_t line) {
    LinesByKernel lines;
    KernelLines of_kernel;
    of_kernel.at[0].location = {"k.cu", line, {}, std::make_shared<const isa::SourceFile>(source)};
    lines.emplace("k", of_kernel);
    add_source_texts(lines);
    return lines.begin()->second.at[0].text;
}

}  // namespace

TEST_CASE("the text of a line has no indentation and no tabs") {
    const SourceOnDisk file("one\n\t  x[i]\t= y;  \r\n\nlast");
    SourceTexts texts;
    CHECK(texts.line(file.path(), 1) == "one");
    CHECK(texts.line(file.path(), 2) == "x[i] = y;");
    CHECK(texts.line(file.path(), 3).empty());
    CHECK(texts.line(file.path(), 4) == "last");
    CHECK(texts.line(file.path(), 0).empty());
    CHECK(texts.line(file.path(), 5).empty());
    CHECK(texts.line("/no/such/file", 1).empty());
    CHECK(texts.line("/tmp", 1).empty());
}

TEST_CASE("a file that is not the one that was compiled gives no text") {
    const SourceOnDisk file("first line\n");
    const isa::SourceFile compiled = file.as_compiled();
    CHECK(text_of(compiled, 1) == "first line");
    CHECK(text_of(compiled, 2).empty());
    isa::SourceFile longer = compiled;
    ++longer.bytes;
    CHECK(text_of(longer, 1).empty());
    isa::SourceFile older = compiled;
    --older.modified;
    CHECK(text_of(older, 1).empty());
    CHECK(text_of({"/dev/zero", 0, 0}, 1).empty());
    CHECK(text_of({"/no/such/file", 0, 0}, 1).empty());
}
