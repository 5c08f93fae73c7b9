# The tables of source lines of the workloads' kernels, workloads/*/*.lines, go into the library of studies.
file(GLOB line_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/*/*.lines)
set(lines_source ${CMAKE_BINARY_DIR}/generated/study/embedded_lines.cpp)
add_custom_command(
  OUTPUT ${lines_source}
  COMMAND ${CMAKE_COMMAND} -D "FILES=${line_files}" -D SOURCE=${lines_source} -P ${CMAKE_SOURCE_DIR}/study/conflicts/embed_lines.cmake
  DEPENDS ${line_files} ${CMAKE_SOURCE_DIR}/study/conflicts/embed_lines.cmake
  COMMENT "Embedding tables of source lines"
  VERBATIM)
target_sources(sassafras_study PRIVATE ${lines_source})
