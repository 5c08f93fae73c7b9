#include "cli/options/option_values.hpp"

#include <catch2/catch.hpp>

using namespace sassafras::cli;

namespace {

std::string message(const CLI::Validator& validator, std::string text) { return validator(text); }

}  // namespace

TEST_CASE("whole numbers: what is wrong is named in a short line") {
    CHECK(message(whole_number(), "0").empty());
    CHECK(message(whole_number(), "18446744073709551615").empty());
    CHECK(message(whole_number(), "abc") == "\"abc\" is no whole number; give 0 or more");
    CHECK(message(whole_number(), "-1") == "\"-1\" is no whole number; give 0 or more");
    CHECK(message(whole_number(), "1.5") == "\"1.5\" is no whole number; give 0 or more");
    CHECK(message(whole_number(), "") == "\"\" is no whole number; give 0 or more");
    CHECK(message(whole_number(), "18446744073709551616") ==
          "18446744073709551616 is too large; give at most 2^64 - 1");
    CHECK(message(whole_number(1, 1024), "0") == "0 is out of range; give 1 to 1024");
    CHECK(message(whole_number(1, 1024), "1025") == "1025 is out of range; give 1 to 1024");
    CHECK(message(whole_number(1, 1024), "x") == "\"x\" is no whole number; give 1 to 1024");
}

TEST_CASE("leading zeros do not make a number octal") {
    std::string text = "010";
    CHECK(whole_number()(text).empty());
    CHECK(text == "10");
}

TEST_CASE("a word that is none of a few is told the nearest") {
    CHECK(message(one_of({"all", "none"}), "all").empty());
    CHECK(message(one_of({"details", "source"}), "sorce") ==
          "\"sorce\" is unknown; did you mean \"source\"? there are details, source");
}

TEST_CASE("what is no number is in no range") {
    for (const char* text : {"nan", "NaN", "-nan", "nan(0)", "inf", "-inf", "", "x", "1x", "0.5", "1024.5", "1e999"})
        CHECK(message(real_number(1, 1024), text) ==
              "\"" + std::string(text) + "\" is out of range or no number; give a number from 1 to 1024");
    for (const char* text : {"1", "1.5", "1e3", "1024"}) CHECK(message(real_number(1, 1024), text).empty());
}
