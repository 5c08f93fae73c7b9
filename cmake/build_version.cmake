# The library sassafras_build_version is one small source that every build asks git for. Only if its text changes, that source is compiled and what says
# the version is linked.
set(build_version_source ${PROJECT_BINARY_DIR}/generated/core/build_version.cpp)
add_custom_target(sassafras_ask_version
  COMMAND ${CMAKE_COMMAND} -D SOURCE_FOLDER=${PROJECT_SOURCE_DIR} -D VERSION=${PROJECT_VERSION} -D OUTPUT=${build_version_source}
          -P ${PROJECT_SOURCE_DIR}/cmake/write_build_version.cmake
  BYPRODUCTS ${build_version_source}
  COMMENT ""
  VERBATIM)
add_library(sassafras_build_version STATIC ${build_version_source})
target_link_libraries(sassafras_build_version PRIVATE sassafras_options)
add_dependencies(sassafras_build_version sassafras_ask_version)
