#include "cli/options/help_format.hpp"

#include <catch2/catch.hpp>

using sassafras::cli::wrap_help;

TEST_CASE("help: what fits stays as it is") {
    const std::string text = "Does it\nUsage: x [OPTIONS]\n\nOptions:\n  -h,--help                   Print this help\n";
    CHECK(wrap_help(text) == text);
    CHECK(wrap_help("") == "");
    CHECK(wrap_help("no end") == "no end");
}

TEST_CASE("help: descriptions go on in their column, other lines where they begin, lists behind a comma") {
    CHECK(wrap_help("  --option TEXT               one two three four\n", 40) ==
          "  --option TEXT               one two\n                              three four\n");
    CHECK(wrap_help("A sentence that is long\n", 12) == "A sentence\n  that is\n  long\n");
    CHECK(wrap_help("  --model TEXT:{spt,all,pem,bsp}\n", 24) == "  --model TEXT:{spt,all,\n  pem,bsp}\n");
    CHECK(wrap_help("unbreakableword x\n", 5) == "unbreakableword\n  x\n");
}
