# Embeds workloads/<family>/<family>.cubin in the workloads library: one generated source file each.
foreach(family gemm search merge sort micro)
  set(cubin ${CMAKE_SOURCE_DIR}/workloads/${family}/${family}.cubin)
  set(source ${CMAKE_BINARY_DIR}/generated/workloads/${family}_cubin.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D FAMILY=${family} -D CUBIN=${cubin} -D SOURCE=${source} -P ${CMAKE_SOURCE_DIR}/workloads/embed_cubin.cmake
    DEPENDS ${cubin} ${CMAKE_SOURCE_DIR}/workloads/embed_cubin.cmake
    COMMENT "Embedding ${family}.cubin"
    VERBATIM)
  target_sources(sassafras_workloads PRIVATE ${source})
endforeach()
