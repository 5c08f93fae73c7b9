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

# Writes a generated source, unless it holds the text already: then nothing is compiled again.
function(sassafras_write_source file text)
  file(WRITE ${file}.new "${text}")
  file(COPY_FILE ${file}.new ${file} ONLY_IF_DIFFERENT)
  file(REMOVE ${file}.new)
endfunction()
