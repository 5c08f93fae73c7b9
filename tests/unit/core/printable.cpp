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
