# cmake -D NAME=name -D CUBIN=file -D SOURCE=file -P embed_cubin.cmake: writes SOURCE, which defines the accessor NAME of the bytes of CUBIN.
file(READ ${CUBIN} hexadecimal HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hexadecimal}")
string(REGEX REPLACE "((0x[0-9a-f][0-9a-f],){1,24})" "\\1\n    " bytes "${bytes}")
get_filename_component(file ${CUBIN} NAME)
file(WRITE ${SOURCE}
"// Generated from ${file}.
#include <array>

#include \"workloads/cubins.hpp\"

namespace sassafras::workloads::cubins {
namespace {
alignas(16) constexpr unsigned char image[] = {
    ${bytes}
};
}  // namespace

std::span<const std::byte> ${NAME}();  // of a packed cubin, only packed() has the name
std::span<const std::byte> ${NAME}() { return std::as_bytes(std::span(image)); }

}  // namespace sassafras::workloads::cubins
")
