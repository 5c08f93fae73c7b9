// JSON that the program writes: how it is laid out, what becomes of bytes that are no text, and that it is read back.
#include "core/json_text.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace sassafras {
namespace {

using Json = nlohmann::ordered_json;

TEST_CASE("a document keeps the order of its keys, a level two spaces, and ends with a newline") {
    const Json json{{"b", 1}, {"a", {true, nullptr}}};
    CHECK(json_document(json) == "{\n  \"b\": 1,\n  \"a\": [\n    true,\n    null\n  ]\n}\n");
    CHECK(json_line(json) == R"({"b":1,"a":[true,null]})");
    CHECK(own_json(json_document(json)) == json);
}

TEST_CASE("bytes of a name that are no UTF-8 are replaced, not refused") {
    const Json json{{"kernel", "a\xff"}};
    CHECK(json_line(json) == "{\"kernel\":\"a\xef\xbf\xbd\"}");
    CHECK(json_document(json) == "{\n  \"kernel\": \"a\xef\xbf\xbd\"\n}\n");
}

TEST_CASE("what is no JSON throws") { CHECK_THROWS_AS(own_json("{\"a\": "), Json::parse_error); }

}  // namespace
}  // namespace sassafras
