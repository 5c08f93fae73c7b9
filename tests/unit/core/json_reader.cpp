#include "core/json_reader.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

using namespace sassafras;

namespace {

/// The faults as "pointer: what".
std::vector<std::string> listed(const JsonFaults& faults) {
    std::vector<std::string> lines;
    for (const JsonFault& fault : faults.all()) lines.push_back(fault.pointer + ": " + fault.what);
    return lines;
}

std::vector<std::string> faults_of_integer(const std::string& value) {
    JsonFaults faults("test");
    const auto json = parse_json("{\"n\": " + value + "}", faults);
    REQUIRE(json.has_value());
    JsonObjectReader reader(*json, "", faults);
    (void)reader.integer("n", 1, 10, Presence::required);
    reader.finish();
    return listed(faults);
}

}  // namespace

TEST_CASE("a syntax error names line and column") {
    JsonFaults faults("test");
    CHECK_FALSE(parse_json("{\n  \"a\": 1,\n  \"b\": oops\n}", faults).has_value());
    REQUIRE(faults.all().size() == 1);
    CHECK_THAT(faults.all()[0].what, Catch::Contains("line 3, column 8"));
}

TEST_CASE("texts that end early, go on, or hold bytes that are no UTF-8 are not JSON") {
    for (const std::string text :
         {"", "   ", "{", "{\"a\"", "{\"a\": 1", "[1, 2", "{} {}", "{\"a\": 1} x", "{\"a\": \"\xff\"}", "{'a': 1}",
          "{\"a\": 1,}", "{\"a\": 01}", "{\"a\": 1e999}", "// comment\n{}", "{\"a\": NaN}"}) {
        CAPTURE(text);
        JsonFaults faults("test");
        CHECK_FALSE(parse_json(text, faults).has_value());
        CHECK(faults.all().size() == 1);
    }
}

TEST_CASE("nesting is bounded") {
    JsonFaults faults("test");
    CHECK(parse_json(std::string(64, '[') + std::string(64, ']'), faults).has_value());
    CHECK_FALSE(parse_json(std::string(65, '[') + std::string(65, ']'), faults).has_value());
    CHECK_FALSE(parse_json(std::string(1000000, '['), faults).has_value());
    CHECK(faults.all().size() == 2);
}

TEST_CASE("every key that comes twice is a fault, and the first value counts") {
    JsonFaults faults("test");
    const auto json =
        parse_json(R"({"a": {"x/y": 1, "x/y": {"z": 2, "z": 3}}, "b": [0, {"c": 1, "c": 2}], "a": 4})", faults);
    REQUIRE(json.has_value());
    CHECK(listed(faults) == std::vector<std::string>{"/a/x~1y: the key comes twice in this object",
                                                     "/a/x~1y/z: the key comes twice in this object",
                                                     "/b/1/c: the key comes twice in this object",
                                                     "/a: the key comes twice in this object"});
    CHECK(json->at("a").at("x/y") == 1);
}

TEST_CASE("an integer is an integer") {
    CHECK(faults_of_integer("7").empty());
    CHECK(faults_of_integer("10").empty());
    CHECK(faults_of_integer("4.9") == std::vector<std::string>{"/n: expected an integer from 1 to 10, got 4.9"});
    CHECK(faults_of_integer("4.0") == std::vector<std::string>{"/n: expected an integer from 1 to 10, got 4.0"});
    CHECK(faults_of_integer("true") == std::vector<std::string>{"/n: expected an integer from 1 to 10, got true"});
    CHECK(faults_of_integer("\"7\"") == std::vector<std::string>{"/n: expected an integer from 1 to 10, got \"7\""});
    CHECK(faults_of_integer("null") == std::vector<std::string>{"/n: expected an integer from 1 to 10, got null"});
    CHECK(faults_of_integer("[7]") == std::vector<std::string>{"/n: expected an integer from 1 to 10, got an array"});
    CHECK(faults_of_integer("-1") == std::vector<std::string>{"/n: -1 is out of range: 1 to 10"});
    CHECK(faults_of_integer("11") == std::vector<std::string>{"/n: 11 is out of range: 1 to 10"});
    CHECK(faults_of_integer("18446744073709551615") ==
          std::vector<std::string>{"/n: 18446744073709551615 is out of range: 1 to 10"});
}

TEST_CASE("the other types are as strict") {
    JsonFaults faults("test");
    const auto json = parse_json(R"({"number": true, "above": 1.5, "flag": 1, "text": 3, "choice": "greeen"})", faults);
    REQUIRE(json.has_value());
    JsonObjectReader reader(*json, "/at", faults);
    constexpr std::array<std::string_view, 2> colours = {"red", "green"};
    CHECK_FALSE(reader.number("number", 0, 1, Presence::required).has_value());
    CHECK_FALSE(reader.number("above", 0, 1, Presence::required).has_value());
    CHECK_FALSE(reader.boolean("flag", Presence::required).has_value());
    CHECK_FALSE(reader.text("text", Presence::required).has_value());
    CHECK_FALSE(reader.choice("choice", colours, Presence::required).has_value());
    CHECK_FALSE(reader.text("gone", Presence::required).has_value());
    CHECK_FALSE(reader.text("not_needed", Presence::optional).has_value());
    reader.finish();
    CHECK(listed(faults) == std::vector<std::string>{
                                "/at/number: expected a number from 0 to 1, got true",
                                "/at/above: 1.5 is out of range: 0 to 1", "/at/flag: expected true or false, got 1",
                                "/at/text: expected text, got 3",
                                "/at/choice: expected one of \"red\", \"green\", got \"greeen\"", "/at/gone: missing"});
}

TEST_CASE("right values come through") {
    JsonFaults faults("test");
    const auto json = parse_json(
        R"({"integer": -3, "whole": 2, "half": 0.5, "flag": false, "text": "t", "choice": "green"})", faults);
    REQUIRE(json.has_value());
    JsonObjectReader reader(*json, "", faults);
    constexpr std::array<std::string_view, 2> colours = {"red", "green"};
    CHECK(reader.integer("integer", -5, 5, Presence::required) == -3);
    CHECK(reader.number("whole", 0, 5, Presence::required) == 2.0);
    CHECK(reader.number("half", 0, 5, Presence::required) == 0.5);
    CHECK(reader.boolean("flag", Presence::required) == false);
    CHECK(reader.text("text", Presence::optional) == "t");
    CHECK(reader.choice("choice", colours, Presence::required) == 1U);
    reader.finish();
    CHECK(faults.empty());
}

TEST_CASE("an unknown key says what was probably meant, or what keys there are") {
    JsonFaults faults("test");
    const auto json = parse_json(R"({"hit_latency_ns": 1, "wyas": 4, "colour": 1, "bytes_per_cycle": 2})", faults);
    REQUIRE(json.has_value());
    JsonObjectReader reader(*json, "/l2", faults);
    (void)reader.integer("hit_latency_cycles", 0, 9, Presence::optional);
    (void)reader.integer("ways", 0, 9, Presence::optional);
    reader.finish();
    CHECK(listed(faults) ==
          std::vector<std::string>{
              "/l2/hit_latency_ns: unknown key; did you mean \"hit_latency_cycles\"? (the unit is part of the name)",
              "/l2/wyas: unknown key; did you mean \"ways\"?",
              "/l2/colour: unknown key; there are hit_latency_cycles, ways",
              "/l2/bytes_per_cycle: unknown key; there are hit_latency_cycles, ways"});
}

TEST_CASE("a document that is no object is one fault") {
    JsonFaults faults("test");
    const auto json = parse_json("[1]", faults);
    REQUIRE(json.has_value());
    JsonObjectReader reader(*json, "", faults);
    CHECK_FALSE(reader.integer("n", 0, 1, Presence::required).has_value());
    reader.finish();
    CHECK(listed(faults) == std::vector<std::string>{": expected an object, got an array"});
}

TEST_CASE("the error lists every fault with its place") {
    JsonFaults faults("my.json");
    CHECK_THROWS_AS(faults.error(), InvariantViolation);
    faults.add("/a", "missing");
    CHECK(faults.error().message() == "missing [my.json#/a]");
    faults.add("", "bad");
    CHECK(faults.error().message() == "2 faults in my.json:\n  my.json#/a: missing\n  my.json: bad");
    CHECK(faults.error().kind == ErrorKind::bad_input);
}

TEST_CASE("touches sees what lies above and below, not what merely starts alike") {
    JsonFaults faults("test");
    faults.add("/sm/max_warps/value", "bad");
    CHECK(faults.touches("/sm/max_warps"));
    CHECK(faults.touches("/sm"));
    CHECK(faults.touches("/sm/max_warps/value"));
    CHECK_FALSE(faults.touches("/sm/max"));
    CHECK_FALSE(faults.touches("/sm/max_blocks"));
    faults.add("/lsu", "missing");
    CHECK(faults.touches("/lsu/l1_ways"));
}
