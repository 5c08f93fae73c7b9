# Embeds workloads/<folder>/<family>.cubin in the workloads library: one generated source file each. The folder is the family's name up to the
# first underscore.
foreach(family gemm search search_shared search_global merge sort micro)
  string(REGEX REPLACE "_.*" "" folder ${family})
  set(cubin ${CMAKE_SOURCE_DIR}/workloads/${folder}/${family}.cubin)
  set(source ${CMAKE_BINARY_DIR}/generated/workloads/${family}_cubin.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D FAMILY=${family} -D CUBIN=${cubin} -D SOURCE=${source} -P ${CMAKE_SOURCE_DIR}/workloads/embed_cubin.cmake
    DEPENDS ${cubin} ${CMAKE_SOURCE_DIR}/workloads/embed_cubin.cmake
    COMMENT "Embedding ${family}.cubin"
    VERBATIM)
  target_sources(sassafras_workloads PRIVATE ${source})
endforeach()
