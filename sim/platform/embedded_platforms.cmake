# configs/platforms/*.json go into the program, so that it works wherever it is carried. Written when CMake configures: a command of the
# build would wait for the libraries below, and the compiler with it.
file(GLOB platform_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/configs/platforms/*.json)
list(SORT platform_files)
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${platform_files})
set(embedded_platforms "")
foreach(file IN LISTS platform_files)
  cmake_path(GET file STEM name)
  file(READ ${file} text)
  string(APPEND embedded_platforms "    EmbeddedPlatform{\"${name}\", R\"platform(${text})platform\"},\n")
endforeach()
list(LENGTH platform_files count)
sassafras_write_source(${CMAKE_BINARY_DIR}/generated/embedded_platforms.cpp "// Made by embedded_platforms.cmake.
#include \"sim/platform/embedded_platforms.hpp\"

#include <array>

namespace sassafras::sim {

namespace {

constexpr std::array<EmbeddedPlatform, ${count}> platforms = {
${embedded_platforms}};

}  // namespace

std::span<const EmbeddedPlatform> embedded_platforms() { return platforms; }

}  // namespace sassafras::sim
")
target_sources(sassafras_platform PRIVATE ${CMAKE_BINARY_DIR}/generated/embedded_platforms.cpp)
