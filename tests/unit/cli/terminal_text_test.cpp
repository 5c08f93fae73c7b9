// What a terminal gets to see: widths that fit, numbers that stay whole, colours of a few words.
#include "cli/options/terminal_text.hpp"

#include <catch2/catch.hpp>
#include <string>

using namespace sassafras::cli;

TEST_CASE("text that fits stays as it is") {
    for (const std::string text : {"", "one", "one\n", "  a  b\n  1  2\n\n", "\n\n"}) {
        CHECK(fitted(text, 20) == text);
        CHECK(fitted(text, 1000) == text);
    }
}

TEST_CASE("columns stand closer before a name loses its middle") {
    const std::string table =
        "     #       Cycles       Kernel\n"
        "     0        1,234       scale(float*, int)\n"
        "     1   56,789,012       fill(unsigned int)\n";
    CHECK(fitted(table, 40) ==
          "    #       Cycles    Kernel\n"
          "    0        1,234    scale(float*, int)\n"
          "    1   56,789,012    fill(unsigned int)\n");
    CHECK(fitted(table, 30) ==
          " #     Cycles Kernel\n"
          " 0      1,234 scale(f..., int)\n"
          " 1 56,789,012 fill(un...d int)\n");
    // There is no more to take: numbers are never cut, nor is a name made unknowable.
    CHECK(fitted(table, 16) ==
          " #     Cycles\n"
          " 0      1,234\n"
          " 1 56,789,012\n"
          " # Kernel\n"
          " 0 scale...int)\n"
          " 1 fill(...int)\n");
    const std::string numbers =
        "  phase    all   random   bound\n"
        "  merge  1.886    3.476   31.21\n";
    CHECK(fitted(numbers, 20) ==
          " phase   all random\n"
          " merge 1.886  3.476\n"
          " phase bound\n"
          " merge 31.21\n");
}

TEST_CASE("machine code is not cut") {
    const std::string table =
        "   Address   Source\n"
        "        10   IMAD.MOV.U32 R30, RZ, RZ, -0x1\n";
    CHECK(fitted(table, 20).find("IMAD.MOV.U32 R30, RZ, RZ, -0x1\n") != std::string::npos);
}

TEST_CASE("rules between columns are cut with them") {
    CHECK(fitted("  ---------- ----------\n  Name           Number\n  first               7\n  ---------- ----------\n",
                 22) ==
          " ---------- ----------\n Name           Number\n first               7\n ---------- ----------\n");
}

TEST_CASE("sentences are broken between words") {
    CHECK(fitted("  one two three four\n", 12) == "  one two\n    three\n    four\n");
    CHECK(fitted("    OPT   Est. Speedup: 12.00%. Less of it\n", 30) ==
          "    OPT   Est. Speedup:\n      12.00%. Less of it\n");
    CHECK(fitted("averylongwordthatnobodycanbreak it\n", 10) == "averylongwordthatnobodycanbreak\n  it\n");
}

TEST_CASE("characters of several bytes count once") {
    CHECK(fitted("  \u00b5\u00b5\u00b5 \u00b5\u00b5\n", 8) == "  \u00b5\u00b5\u00b5 \u00b5\u00b5\n");
}

TEST_CASE("what matters is coloured, the rest as it is") {
    CHECK(coloured(
              "  a\n    OPT   Est.\n    INF   x\n  verified: yes\n  verified: NO\n    Bound by latency: no unit\n") ==
          "  a\n    \033[1;33mOPT \033[0m  Est.\n    \033[34mINF \033[0m  x\n  \033[32mverified: yes\033[0m\n"
          "  \033[1;31mverified: NO\033[0m\n    \033[1mBound by latency\033[0m: no unit\n");
    CHECK(coloured("no OPT here\n") == "no OPT here\n");
    CHECK(coloured_note("sassafras: error: x; y\n") == "\033[1;31msassafras: error:\033[0m x; y\n");
    CHECK(coloured_note("sassafras: note: x\n") == "sassafras: note: x\n");
}
