# Included by the tree's CMakeLists.txt before every library: its first batch has CLI11, compiles longest of all, and would else be what a
# build from nothing waits for at its end. Ninja begins targets in the order in which they stand, what they link first; so the sources are
# a target that links nothing of ours.
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cli/*/*.cpp ${PROJECT_SOURCE_DIR}/cli/html/charts/*.cpp)
add_library(sassafras_cli_objects OBJECT ${cli_sources})
target_link_libraries(sassafras_cli_objects PRIVATE sassafras_options ${FMT_LIBRARY} nlohmann_json::nlohmann_json CLI11::CLI11)
target_include_directories(sassafras_cli_objects PRIVATE ${PROJECT_BINARY_DIR}/generated)
target_compile_options(sassafras_cli_objects PRIVATE $<$<CONFIG:Release>:-Og>)  # nothing here is hot, and CLI11 is long
target_compile_definitions(sassafras_cli_objects PRIVATE SASSAFRAS_VERSION="${PROJECT_VERSION}")
sassafras_in_batches(sassafras_cli_objects SIZE 40)  # CLI11 alone takes five seconds: what includes it is one batch

# generated/cli/commands/command_list.hpp: the commands, a row of command_list.txt each, so that a new one is a file and its row.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS cli/commands/command_list.txt)
file(STRINGS cli/commands/command_list.txt commands)
set(declarations "")
set(entries "")
foreach(command IN LISTS commands)
  string(REPLACE - _ function ${command})
  string(APPEND declarations "void add_${function}(CLI::App& app, Program& program);\n")
  string(APPEND entries "    add_${function},\n")
endforeach()
configure_file(cli/commands/command_list.hpp.in ${PROJECT_BINARY_DIR}/generated/cli/commands/command_list.hpp @ONLY)

add_library(sassafras_cli STATIC $<TARGET_OBJECTS:sassafras_cli_objects>)
target_link_libraries(sassafras_cli PUBLIC sassafras_validate sassafras_exec_protocol sassafras_build_version nlohmann_json::nlohmann_json CLI11::CLI11)

add_executable(sassafras cli/main.cpp)
target_link_libraries(sassafras PRIVATE sassafras_cli)
set_target_properties(sassafras PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/cli)
