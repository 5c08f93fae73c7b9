# Writes OUTPUT, a source file that holds the recorded cycles and SPT instances of every folder in DIRECTORY as text.
#   cmake -DDIRECTORY=validate/records -DOUTPUT=embedded_records.cpp -P embed_records.cmake
file(GLOB files ${DIRECTORY}/*/measured/cycles.csv)
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(folder ${file} DIRECTORY)
  get_filename_component(name ${folder}/.. ABSOLUTE)
  get_filename_component(name ${name} NAME)
  file(READ ${file} cycles)
  set(instance "")
  if(EXISTS ${folder}/spt_instance.json)
    file(READ ${folder}/spt_instance.json instance)
  endif()
  string(APPEND entries "    EmbeddedRecord{\"${name}\", R\"record(${cycles})record\", R\"record(${instance})record\"},\n")
endforeach()
list(LENGTH files count)
file(WRITE ${OUTPUT} "// Made by embed_records.cmake.
#include \"validate/records/embedded_records.hpp\"

#include <array>

namespace sassafras::validate {

namespace {

constexpr std::array<EmbeddedRecord, ${count}> records = {
${entries}};

}  // namespace

std::span<const EmbeddedRecord> embedded_records() { return records; }

}  // namespace sassafras::validate
")
