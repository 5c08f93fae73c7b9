#include "cli/options/help_format.hpp"

#include <catch2/catch.hpp>

using sassafras::cli::help_width;
using sassafras::cli::HelpWidth;

namespace {

std::string wrap_help(std::string_view text, std::size_t columns = HelpWidth{}.columns) {
    return sassafras::cli::wrap_help(text, {.columns = columns});
}

}  // namespace

TEST_CASE("help: what fits stays as it is") {
    const std::string text = "Does it\nUsage: x [OPTIONS]\n\nOptions:\n  -h,--help                   Print this help\n";
    CHECK(wrap_help(text) == text);
    CHECK(wrap_help("") == "");
    CHECK(wrap_help("no end") == "no end");
}

TEST_CASE("help: descriptions go on in their column, other lines where they begin, lists behind a comma") {
    CHECK(wrap_help("Options:\n  --option TEXT               one two three four\n", 40) ==
          "Options:\n  --option TEXT               one two\n                              three four\n");
    CHECK(wrap_help("Options:\n  --option-that-just-fit TEXT one two three\n", 40) ==
          "Options:\n  --option-that-just-fit TEXT one two\n                              three\n");
    CHECK(wrap_help("\n  a sentence, which has a space at 30, and goes\n", 40) ==
          "\n  a sentence, which has a space at 30,\n  and goes\n");
    CHECK(wrap_help("A sentence that is long\n", 12) == "A sentence\n  that is\n  long\n");
    CHECK(wrap_help("  --model TEXT:{spt,all,pem,bsp}\n", 24) == "  --model TEXT:{spt,all,\n  pem,bsp}\n");
    CHECK(wrap_help("  buffer:BYTES[:zero|iota|file=FILE]\n", 24) == "  buffer:BYTES[:zero|\n  iota|file=FILE]\n");
    CHECK(wrap_help("unbreakableword x\n", 5) == "unbreakableword\n  x\n");
}

TEST_CASE("help: COLUMNS says how wide, then the terminal, within reason") {
    CHECK(help_width("60", 90).columns == 60);
    CHECK(help_width(nullptr, 90).columns == 90);
    CHECK(help_width(nullptr, std::nullopt).columns == 100);
    for (const char* no_number : {"", "0", "-3", "60x", "wide"}) {
        CHECK(help_width(no_number, 90).columns == 90);
        CHECK(help_width(no_number, std::nullopt).columns == 100);
    }
    CHECK(help_width("1", std::nullopt).columns == 40);
    CHECK(help_width("500", std::nullopt).columns == 120);
    CHECK(help_width(nullptr, 500).columns == 120);
}

TEST_CASE("help: in narrow lines descriptions begin farther to the left") {
    CHECK(help_width("80", std::nullopt).description_column == 30);
    CHECK(help_width("40", std::nullopt).description_column == 15);
    CHECK(sassafras::cli::wrap_help("Options:\n  --seed UINT  one two three\n",
                                    {.columns = 24, .description_column = 15}) ==
          "Options:\n  --seed UINT  one two\n               three\n");
}
