# How a target of planex is declared: one library per folder, its tests beside it.
include_guard(GLOBAL)

# Sanitizers make optimized code slow to compile: only those libraries that tests and fuzzers spend
# their time in are optimized there, and little of them is inlined (eight sources take 26 s in place of
# 54). Tests are a third of what is compiled, and not what is looked at.
set(planex_cold_options)
set(planex_hot_options)
set(planex_test_options)
if(PLANEX_SANITIZE)
  set(planex_cold_options -O0)
  set(planex_hot_options "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -inline-threshold=5>")
  set(planex_test_options -O0 -g0)
endif()
set(
  planex_hot_folders
  analyze
  arrays
  base
  graph
  graph_layout
  ingest
  model
  onnx
)

# planex_compile_quickly(<target>): for what waits for engines, processes and files, and computes
# little itself: -O1 compiles a third faster than -O3, and nobody sees the difference
# (docs/design/0055).
function(planex_compile_quickly target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT WASI)
    target_compile_options(${target} PRIVATE -O1)
    # Of members that it sees set at -O3.
    target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>")
  endif()
endfunction()
set(
  planex_waiting_folders
  c_api
  clean
  drive
  jobs
  lint
  serve
  session
  tune
)

# A page waits for what reads engines, and loads all of the core: the rest of it is as small as can be
# (cmake/wasi/toolchain.cmake).
set(planex_fast_in_page base ingest model)

# planex_compile_by_folder(<target>): the sources of a folder are one unit (CMAKE_UNITY_BUILD in
# CMakePresets.json), and those of small folders one together: headers are parsed and templates
# compiled once, a quarter to a third of the time of a build. tools/check_unity.py has the same rule.
function(planex_compile_by_folder target)
  get_target_property(sources ${target} SOURCES)
  set(folders)
  foreach(source IN LISTS sources)
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "in_${folder}" group)
    list(APPEND folders ${group})
    list(APPEND of_${group} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(group IN LISTS folders)
    list(LENGTH of_${group} count)
    set(unit ${group})
    if(count LESS 5)
      set(unit small)
    endif()
    set_source_files_properties(${of_${group}} PROPERTIES UNITY_GROUP ${unit})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# What tests include, parsed once: their units are few, but each would take some three seconds more.
if(PLANEX_BUILD_TESTS)
  add_library(planex_precompiled_tests STATIC "${CMAKE_SOURCE_DIR}/cmake/precompiled.cc")
  target_compile_options(planex_precompiled_tests PRIVATE ${planex_test_options})
  set_target_properties(planex_precompiled_tests PROPERTIES PLANEX_IS_TEST TRUE)
  target_link_libraries(
    planex_precompiled_tests
    PRIVATE planex_settings planex_warnings fmt::fmt GTest::gtest GTest::gmock
  )
  target_precompile_headers(
    planex_precompiled_tests
    PRIVATE
      <algorithm>
      <array>
      <charconv>
      <cmath>
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
      <fmt/format.h>
      <gmock/gmock.h>
      <gtest/gtest.h>
  )
endif()

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
  if(folder IN_LIST planex_hot_folders)
    target_compile_options(planex_${folder} PRIVATE ${planex_hot_options})
  else()
    target_compile_options(planex_${folder} PRIVATE ${planex_cold_options})
  endif()
  if(folder IN_LIST planex_waiting_folders)
    planex_compile_quickly(planex_${folder})
  endif()
  if(WASI AND folder IN_LIST planex_fast_in_page)
    target_compile_options(planex_${folder} PRIVATE -O2)
  endif()
  planex_compile_by_folder(planex_${folder})
endfunction()

# planex_loader(<name> <source>): the target planex_<name>, in which <source> gives the functions of
# the third-party library <name>. It is compiled with PLANEX_LIB<NAME> defined, the library to load,
# or without it, where the library is linked in.
function(planex_loader name source)
  add_library(planex_${name} INTERFACE)
  foreach(kind IN ITEMS loaded linked)
    if(NOT TARGET planex_${name}_${kind})
      continue()
    endif()
    set(loader planex_${name}_loader_${kind})
    add_library(${loader} STATIC ${source})
    target_link_libraries(
      ${loader}
      PUBLIC planex_settings planex::base planex_${name}_${kind}
      PRIVATE planex_warnings
    )
    set(condition 1)
    if(TARGET planex_${name}_linked)
      get_target_property(property planex_${name}_linked PLANEX_WANTED_BY)
      set(condition "$<BOOL:$<TARGET_PROPERTY:${property}>>")
    endif()
    if(kind STREQUAL "loaded" AND NOT condition EQUAL 1)
      set(condition "$<NOT:${condition}>")
    endif()
    target_link_libraries(planex_${name} INTERFACE "$<${condition}:${loader}>")
  endforeach()
endfunction()

# planex_for_old_systems(<target>): with PLANEX_OLD_GLIBC it needs an old C library and no other of
# this machine's; what C++ and third-party libraries have is in it, and seen by nobody else.
function(planex_for_old_systems target)
  target_link_options(${target} PRIVATE "-Wl,--exclude-libs,ALL")
  if(NOT PLANEX_OLD_GLIBC)
    return()
  endif()
  set_target_properties(
    ${target}
    PROPERTIES PLANEX_LINK_ALL TRUE LINK_DEPENDS "${PLANEX_OLD_GLIBC}/.made"
  )
  # As an option: a program would look in a folder of link_directories() for its C library. What
  # libraries of this system ask of one another is their own affair.
  target_link_options(
    ${target}
    PRIVATE "-L${PLANEX_OLD_GLIBC}" -static-libstdc++ "-Wl,--allow-shlib-undefined"
  )
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
  set_target_properties(planex_${folder}_test PROPERTIES PLANEX_IS_TEST TRUE)
  planex_compile_by_folder(planex_${folder}_test)
  target_precompile_headers(planex_${folder}_test REUSE_FROM planex_precompiled_tests)
  add_test(NAME ${folder} COMMAND planex_${folder}_test)
endfunction()
