# find_package(sassafras): the target sassafras::sassafras. A shared library that needs nothing to be found beside it.
include(${CMAKE_CURRENT_LIST_DIR}/sassafras-targets.cmake)
