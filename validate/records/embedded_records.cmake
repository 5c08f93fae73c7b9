# validate/records/*/measured/{cycles.csv,spt_instance.json} go into the program, as the platforms do.
file(GLOB cycle_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/validate/records/*/measured/cycles.csv)
file(GLOB instance_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/validate/records/*/measured/spt_instance.json)
list(SORT cycle_files)
set(rows "")
foreach(file IN LISTS cycle_files)
  cmake_path(GET file PARENT_PATH measured)
  cmake_path(GET measured PARENT_PATH folder)
  cmake_path(GET folder FILENAME name)
  file(READ ${file} cycles)
  set(instance "")
  if(EXISTS ${measured}/spt_instance.json)
    file(READ ${measured}/spt_instance.json instance)
  endif()
  string(APPEND rows "    {\"${name}\", R\"record(${cycles})record\", R\"record(${instance})record\"},\n")
endforeach()
sassafras_embed_rows(sassafras_validate OUTPUT embedded_records.cpp HEADER validate/records/embedded_records.hpp NAMESPACE sassafras::validate
                     TYPE EmbeddedRecord FUNCTION embedded_records ROWS "${rows}" DEPENDS ${cycle_files} ${instance_files})

# So does what sorts that are no workload took on modelled GPUs.
set(comparators validate/records/comparators/simulated.csv)
file(READ ${PROJECT_SOURCE_DIR}/${comparators} rows)
sassafras_embed_rows(sassafras_validate OUTPUT embedded_comparators.cpp HEADER validate/records/embedded_comparators.hpp NAMESPACE sassafras::validate
                     TYPE EmbeddedComparators FUNCTION embedded_comparators ROWS "    {\"${comparators}\", R\"record(${rows})record\"},\n"
                     DEPENDS ${PROJECT_SOURCE_DIR}/${comparators})
