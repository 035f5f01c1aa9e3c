# Arrow C++ out of the pinned pyarrow wheel: fetched and unpacked once, kept outside every build tree.
# Gives the targets arrow::arrow and arrow::parquet where there is an Arrow; who builds without them
# takes the absent twin.
#
#   TARE_PARQUET     ON: stop where there is none; OFF: build without; AUTO: try, and say so if it fails
#   TARE_ARROW_DIR   a folder with include/ and the libraries to use instead (an installed pyarrow)
#   TARE_CACHE_DIR   where (else the environment's TARE_CACHE_DIR, XDG_CACHE_HOME/tare, ~/.cache/tare)
set(TARE_PARQUET AUTO CACHE STRING "Read Parquet through Arrow: AUTO, ON or OFF")
set_property(CACHE TARE_PARQUET PROPERTY STRINGS AUTO ON OFF)
set(TARE_ARROW_DIR "" CACHE PATH "A folder with Arrow's include/ and libraries")
include(Cache)

# Why there is no Arrow: an error where it was asked for, else one line.
macro(tare_no_arrow reason)
  if(TARE_PARQUET STREQUAL "AUTO")
    message(NOTICE "tare: building without Parquet: ${reason}")
  else()
    message(FATAL_ERROR "tare: TARE_PARQUET=${TARE_PARQUET}, but ${reason}; -DTARE_PARQUET=OFF builds without")
  endif()
  return()
endmacro()

# The likely cause of a failed fetch, found in pip's output.
function(tare_arrow_cause log out)
  file(READ "${log}" text)
  if(text MATCHES "No space left on device")
    set(cause "the disk is full")
  elseif(text MATCHES "DO NOT MATCH THE HASHES")
    set(cause "the wheel has another SHA-256 than third_party/pyarrow.txt says")
  elseif(text MATCHES "No module named pip")
    set(cause "python3 has no pip (Debian package python3-pip)")
  else()
    set(cause "pip could not fetch pyarrow")
  endif()
  set(${out} "${cause} (${log})" PARENT_SCOPE)
endfunction()

# Fetches the wheel into `folder` and unpacks what a C++ program needs. The tags are given, so that
# any Python fetches the wheel whose hash is pinned.
function(tare_arrow_fetch folder out_error)
  find_program(TARE_PYTHON NAMES python3 python)
  if(NOT TARE_PYTHON)
    set(${out_error} "fetching Arrow needs python3 with pip" PARENT_SCOPE)
    return()
  endif()
  set(draft "${folder}.draft")
  file(REMOVE_RECURSE "${draft}")
  file(MAKE_DIRECTORY "${draft}")
  message(NOTICE "tare: fetching Arrow as a pyarrow wheel (48 MB)")
  execute_process(
    COMMAND "${TARE_PYTHON}" -m pip download --no-deps --only-binary=:all: --require-hashes
      --disable-pip-version-check --implementation cp --python-version 3.11 --abi cp311
      --platform "manylinux_2_28_${CMAKE_SYSTEM_PROCESSOR}"
      -r "${PROJECT_SOURCE_DIR}/third_party/pyarrow.txt" -d "${draft}"
    RESULT_VARIABLE failed OUTPUT_FILE "${folder}.log" ERROR_FILE "${folder}.log")
  file(GLOB wheel "${draft}/*.whl")
  if(failed OR NOT wheel)
    tare_arrow_cause("${folder}.log" cause)
    file(REMOVE_RECURSE "${draft}")
    set(${out_error} "${cause}" PARENT_SCOPE)
    return()
  endif()
  file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${draft}" PATTERNS
    "pyarrow/include/arrow/*" "pyarrow/include/parquet/*" "pyarrow/libarrow.so.*" "pyarrow/libparquet.so.*"
    "*.dist-info/licenses/*")
  file(REMOVE "${wheel}" "${folder}.log")
  # The rename is what makes it whole: a folder of this name was unpacked to the end.
  file(RENAME "${draft}" "${folder}" RESULT renamed)
  if(NOT renamed EQUAL 0)
    set(${out_error} "${folder} cannot be written: ${renamed}" PARENT_SCOPE)
  endif()
endfunction()

# The folder with include/ and the libraries, fetched if need be.
function(tare_arrow_folder out out_error)
  if(TARE_ARROW_DIR)
    set(${out} "${TARE_ARROW_DIR}" PARENT_SCOPE)
    return()
  endif()
  file(STRINGS "${PROJECT_SOURCE_DIR}/third_party/pyarrow.txt" line REGEX "^pyarrow==")
  string(REGEX MATCH "[0-9.]+" version "${line}")
  tare_find_cache_dir(cache)
  set(folder "${cache}/pyarrow-${version}-${CMAKE_SYSTEM_PROCESSOR}")
  set(${out} "${folder}/pyarrow" PARENT_SCOPE)
  if(EXISTS "${folder}")
    return()
  endif()
  execute_process(COMMAND "${CMAKE_COMMAND}" -E make_directory "${cache}" RESULT_VARIABLE failed ERROR_QUIET)
  if(failed)
    set(${out_error} "${cache} cannot be made; name another folder in TARE_CACHE_DIR" PARENT_SCOPE)
    return()
  endif()
  file(LOCK "${folder}.lock" GUARD FUNCTION TIMEOUT 600)
  if(NOT EXISTS "${folder}")
    tare_arrow_fetch("${folder}" error)
    set(${out_error} "${error}" PARENT_SCOPE)
  endif()
endfunction()

function(tare_use_arrow)
  if(TARGET arrow::parquet OR TARE_PARQUET STREQUAL "OFF")
    return()
  endif()
  tare_arrow_folder(folder error)
  if(error)
    tare_no_arrow("${error}")
  endif()
  file(GLOB arrow "${folder}/libarrow.so.*")
  file(GLOB parquet "${folder}/libparquet.so.*")
  if(NOT arrow OR NOT parquet OR NOT EXISTS "${folder}/include/parquet/arrow/reader.h")
    tare_no_arrow("${folder} lacks include/parquet, libarrow.so.* or libparquet.so.*; remove it")
  endif()
  foreach(name arrow parquet)
    add_library(arrow::${name} SHARED IMPORTED GLOBAL)
    list(GET ${name} 0 library)
    set_target_properties(arrow::${name} PROPERTIES IMPORTED_LOCATION "${library}"
      INTERFACE_INCLUDE_DIRECTORIES "${folder}/include" INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${folder}/include")
    tare_install_library("${library}")
  endforeach()
  target_link_libraries(arrow::parquet INTERFACE arrow::arrow)
  file(GLOB licences "${folder}/../*.dist-info/licenses")
  set_property(GLOBAL PROPERTY TARE_ARROW_LICENCES "${licences}")
  set_property(GLOBAL PROPERTY TARE_ARROW_LIBRARY_DIR "${folder}")
  # libparquet exports the OpenSSL that is built into it. Whatever else uses OpenSSL must not end up
  # there, half or whole: the system's libcrypto comes first in the program's list of libraries.
  # libparquet itself calls OpenSSL for encrypted files only, which nobody here can read.
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(arrow::parquet INTERFACE
      "LINKER:--push-state,--no-as-needed,${OPENSSL_CRYPTO_LIBRARY},--pop-state")
  endif()
endfunction()
