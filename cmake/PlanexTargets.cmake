# How a target of planex is declared: one library per folder, its tests beside it.
include_guard(GLOBAL)

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
  add_test(NAME ${folder} COMMAND planex_${folder}_test)
endfunction()
