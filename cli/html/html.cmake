# What pages of reports are made of goes into the program: page.html and its neighbours, and the scripts that draw charts. These are packages of npm, which
# `scripts/setup charts` puts into packaging/charts; without them there is an empty file in the place of each, and --html says what to do.
set(page ${PROJECT_SOURCE_DIR}/cli/html/page)
set(chart_modules ${PROJECT_SOURCE_DIR}/packaging/charts/node_modules)
file(GLOB chart_scripts CONFIGURE_DEPENDS ${chart_modules}/vega*/build/vega*.min.js)
set(script_files "")
foreach(script vega vega-lite vega-embed)
  set(file ${chart_modules}/${script}/build/${script}.min.js)
  if(NOT file IN_LIST chart_scripts)
    set(file ${PROJECT_BINARY_DIR}/generated/cli/no_script.js)
    file(CONFIGURE OUTPUT ${file} CONTENT "")
  endif()
  list(APPEND script_files ${file})
endforeach()
sassafras_embed(sassafras_cli_objects OUTPUT ${PROJECT_BINARY_DIR}/generated/cli/page_files.cpp NAMESPACE sassafras::cli::page_files
  FILES ${page}/page.html ${page}/page.css ${page}/page.js ${page}/theme.js ${page}/render.js ${script_files}
  NAMES html css page_script theme_script render_script vega_script vega_lite_script vega_embed_script)
