# The tables of this folder go into the program, which judges the source's claims by them.
set(printed_files ${CMAKE_CURRENT_LIST_DIR}/gehrke_tables.json ${CMAKE_CURRENT_LIST_DIR}/xeon_phi_tables.json)
set(rows "")
foreach(file IN LISTS printed_files)
  cmake_path(GET file STEM name)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"table(${text})table\"},\n")
endforeach()
sassafras_embed_rows(sassafras_validate OUTPUT printed_tables.cpp HEADER validate/records/gehrke/printed_tables.hpp NAMESPACE sassafras::validate
                     TYPE PrintedTables FUNCTION printed_tables ROWS "${rows}" DEPENDS ${printed_files})
