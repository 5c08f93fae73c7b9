# validate/records/*/measured/{cycles.csv,spt_instance.json} go into the program.
file(GLOB record_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/validate/records/*/measured/cycles.csv
     ${CMAKE_SOURCE_DIR}/validate/records/*/measured/spt_instance.json)
set(embedded_records_source ${CMAKE_BINARY_DIR}/generated/embedded_records.cpp)
add_custom_command(OUTPUT ${embedded_records_source}
  COMMAND ${CMAKE_COMMAND} -DDIRECTORY=${CMAKE_SOURCE_DIR}/validate/records -DOUTPUT=${embedded_records_source}
          -P ${CMAKE_SOURCE_DIR}/validate/records/embed_records.cmake
  DEPENDS ${record_files} ${CMAKE_SOURCE_DIR}/validate/records/embed_records.cmake
  VERBATIM)
target_sources(sassafras_validate PRIVATE ${embedded_records_source})
