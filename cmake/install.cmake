# cmake --install: the program with what `exec` loads, manual pages, completion, documentation and configurations; the library with its headers and what
# find_package reads. Components are the packages that packages.cmake makes.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(documentation_folder ${CMAKE_INSTALL_DATADIR}/doc/sassafras)

install(TARGETS sassafras RUNTIME COMPONENT sassafras)
if(TARGET cudart)
  # Where `exec` looks for it, seen from the program; not where the loader would give it to others.
  install(TARGETS cudart LIBRARY DESTINATION lib/sassafras COMPONENT sassafras NAMELINK_SKIP)
endif()

# The program writes its own pages and scripts, so they cannot say anything else than --help. Made with the rest, as whoever installs may not be who builds.
set(pages ${PROJECT_BINARY_DIR}/pages)
set(compress "")
if(SASSAFRAS_DEBIAN)
  set(compress COMMAND gzip -9nr ${pages}/man)
endif()
add_custom_command(
  OUTPUT ${pages}/made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${pages}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${pages}/man
  COMMAND sassafras manual --output ${pages}/man
  ${compress}
  COMMAND sassafras completion bash > ${pages}/sassafras
  COMMAND sassafras completion zsh > ${pages}/_sassafras
  COMMAND sassafras completion fish > ${pages}/sassafras.fish
  COMMAND ${CMAKE_COMMAND} -E touch ${pages}/made
  DEPENDS sassafras
  COMMENT "manual pages and completion"
  VERBATIM)
add_custom_target(sassafras_pages ALL DEPENDS ${pages}/made)
install(DIRECTORY ${pages}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT sassafras)
install(FILES ${pages}/sassafras DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT sassafras)
install(FILES ${pages}/_sassafras DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT sassafras)
install(FILES ${pages}/sassafras.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT sassafras)

# Documents link to each other and to files of the repository; what they name of configs lies where it does there.
install(FILES README.md CONTRIBUTING.md DESTINATION ${documentation_folder} COMPONENT sassafras)
if(NOT SASSAFRAS_DEBIAN)  # which has them under names of its own
  install(FILES CHANGELOG.md LICENSE DESTINATION ${documentation_folder} COMPONENT sassafras)
endif()
install(DIRECTORY docs configs DESTINATION ${documentation_folder} COMPONENT sassafras PATTERN site EXCLUDE)

install(TARGETS sassafras_library EXPORT sassafras-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libsassafras NAMELINK_COMPONENT libsassafras-dev
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY library/include/sassafras DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT libsassafras-dev)
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/sassafras)
install(EXPORT sassafras-targets NAMESPACE sassafras:: DESTINATION ${config_folder} COMPONENT libsassafras-dev)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sassafras-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sassafras-config-version.cmake cmake/sassafras-config.cmake DESTINATION ${config_folder} COMPONENT libsassafras-dev)
install(DIRECTORY examples/library DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libsassafras-dev/examples COMPONENT libsassafras-dev)

# What draws charts is part of the program (cli/html/html.cmake), and so are its licences.
foreach(package vega vega-lite vega-embed)
  if(EXISTS ${chart_modules}/${package}/LICENSE)
    install(FILES ${chart_modules}/${package}/LICENSE DESTINATION ${documentation_folder}/licences RENAME ${package} COMPONENT sassafras)
  endif()
endforeach()
if(SASSAFRAS_PORTABLE)
  # Libraries of others are part of what is carried elsewhere, and so are their licences, as Debian's packages of them have them.
  foreach(package libfmt-dev libzstd-dev liblz4-dev liblzma-dev libcsv-dev libxxhash-dev nlohmann-json3-dev libcli11-dev libboost-dev libsqlite3-dev libminizip-dev
          zlib1g-dev libeigen3-dev)
    if(EXISTS /usr/share/doc/${package}/copyright)
      install(FILES /usr/share/doc/${package}/copyright DESTINATION ${documentation_folder}/licences RENAME ${package} COMPONENT sassafras)
    endif()
  endforeach()
endif()
