# configs/platforms/*.json go into the program, so that it works wherever it is carried.
file(GLOB platform_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/configs/platforms/*.json)
list(SORT platform_files)
set(rows "")
foreach(file IN LISTS platform_files)
  cmake_path(GET file STEM name)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"platform(${text})platform\"},\n")
endforeach()
sassafras_embed_rows(sassafras_platform OUTPUT embedded_platforms.cpp HEADER sim/platform/embedded_platforms.hpp NAMESPACE sassafras::sim
                     TYPE EmbeddedPlatform FUNCTION embedded_platforms ROWS "${rows}" DEPENDS ${platform_files})
