# Embeds every workloads/<family>/<name>.cubin in the workloads library: one generated source file each, and generated/workloads/cubins.hpp,
# which declares an accessor of each name in sassafras::workloads::cubins.
file(GLOB cubins CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/*/*.cubin)
set(generated ${CMAKE_BINARY_DIR}/generated/workloads)
set(names)
set(declarations "")
foreach(cubin ${cubins})
  cmake_path(GET cubin STEM name)
  if(name IN_LIST names)
    message(FATAL_ERROR "two cubins are called ${name}; rename ${cubin}, whose accessor would be the other's")
  endif()
  list(APPEND names ${name})
  string(APPEND declarations "[[nodiscard]] std::span<const std::byte> ${name}();\n")
  set(source ${generated}/${name}_cubin.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D NAME=${name} -D CUBIN=${cubin} -D SOURCE=${source} -P ${CMAKE_SOURCE_DIR}/workloads/embed_cubin.cmake
    DEPENDS ${cubin} ${CMAKE_SOURCE_DIR}/workloads/embed_cubin.cmake
    COMMENT "Embedding ${name}.cubin"
    VERBATIM)
  target_sources(sassafras_workloads PRIVATE ${source})
endforeach()

# Those for other architectures, NAME.sm_NN.zst, and the table of them.
file(GLOB packed_cubins CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workloads/*/*.sm_*.zst)
set(packed_declarations "")
set(packed_rows "")
foreach(cubin ${packed_cubins})
  get_filename_component(file ${cubin} NAME)
  string(REGEX MATCH "^(.+)\\.sm_([0-9]+)\\.zst$" matched ${file})
  set(name ${CMAKE_MATCH_1})
  set(sm ${CMAKE_MATCH_2})
  if(NOT name IN_LIST names)
    message(FATAL_ERROR "${cubin} has no ${name}.cubin beside it")
  endif()
  set(accessor ${name}_sm_${sm})
  string(APPEND packed_declarations "std::span<const std::byte> ${accessor}();\n")
  string(APPEND packed_rows "        {\"${name}\", ${sm}, ${accessor}()},\n")
  set(source ${generated}/${accessor}.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D NAME=${accessor} -D CUBIN=${cubin} -D SOURCE=${source} -P ${CMAKE_SOURCE_DIR}/workloads/embed_cubin.cmake
    DEPENDS ${cubin} ${CMAKE_SOURCE_DIR}/workloads/embed_cubin.cmake
    COMMENT "Embedding ${file}"
    VERBATIM)
  target_sources(sassafras_workloads PRIVATE ${source})
endforeach()
configure_file(${CMAKE_SOURCE_DIR}/workloads/packed_cubins.cpp.in ${generated}/packed_cubins.cpp @ONLY)
target_sources(sassafras_workloads PRIVATE ${generated}/packed_cubins.cpp)
configure_file(${CMAKE_SOURCE_DIR}/workloads/cubins.hpp.in ${generated}/cubins.hpp @ONLY)
target_include_directories(sassafras_workloads PRIVATE ${CMAKE_BINARY_DIR}/generated)
