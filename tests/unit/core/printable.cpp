// What a file says, in a message.
#include <catch2/catch.hpp>

#include "core/printable.hpp"

using sassafras::printable;

TEST_CASE("bytes that a terminal would act on are shown as hexadecimal digits") {
    CHECK(printable("<u4 ~") == "<u4 ~");
    CHECK(printable("a\x1b[31m\n\x7f\xff") == "a\\x1b[31m\\x0a\\x7f\\xff");
    CHECK(printable(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("long text is cut, never inside an escape") {
    CHECK(printable("abcdef", 6) == "abcdef");
    CHECK(printable("abcdefg", 6) == "abcdef...");
    CHECK(printable("abc\n\n", 7) == "abc\\x0a...");
    CHECK(printable("abc\n\n", 10) == "abc\\x0a...");
}

TEST_CASE("a report for a terminal keeps its text and lines, and shows what would steer the terminal") {
    using sassafras::for_terminal;
    const std::string plain = "kernel\tcycles\nsaxpy  1,024 \u00b5s \u4e2d \U0001f600 ~\n";
    CHECK(for_terminal(plain) == plain);
    CHECK(for_terminal("a\x1b[31m\r\x7f\b") == "a\\x1b[31m\\x0d\\x7f\\x08");
    CHECK(for_terminal("\xc2\x9b"
                       "31m") == "\\xc2\\x9b31m");  // U+009B is escape and bracket in one
    CHECK(for_terminal("\xc1\xbf\xe0\x80\x80\xed\xa0\x80\xf4\x90\x80\x80") ==
          "\\xc1\\xbf\\xe0\\x80\\x80\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80");  // no UTF-8
    CHECK(for_terminal("\xe4\xb8") == "\\xe4\\xb8");                        // cut off
    CHECK(for_terminal("a\u202etxt.exe\u2066\u200f") == "a\\xe2\\x80\\xaetxt.exe\\xe2\\x81\\xa6\\xe2\\x80\\x8f");
    CHECK(for_terminal("\u200d\u2030\u2065") == "\u200d\u2030\u2065");  // their neighbours
    CHECK(for_terminal("").empty());
}
