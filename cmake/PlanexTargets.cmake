# How a target of planex is declared: one library per folder, its tests beside it.
include_guard(GLOBAL)

# Sanitizers make optimized code slow to compile, and the time of a test is spent in what it calls.
set(planex_test_options)
if(PLANEX_SANITIZE)
  set(planex_test_options -O0)
endif()

# What nearly every source includes, parsed once. Only for builds whose sources another build
# compiles without it: a source that forgets an include compiles here.
if(PLANEX_PRECOMPILE_HEADERS)
  set(
    planex_library_headers
    <algorithm>
    <array>
    <charconv>
    <cmath>
    <expected>
    <functional>
    <map>
    <memory>
    <optional>
    <ranges>
    <set>
    <span>
    <string>
    <string_view>
    <unordered_map>
    <utility>
    <variant>
    <vector>
  )
  add_library(planex_precompiled STATIC "${CMAKE_SOURCE_DIR}/cmake/precompiled.cc")
  target_link_libraries(planex_precompiled PRIVATE planex_settings planex_warnings fmt::fmt)
  target_precompile_headers(
    planex_precompiled
    PRIVATE ${planex_library_headers} <fmt/format.h>
  )
  if(PLANEX_BUILD_TESTS)
    add_library(planex_precompiled_tests STATIC "${CMAKE_SOURCE_DIR}/cmake/precompiled.cc")
    target_compile_options(planex_precompiled_tests PRIVATE ${planex_test_options})
    target_link_libraries(
      planex_precompiled_tests
      PRIVATE planex_settings planex_warnings fmt::fmt GTest::gtest GTest::gmock
    )
    target_precompile_headers(
      planex_precompiled_tests
      PRIVATE ${planex_library_headers} <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h>
    )
  endif()
endif()
function(planex_precompiled target from)
  if(PLANEX_PRECOMPILE_HEADERS)
    target_precompile_headers(${target} REUSE_FROM ${from})
  endif()
endfunction()

# planex_library(<folder> SOURCES ... [DEPENDS ...] [THIRD_PARTY ...])
# DEPENDS are other folders, visible to users of this one; THIRD_PARTY are linked privately.
function(planex_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;THIRD_PARTY")
  add_library(planex_${folder} STATIC ${arg_SOURCES})
  add_library(planex::${folder} ALIAS planex_${folder})
  target_link_libraries(planex_${folder} PUBLIC planex_settings PRIVATE planex_warnings)
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(planex_${folder} PUBLIC planex::${dependency})
  endforeach()
  target_link_libraries(planex_${folder} PRIVATE ${arg_THIRD_PARTY})
  planex_precompiled(planex_${folder} planex_precompiled)
endfunction()

# planex_test(<folder> SOURCES ... [DEPENDS ...] [THIRD_PARTY ...]): one test program per folder.
function(planex_test folder)
  if(NOT PLANEX_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS;THIRD_PARTY")
  add_executable(planex_${folder}_test ${arg_SOURCES})
  target_link_libraries(
    planex_${folder}_test
    PRIVATE planex_settings planex_warnings GTest::gtest GTest::gmock GTest::gtest_main
  )
  foreach(dependency IN LISTS arg_DEPENDS)
    target_link_libraries(planex_${folder}_test PRIVATE planex::${dependency})
  endforeach()
  target_link_libraries(planex_${folder}_test PRIVATE ${arg_THIRD_PARTY})
  target_compile_definitions(
    planex_${folder}_test
    PRIVATE "PLANEX_DEFAULT_TEST_DATA=\"${PLANEX_TEST_DATA}\""
  )
  target_compile_options(planex_${folder}_test PRIVATE ${planex_test_options})
  planex_precompiled(planex_${folder}_test planex_precompiled_tests)
  add_test(NAME ${folder} COMMAND planex_${folder}_test)
endfunction()
