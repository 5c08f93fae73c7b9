# cmake -D SOURCE_FOLDER=... -D VERSION=... -D OUTPUT=file.cpp -P write_build_version.cmake: defines sassafras::build_version(), if it is not what the file says.
set(commit unknown)
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE_FOLDER}/.git)  # sources without one may lie in somebody else's repository
  execute_process(COMMAND ${GIT} -C ${SOURCE_FOLDER} describe --always --exclude=* --abbrev=12 --dirty=+ RESULT_VARIABLE status
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(status EQUAL 0)
    set(commit ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Made by cmake/write_build_version.cmake.
#include \"core/build_version.hpp\"

namespace sassafras {

std::string build_version() { return \"${VERSION} (${commit})\"; }

}  // namespace sassafras
" @ONLY)
