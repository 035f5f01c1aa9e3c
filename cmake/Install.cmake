# What `cmake --install` puts below a prefix; the program finds the rest from its own place, so that the
# whole may be moved:
#
#   bin/tare  lib/tare/ (llama.cpp with all CPU tiers, Arrow)  share/tare/tasks/  share/man/man1/  completions
#
# Component tare is what a Debian package holds; component portable adds what the machine may lack: the
# shared libraries of packages.txt and their licences. A wheel (SKBUILD) has both.
set(TARE_BIN_DIR bin)
set(TARE_ROOT_DIR .)
if(SKBUILD)
  set(TARE_BIN_DIR "${SKBUILD_SCRIPTS_DIR}")
  set(TARE_ROOT_DIR "${SKBUILD_DATA_DIR}")
endif()
set(TARE_LIBRARY_DIR ${TARE_ROOT_DIR}/lib/tare)
set(TARE_SHARE_DIR ${TARE_ROOT_DIR}/share)

set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib/tare")

# RPATH and not RUNPATH, which the libraries that come along would not inherit.
function(tare_install_program target)
  target_link_options(${target} PRIVATE LINKER:--disable-new-dtags)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  install(TARGETS ${target} RUNTIME DESTINATION ${TARE_BIN_DIR} COMPONENT tare)
endfunction()

# A library under the name that programs ask for, alone: a wheel has no symbolic links.
function(tare_install_library file)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  get_filename_component(real "${file}" REALPATH)
  get_filename_component(name "${file}" NAME)
  execute_process(COMMAND "${CMAKE_OBJDUMP}" -p "${real}" OUTPUT_VARIABLE headers ERROR_QUIET)
  if(headers MATCHES "SONAME +([^\n]+)")
    set(name "${CMAKE_MATCH_1}")
  endif()
  install(PROGRAMS "${real}" DESTINATION ${TARE_LIBRARY_DIR} RENAME "${name}" COMPONENT tare)
  set_property(GLOBAL APPEND PROPERTY TARE_INSTALLED_LIBRARIES "${name}")
  if(headers MATCHES "(RPATH|RUNPATH) ")
    set_property(GLOBAL APPEND PROPERTY TARE_LIBRARIES_WITH_PATH "${name}")
  endif()
endfunction()

# The rest, once all libraries are known.
function(tare_install_tree)
  get_property(TARE_OWN_LIBRARIES GLOBAL PROPERTY TARE_INSTALLED_LIBRARIES)
  get_property(TARE_LIBRARIES_WITH_PATH GLOBAL PROPERTY TARE_LIBRARIES_WITH_PATH)
  set(TARE_LLAMA_LICENCE "${TARE_LLAMA_SOURCE_DIR}/LICENSE")
  install(DIRECTORY tasks/ DESTINATION ${TARE_SHARE_DIR}/tare/tasks COMPONENT tare)
  install(FILES README.md CHANGELOG.md DESTINATION ${TARE_SHARE_DIR}/doc/tare COMPONENT tare)
  set(shell ${PROJECT_SOURCE_DIR}/src/cli/shell)
  install(FILES ${shell}/tare.bash DESTINATION ${TARE_SHARE_DIR}/bash-completion/completions RENAME tare
    COMPONENT tare)
  install(FILES ${shell}/tare.fish DESTINATION ${TARE_SHARE_DIR}/fish/vendor_completions.d COMPONENT tare)
  # Debian's zsh looks into the first for packages, others into the second.
  install(FILES ${shell}/_tare DESTINATION ${TARE_SHARE_DIR}/zsh/vendor-completions COMPONENT tare)
  install(FILES ${shell}/_tare DESTINATION ${TARE_SHARE_DIR}/zsh/site-functions COMPONENT portable)
  install(FILES "${TARE_LLAMA_LICENCE}" DESTINATION ${TARE_SHARE_DIR}/doc/tare/licences RENAME llama.cpp
    COMPONENT tare)
  get_property(arrow GLOBAL PROPERTY TARE_ARROW_LICENCES)
  if(arrow)
    install(DIRECTORY "${arrow}/" DESTINATION ${TARE_SHARE_DIR}/doc/tare/licences/arrow
      COMPONENT tare)
  endif()
  foreach(script finish_install:tare bundle_libraries:portable)
    string(REPLACE ":" ";" script ${script})
    list(GET script 0 name)
    list(GET script 1 component)
    configure_file(cmake/${name}.cmake.in ${name}.cmake.in @ONLY)
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${name}.cmake INPUT ${PROJECT_BINARY_DIR}/${name}.cmake.in)
    install(SCRIPT ${PROJECT_BINARY_DIR}/${name}.cmake COMPONENT ${component})
  endforeach()
endfunction()
