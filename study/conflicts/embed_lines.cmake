# cmake -D FILES=list -D SOURCE=file -P embed_lines.cmake: writes SOURCE, which defines embedded_line_files().
set(arrays "")
set(entries "")
set(number 0)
foreach(file ${FILES})
  file(READ ${file} hexadecimal HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hexadecimal}")
  string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],){1,24})" "\\1\n    " bytes "${bytes}")
  cmake_path(GET file FILENAME name)
  string(APPEND arrays "constexpr unsigned char file_${number}[] = {\n    ${bytes}\n};\n")
  string(APPEND entries "        {\"${name}\", text(file_${number}, sizeof file_${number})},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${SOURCE}
"// Generated from workloads/*/*.lines.
#include \"study/conflicts/embedded_lines.hpp\"

namespace sassafras::study {
namespace {
${arrays}
[[maybe_unused]] std::string_view text(const unsigned char* bytes, std::size_t size) { return {reinterpret_cast<const char*>(bytes), size}; }
}  // namespace

std::vector<std::pair<std::string_view, std::string_view>> embedded_line_files() {
    return {
${entries}    };
}

}  // namespace sassafras::study
")
