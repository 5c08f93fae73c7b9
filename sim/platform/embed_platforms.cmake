# Writes OUTPUT, a source file that holds every platform in DIRECTORY as text.
#   cmake -DDIRECTORY=configs/platforms -DOUTPUT=embedded_platforms.cpp -P embed_platforms.cmake
file(GLOB files ${DIRECTORY}/*.json)
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WLE)
  file(READ ${file} text)
  string(APPEND entries "    EmbeddedPlatform{\"${name}\", R\"platform(${text})platform\"},\n")
endforeach()
list(LENGTH files count)
file(WRITE ${OUTPUT} "// Made by embed_platforms.cmake.
#include \"sim/platform/embedded_platforms.hpp\"

#include <array>

namespace sassafras::sim {

namespace {

constexpr std::array<EmbeddedPlatform, ${count}> platforms = {
${entries}};

}  // namespace

std::span<const EmbeddedPlatform> embedded_platforms() { return platforms; }

}  // namespace sassafras::sim
")
