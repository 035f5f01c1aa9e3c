# A room is a folder, a library and a namespace. tare_room(base) makes tare::base from the sources
# in the calling folder; DEPS are other rooms (tools/rooms.txt holds the edges that are allowed),
# LIBS are outside libraries (PRIVATE unless named after PUBLIC_LIBS).
function(tare_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPS;LIBS;PUBLIC_LIBS" ${ARGN})
  string(REPLACE "/" "_" target ${name})
  add_library(tare_${target} STATIC ${ROOM_SOURCES})
  add_library(tare::${target} ALIAS tare_${target})
  target_link_libraries(tare_${target} PUBLIC tare::options ${ROOM_PUBLIC_LIBS} PRIVATE ${ROOM_LIBS})
  foreach(dep IN LISTS ROOM_DEPS)
    target_link_libraries(tare_${target} PUBLIC tare::${dep})
  endforeach()
endfunction()

# One doctest executable per room. tare_test(base SOURCES a.cpp DEPS base) builds test_base and
# registers it with CTest under the label "unit".
function(tare_test name)
  cmake_parse_arguments(TEST "" "LABEL" "SOURCES;DEPS;LIBS" ${ARGN})
  if(NOT TARE_BUILD_TESTS)
    return()
  endif()
  if(NOT TEST_LABEL)
    set(TEST_LABEL unit)
  endif()
  add_executable(test_${name} ${TEST_SOURCES})
  target_link_libraries(test_${name} PRIVATE tare::test_support ${TEST_LIBS})
  foreach(dep IN LISTS TEST_DEPS)
    target_link_libraries(test_${name} PRIVATE tare::${dep})
  endforeach()
  add_test(NAME ${TEST_LABEL}.${name} COMMAND test_${name})
  set_tests_properties(${TEST_LABEL}.${name} PROPERTIES LABELS ${TEST_LABEL}
    ENVIRONMENT "TARE_SOURCE_DIR=${PROJECT_SOURCE_DIR};TARE_BINARY=$<$<TARGET_EXISTS:tare>:$<TARGET_FILE:tare>>")
endfunction()

# tare_fuzz(json SOURCES f.cpp DEPS base) builds fuzz_json; a no-op unless TARE_FUZZ is on.
function(tare_fuzz name)
  cmake_parse_arguments(FUZZ "" "" "SOURCES;DEPS" ${ARGN})
  if(NOT TARE_FUZZ)
    return()
  endif()
  add_executable(fuzz_${name} ${FUZZ_SOURCES})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  foreach(dep IN LISTS FUZZ_DEPS)
    target_link_libraries(fuzz_${name} PRIVATE tare::${dep})
  endforeach()
endfunction()
