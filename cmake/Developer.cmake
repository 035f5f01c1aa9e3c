# Warnings and sanitizers as interface targets, so that a consumer who builds tare with an unknown
# compiler is never stopped by them: they apply only where TARE_DEVELOPER is on.
option(TARE_DEVELOPER "Warnings are errors" OFF)
set(TARE_SANITIZE "" CACHE STRING "Sanitizers for tare's own code, e.g. address,undefined")
option(TARE_FUZZ "Build the libFuzzer targets (clang only)" OFF)

add_library(tare_options INTERFACE)
add_library(tare::options ALIAS tare_options)
target_compile_features(tare_options INTERFACE cxx_std_20)
target_include_directories(tare_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
if(TARE_DEVELOPER)
  target_compile_options(tare_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ 12 reports false positives of these in the standard library's own headers.
    target_compile_options(tare_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized
      -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds -Wno-free-nonheap-object)
  endif()
endif()
if(TARE_SANITIZE)
  target_compile_options(tare_options INTERFACE -fsanitize=${TARE_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(tare_options INTERFACE -fsanitize=${TARE_SANITIZE})
endif()
if(TARE_FUZZ)
  target_compile_options(tare_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
