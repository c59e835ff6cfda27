# Headers of libraries that most files include, compiled once for all targets. They only save time: each file includes what it
# uses, as a build without them shows.

set(PRECOMPILED <algorithm> <array> <atomic> <cassert> <cerrno> <charconv> <chrono> <cmath> <cstdint> <cstring> <deque>
    <filesystem> <fstream> <functional> <limits> <map> <memory> <mutex> <numeric> <optional> <random> <set> <span> <sstream>
    <stdexcept> <string> <string_view> <thread> <utility> <variant> <vector> <fmt/format.h> <nlohmann/json.hpp>)
set(PRECOMPILED_FOR_TESTS <gtest/gtest.h> <gmock/gmock.h>)

# Every target in C++ of a folder and the folders below it uses the headers that OWNER has precompiled.
function(tributary_reuse_precompiled_headers folder owner)
  get_directory_property(targets DIRECTORY ${folder} BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    get_target_property(sources ${target} SOURCES)
    if(target IN_LIST TRIBUTARY_COMPUTES)
      target_precompile_headers(${target} REUSE_FROM precompiled_headers_optimised)
    elseif(type MATCHES "EXECUTABLE|STATIC_LIBRARY" AND sources MATCHES "[.]cc")
      target_precompile_headers(${target} REUSE_FROM ${owner})
    endif()
  endforeach()
  get_directory_property(folders DIRECTORY ${folder} SUBDIRECTORIES)
  foreach(subfolder ${folders})
    tributary_reuse_precompiled_headers(${subfolder} ${owner})
  endforeach()
endfunction()

function(tributary_precompile_headers name)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/${name}.cc CONTENT "// Compiled for its headers.\n")
  add_library(${name} STATIC ${CMAKE_BINARY_DIR}/precompiled/${name}.cc)
  target_link_libraries(${name} PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

tributary_precompile_headers(precompiled_headers ${PRECOMPILED})
tributary_precompile_headers(precompiled_headers_optimised ${PRECOMPILED})
target_compile_options(precompiled_headers_optimised PRIVATE -O1)
foreach(folder client server-tools)
  tributary_reuse_precompiled_headers(${PROJECT_SOURCE_DIR}/${folder} precompiled_headers)
endforeach()
if(TRIBUTARY_SEGMENTER)
  tributary_reuse_precompiled_headers(${PROJECT_SOURCE_DIR}/segmenter precompiled_headers)
endif()
if(TRIBUTARY_TESTS)
  tributary_precompile_headers(precompiled_headers_of_tests ${PRECOMPILED} ${PRECOMPILED_FOR_TESTS})
  target_link_libraries(precompiled_headers_of_tests PRIVATE GTest::gtest GTest::gmock)
  tributary_reuse_precompiled_headers(${PROJECT_SOURCE_DIR}/tests precompiled_headers_of_tests)
endif()
