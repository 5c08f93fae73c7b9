# validate/records/*/measured/{cycles.csv,spt_instance.json} go into the program, as the platforms do (sim/platform/embedded_platforms.cmake).
file(GLOB cycle_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/validate/records/*/measured/cycles.csv)
file(GLOB instance_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/validate/records/*/measured/spt_instance.json)
list(SORT cycle_files)
set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${cycle_files} ${instance_files})
set(embedded_records "")
foreach(file IN LISTS cycle_files)
  cmake_path(GET file PARENT_PATH measured)
  cmake_path(GET measured PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  file(READ ${file} cycles)
  set(instance "")
  if(EXISTS ${measured}/spt_instance.json)
    file(READ ${measured}/spt_instance.json instance)
  endif()
  string(APPEND embedded_records "    EmbeddedRecord{\"${name}\", R\"record(${cycles})record\", R\"record(${instance})record\"},\n")
endforeach()
list(LENGTH cycle_files count)
sassafras_write_source(${CMAKE_BINARY_DIR}/generated/embedded_records.cpp "// Made by embedded_records.cmake.
#include \"validate/records/embedded_records.hpp\"

#include <array>

namespace sassafras::validate {

namespace {

constexpr std::array<EmbeddedRecord, ${count}> records = {
${embedded_records}};

}  // namespace

std::span<const EmbeddedRecord> embedded_records() { return records; }

}  // namespace sassafras::validate
")
target_sources(sassafras_validate PRIVATE ${CMAKE_BINARY_DIR}/generated/embedded_records.cpp)
