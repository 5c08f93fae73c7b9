# configs/platforms/*.json go into the program, so that it works wherever it is carried.
file(GLOB platform_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/configs/platforms/*.json)
set(embedded_platforms_source ${CMAKE_BINARY_DIR}/generated/embedded_platforms.cpp)
add_custom_command(OUTPUT ${embedded_platforms_source}
  COMMAND ${CMAKE_COMMAND} -DDIRECTORY=${CMAKE_SOURCE_DIR}/configs/platforms -DOUTPUT=${embedded_platforms_source}
          -P ${CMAKE_SOURCE_DIR}/sim/platform/embed_platforms.cmake
  DEPENDS ${platform_files} ${CMAKE_SOURCE_DIR}/sim/platform/embed_platforms.cmake
  VERBATIM)
target_sources(sassafras_platform PRIVATE ${embedded_platforms_source})
