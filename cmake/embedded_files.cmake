# sassafras_embed(target OUTPUT source.cpp NAMESPACE name FILES file ... NAMES name ...): adds a source that holds the bytes of each file
# to the target, and for each the function `std::span<const std::byte> name()` in the namespace. The assembler reads the files itself
# (.incbin), which takes no time; as arrays of numbers, five megabytes take the compiler half a minute. ccache leaves such a source alone.
function(sassafras_embed target)
  cmake_parse_arguments(embed "" "OUTPUT;NAMESPACE" "FILES;NAMES" ${ARGN})
  set(text "// Made by cmake/embedded_files.cmake.\n#include <cstddef>\n#include <span>\n\n")
  set(functions "")
  foreach(file name IN ZIP_LISTS embed_FILES embed_NAMES)
    set(symbol sassafras_embedded_${name})
    # The labels are local to this file: hidden, they are addressed like those that a compiler makes.
    string(APPEND text "__asm__(\".section .rodata\\n.balign 16\\n${symbol}:\\n.incbin \\\"${file}\\\"\\n${symbol}_end:\\n.byte 0\\n.previous\\n\");\n")
    string(APPEND text "extern \"C\" {\n")
    string(APPEND text "[[gnu::visibility(\"hidden\")]] extern const std::byte ${symbol}[];\n")
    string(APPEND text "[[gnu::visibility(\"hidden\")]] extern const std::byte ${symbol}_end[];\n}\n")
    string(APPEND functions "std::span<const std::byte> ${name}();\nstd::span<const std::byte> ${name}() { return {${symbol}, ${symbol}_end}; }\n")
  endforeach()
  string(APPEND text "\nnamespace ${embed_NAMESPACE} {\n${functions}}  // namespace ${embed_NAMESPACE}\n")
  file(CONFIGURE OUTPUT ${embed_OUTPUT} CONTENT "${text}" @ONLY)  # leaves a file alone that would be the same
  set_source_files_properties(${embed_OUTPUT} PROPERTIES OBJECT_DEPENDS "${embed_FILES}")
  target_sources(${target} PRIVATE ${embed_OUTPUT})
endfunction()

# Adds a generated source to the target: `std::span<const TYPE> FUNCTION()`, declared in HEADER, gives ROWS, the text of one initialiser each.
# The files of DEPENDS are what the rows were made of: CMake configures again when one changes, and the compiler looks at the source again only
# if it became another. A command of the build would wait for the libraries below, and the compiler with it.
function(sassafras_embed_rows target)
  cmake_parse_arguments(PARSE_ARGV 1 embed "" "OUTPUT;HEADER;NAMESPACE;TYPE;FUNCTION;ROWS" "DEPENDS")  # keeps semicolons in a text
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${embed_DEPENDS})
  set(source ${PROJECT_BINARY_DIR}/generated/${embed_OUTPUT})
  file(WRITE ${source}.new "// Made by cmake/embedded_files.cmake.
#include \"${embed_HEADER}\"

#include <array>

namespace ${embed_NAMESPACE} {

namespace {

constexpr auto rows = std::to_array<${embed_TYPE}>({
${embed_ROWS}});

}  // namespace

std::span<const ${embed_TYPE}> ${embed_FUNCTION}() { return rows; }

}  // namespace ${embed_NAMESPACE}
")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  file(REMOVE ${source}.new)
  target_sources(${target} PRIVATE ${source})
endfunction()
