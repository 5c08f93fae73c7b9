// Any bytes given as a file of numbers, raw or .npy. Nothing may crash, hang or leak, and what is accepted fits its
// size.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "core/array_file/array_file.hpp"

using namespace sassafras;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const unsigned choices = data[0];
    ArrayExpectation expected;
    if (choices % 8 < element_types.size()) expected.type = element_types[choices % 8].type;
    expected.nans = (choices & 8U) != 0;
    expected.greatest_count = 1024;
    // Most bytes that a fuzzer draws are no .npy file: begin as one does.
    std::string content = (choices & 16U) != 0 ? std::string("\x93NUMPY\x01\x00", 8) : std::string();
    content.append(reinterpret_cast<const char*>(data) + 1, size - 1);
    std::istringstream stream(content);
    auto array = read_array(stream, content.size(), (choices & 32U) != 0 ? "a.npy" : "a", expected);
    if (!array) {
        if (array.error().what.empty()) std::abort();
        return 0;
    }
    if (array->size() > expected.greatest_count || array->size() * bytes_of(array->type) > content.size()) std::abort();
    map_to_unsigned(*array);
    return 0;
}
