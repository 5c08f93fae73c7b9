# A header for each kind of policy that includes every file of the kind, so that a new policy is a file and its row in
# sim/platform/policies.hpp: generated/sim/timing/policies/<kind>.hpp.
foreach(kind warp_scheduler replacement address_map dram_scheduler)
  file(GLOB headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/sim/timing/policies/${kind}/*.hpp)
  set(includes "")
  foreach(header ${headers})
    string(APPEND includes "#include \"${header}\"  // IWYU pragma: export\n")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/sim/timing/policies/policy_list.hpp.in
                 ${PROJECT_BINARY_DIR}/generated/sim/timing/policies/${kind}.hpp @ONLY)
endforeach()
target_include_directories(sassafras_timing PUBLIC ${PROJECT_BINARY_DIR}/generated)
