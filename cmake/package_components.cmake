# Read by cpack for each kind of package.
set(CPACK_COMPONENTS_ALL tare)
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  list(APPEND CPACK_COMPONENTS_ALL portable)
  # One folder, of the archive's name.
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
