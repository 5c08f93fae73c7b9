# cpack makes a tarball of all that install.cmake installs; with SASSAFRAS_DEBIAN a Debian package of each component. scripts/packages calls it.
set(CPACK_PACKAGE_VENDOR "The Sassafras authors")
# A package must have an address, and the project has published none: .invalid is reserved for that (RFC 2606).
set(CPACK_PACKAGE_CONTACT "The Sassafras authors <maintainers@sassafras.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level GPU simulator that runs real SASS")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME sassafras-${PROJECT_VERSION}-linux-x86-64-v3)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TGZ)
set(CPACK_THREADS 0)
set(CPACK_COMPONENTS_ALL sassafras libsassafras libsassafras-dev)
if(TARGET sassafras_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
if(NOT SASSAFRAS_DEBIAN)
  include(CPack)
  return()
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The Python module is linked to the library that is packaged beside it, which no installed package has yet.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/library)
set(same_version "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")

set(about "Sassafras executes the machine code of cubins, as nvcc makes them, on a GPU
that is modelled cycle by cycle and described by a JSON file: results are the
bits that the hardware computes, cycles and counters have the names of Nsight
Compute. No GPU, driver or CUDA toolkit is needed.")
set(CPACK_DEBIAN_SASSAFRAS_PACKAGE_NAME sassafras)
set(CPACK_DEBIAN_SASSAFRAS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_SASSAFRAS_DESCRIPTION "${about}")

set(CPACK_DEBIAN_LIBSASSAFRAS_PACKAGE_NAME libsassafras0)
set(CPACK_DEBIAN_LIBSASSAFRAS_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBSASSAFRAS_DESCRIPTION "${about}\n\nThis package contains the shared library.")

set(CPACK_DEBIAN_LIBSASSAFRAS-DEV_PACKAGE_NAME libsassafras-dev)
set(CPACK_DEBIAN_LIBSASSAFRAS-DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBSASSAFRAS-DEV_PACKAGE_DEPENDS "libsassafras0 ${same_version}")
set(CPACK_DEBIAN_LIBSASSAFRAS-DEV_DESCRIPTION "${about}\n\nThis package contains the C++ headers, and what CMake's find_package reads.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-sassafras)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
if(TARGET sassafras_python)
  # The module is of one version of the interpreter.
  find_package(Python 3.9 COMPONENTS Interpreter REQUIRED)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS "sassafras ${same_version}")  # whose libcudart.so.13 runs CUDA programs
endif()
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "${about}\n\nThis package contains the Python module.")

# Each package's folder of documentation has its licence and a changelog in Debian's form, as Debian's policy asks. Of a shared library the package says which
# other packages that link it depend on, and has the loader's list made anew.
find_program(GZIP gzip REQUIRED)
set(packaging ${PROJECT_BINARY_DIR}/packaging)
function(sassafras_package component package)
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  configure_file(packaging/lintian-overrides.in ${packaging}/${package}/lintian-overrides @ONLY)
  install(FILES ${packaging}/${package}/lintian-overrides DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides RENAME ${package} COMPONENT ${component})
  configure_file(packaging/changelog.in ${packaging}/${package}/changelog.Debian @ONLY)
  execute_process(COMMAND ${GZIP} -9nf ${packaging}/${package}/changelog.Debian)
  install(FILES ${packaging}/${package}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endfunction()
sassafras_package(sassafras sassafras)
sassafras_package(libsassafras libsassafras0)
sassafras_package(libsassafras-dev libsassafras-dev)
if(TARGET sassafras_python)
  sassafras_package(python python3-sassafras)
endif()
configure_file(CHANGELOG.md ${packaging}/changelog COPYONLY)
execute_process(COMMAND ${GZIP} -9nf ${packaging}/changelog)
install(FILES ${packaging}/changelog.gz DESTINATION ${documentation_folder} COMPONENT sassafras)
file(CONFIGURE OUTPUT ${packaging}/shlibs CONTENT "libsassafras 0 libsassafras0 (>= ${PROJECT_VERSION})\n")
file(CONFIGURE OUTPUT ${packaging}/triggers CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBSASSAFRAS_PACKAGE_CONTROL_EXTRA "${packaging}/shlibs;${packaging}/triggers")
include(CPack)
