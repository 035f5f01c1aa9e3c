# What comes from Debian packages; packages.txt at the root lists them. Each line that fails names
# the package to install.
function(tare_require package target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tare: ${target} not found; install the Debian package ${package} "
      "(make deps installs all of packages.txt)")
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(fmt QUIET)
tare_require(libfmt-dev fmt::fmt)
find_package(tl-expected QUIET)
if(TARGET tl-expected::tl-expected AND NOT TARGET tl::expected)
  add_library(tl::expected ALIAS tl-expected::tl-expected)
endif()
tare_require(libexpected-dev tl::expected)
find_package(OpenSSL QUIET)
tare_require(libssl-dev OpenSSL::Crypto)
find_package(CLI11 QUIET)
tare_require(libcli11-dev CLI11::CLI11)
if(TARE_FUZZ)  # a second reader of JSON to compare with
  find_package(nlohmann_json QUIET)
  tare_require(nlohmann-json3-dev nlohmann_json::nlohmann_json)
endif()

find_library(UTF8PROC_LIBRARY utf8proc)
if(NOT UTF8PROC_LIBRARY)
  message(FATAL_ERROR "tare: utf8proc not found; install the Debian package libutf8proc-dev")
endif()
add_library(utf8proc INTERFACE)
target_link_libraries(utf8proc INTERFACE ${UTF8PROC_LIBRARY})

find_library(LIBYAML_LIBRARY yaml)
if(NOT LIBYAML_LIBRARY)
  message(FATAL_ERROR "tare: libyaml not found; install the Debian package libyaml-dev")
endif()
add_library(libyaml INTERFACE)
target_link_libraries(libyaml INTERFACE ${LIBYAML_LIBRARY})
