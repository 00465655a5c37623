# Language, warnings, sanitizers and ccache, as interface targets that every target links privately.
include_guard(GLOBAL)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# One set of objects serves the program, the shared library and the Python module.
if(PLANEX_BUILD_SHARED)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  set(CMAKE_C_VISIBILITY_PRESET hidden)
  set(CMAKE_CXX_VISIBILITY_PRESET hidden)
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # What ccache asks for before it caches what a precompiled header went into.
  set(
    CMAKE_CXX_COMPILER_LAUNCHER
    "${CMAKE_COMMAND}"
    -E
    env
    CCACHE_SLOPPINESS=pch_defines,time_macros
    "${CCACHE_PROGRAM}"
  )
endif()

add_library(planex_settings INTERFACE)
target_compile_features(planex_settings INTERFACE cxx_std_23)
target_include_directories(
  planex_settings
  INTERFACE "${CMAKE_SOURCE_DIR}/src" "${CMAKE_SOURCE_DIR}/include" "${CMAKE_BINARY_DIR}/include"
)
# Assertions name files; keep the builder's own path out of the program.
target_compile_options(
  planex_settings
  INTERFACE "-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=" -fno-omit-frame-pointer
)
# By default simdjson's classes have other members in sources that are not optimized; sources of one
# program must agree.
if(PLANEX_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(planex_settings INTERFACE SIMDJSON_DEVELOPMENT_CHECKS=1)
else()
  target_compile_definitions(planex_settings INTERFACE SIMDJSON_DEVELOPMENT_CHECKS=0)
endif()
if(PLANEX_SANITIZE)
  target_compile_options(
    planex_settings
    INTERFACE "-fsanitize=${PLANEX_SANITIZE}" -fno-sanitize-recover=all
  )
  target_link_options(planex_settings INTERFACE "-fsanitize=${PLANEX_SANITIZE}")
endif()
# Tests are targets with the property PLANEX_IS_TEST.
define_property(TARGET PROPERTY PLANEX_IS_TEST)
if(PLANEX_SANITIZE_LIBRARIES)
  set(is_library "$<NOT:$<BOOL:$<TARGET_PROPERTY:PLANEX_IS_TEST>>>")
  # Of these what is asked at every access is left out: a null pointer ends the program anyway.
  foreach(
    option
    IN
    ITEMS "-fsanitize=${PLANEX_SANITIZE_LIBRARIES}" "-fno-sanitize=null,object-size,vptr,alignment"
  )
    target_compile_options(planex_settings INTERFACE "$<${is_library}:${option}>")
  endforeach()
  target_link_options(planex_settings INTERFACE "-fsanitize=${PLANEX_SANITIZE_LIBRARIES}")
endif()
if(PLANEX_COVERAGE)
  target_compile_options(planex_settings INTERFACE --coverage)
  target_link_options(planex_settings INTERFACE --coverage)
endif()

add_library(planex_warnings INTERFACE)
target_compile_options(
  planex_warnings
  INTERFACE
    -Wall
    -Wextra
    -Wpedantic
    -Wconversion
    -Wsign-conversion
    $<$<CXX_COMPILER_ID:GNU>:-Wshadow> # Clang's sees names of the other files of a unit
    -Wnon-virtual-dtor
    -Wold-style-cast
    -Wno-missing-field-initializers # designated initialisers name what they set
)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms on "literal" + std::string with optimization (GCC bug 105651).
  target_compile_options(planex_warnings INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # A source that is compiled with others looks like a header, whose classes must not have members
  # of an unnamed namespace.
  target_compile_options(planex_warnings INTERFACE -Wno-subobject-linkage)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # std::stable_sort of libstdc++ 12 uses std::get_temporary_buffer, which Clang reports at the call.
  target_compile_options(planex_warnings INTERFACE -Wno-deprecated-declarations)
endif()
if(PLANEX_WARNINGS_AS_ERRORS)
  target_compile_options(planex_warnings INTERFACE -Werror)
endif()
