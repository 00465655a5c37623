# The one place that names third-party packages. Debian's packages provide all of them but OpenVINO,
# which comes from its wheel.
include_guard(GLOBAL)

find_package(PkgConfig REQUIRED)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(pugixml REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET libsodium)
pkg_check_modules(xlsxwriter REQUIRED IMPORTED_TARGET xlsxwriter)
pkg_check_modules(librsvg REQUIRED IMPORTED_TARGET librsvg-2.0>=2.52 cairo)

# planex_archive(<name> TARGET <target> LIBRARY <name of lib….a> [PROGRAMS_ONLY]
#                [NEEDS <what the archive needs>...])
#
# The target planex_<name> links the library's archive, where there is one and it is wanted, else
# <target>. A program starts the sooner the fewer libraries it looks for and binds
# (docs/design/0017-libraries-that-start-fast.md). PROGRAMS_ONLY: the archive can't be part of a
# shared library, which then links <target>.
function(planex_archive name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PROGRAMS_ONLY" "TARGET;LIBRARY" "NEEDS")
  add_library(planex_${name} INTERFACE)
  if(PLANEX_STATIC_LIBRARIES)
    find_library(
      PLANEX_ARCHIVE_${name}
      NAMES "${CMAKE_STATIC_LIBRARY_PREFIX}${arg_LIBRARY}${CMAKE_STATIC_LIBRARY_SUFFIX}"
      DOC "Archive of ${arg_LIBRARY}"
    )
    mark_as_advanced(PLANEX_ARCHIVE_${name})
  endif()
  if(NOT PLANEX_STATIC_LIBRARIES OR NOT PLANEX_ARCHIVE_${name})
    target_link_libraries(planex_${name} INTERFACE ${arg_TARGET})
    return()
  endif()
  set(archive "${PLANEX_ARCHIVE_${name}}")
  if(arg_PROGRAMS_ONLY)
    set(is_program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
    set(archive "$<IF:${is_program},${archive},${arg_TARGET}>")
  endif()
  target_link_libraries(planex_${name} INTERFACE "${archive}" ${arg_NEEDS})
  get_target_property(folders ${arg_TARGET} INTERFACE_INCLUDE_DIRECTORIES)
  if(folders)
    target_include_directories(planex_${name} SYSTEM INTERFACE ${folders})
  endif()
endfunction()

planex_archive(pugixml TARGET pugixml::pugixml LIBRARY pugixml)
# Debian's has variables of a thread in a way that only programs can.
planex_archive(re2 TARGET PkgConfig::re2 LIBRARY re2 PROGRAMS_ONLY NEEDS Threads::Threads)
planex_archive(sodium TARGET PkgConfig::sodium LIBRARY sodium NEEDS Threads::Threads)
planex_archive(utf8proc TARGET PkgConfig::utf8proc LIBRARY utf8proc)
planex_archive(
  sqlite3
  TARGET SQLite::SQLite3
  LIBRARY sqlite3
  NEEDS ZLIB::ZLIB Threads::Threads m ${CMAKE_DL_LIBS}
)

# planex_loaded(<name> LIBRARY <name of lib….so> HINTS <folders> INCLUDES <folders>)
#
# The target planex_<name> has the headers of a library that the program loads when it needs it, and
# defines PLANEX_LIB<NAME>, the name to load it by.
function(planex_loaded name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LIBRARY" "HINTS;INCLUDES")
  string(TOUPPER "PLANEX_LIB${name}" variable)
  find_library(${variable}_FILE ${arg_LIBRARY} REQUIRED HINTS ${arg_HINTS})
  file(REAL_PATH "${${variable}_FILE}" file)
  string(REGEX MATCH "lib${arg_LIBRARY}\\.so\\.[0-9]+" soname "${file}")
  if(NOT soname)
    message(FATAL_ERROR "${file} is not a shared library of ${name} with a version")
  endif()
  add_library(planex_lib${name} INTERFACE)
  target_include_directories(planex_lib${name} SYSTEM INTERFACE ${arg_INCLUDES})
  target_compile_definitions(planex_lib${name} INTERFACE "${variable}=\"${soname}\"")
endfunction()

# When the first archive is opened.
planex_loaded(zip LIBRARY zip HINTS ${libzip_LIBRARY_DIRS} INCLUDES ${libzip_INCLUDE_DIRS})
# When a drawing becomes a PNG or PDF; it brings Cairo.
planex_loaded(rsvg LIBRARY rsvg-2 HINTS ${librsvg_LIBRARY_DIRS} INCLUDES ${librsvg_INCLUDE_DIRS})

# When a workbook is written.
planex_loaded(
  xlsxwriter
  LIBRARY xlsxwriter
  HINTS ${xlsxwriter_LIBRARY_DIRS}
  INCLUDES ${xlsxwriter_INCLUDE_DIRS}
)

# protozero is headers only.
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_writer.hpp REQUIRED)
add_library(planex_protozero INTERFACE)
target_include_directories(planex_protozero SYSTEM INTERFACE "${PROTOZERO_INCLUDE_DIR}")
target_compile_definitions(planex_protozero INTERFACE PROTOZERO_USE_VIEW=std::string_view)

# RapidJSON is headers only; its own CMake file names a variable, not a target.
find_path(RAPIDJSON_INCLUDE_DIR rapidjson/writer.h REQUIRED)
add_library(planex_rapidjson INTERFACE)
target_include_directories(planex_rapidjson SYSTEM INTERFACE "${RAPIDJSON_INCLUDE_DIR}")
if(PLANEX_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(
    planex_rapidjson
    INTERFACE "-fsanitize-ignorelist=${CMAKE_SOURCE_DIR}/cmake/sanitizer-ignorelist.txt"
  )
endif()

if(PLANEX_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(PLANEX_BUILD_BENCH)
  find_package(benchmark REQUIRED)
endif()

if(PLANEX_BUILD_OPENVINO)
  if(NOT OpenVINO_DIR AND DEFINED ENV{OpenVINO_DIR})
    set(OpenVINO_DIR "$ENV{OpenVINO_DIR}" CACHE PATH "CMake folder of the OpenVINO wheel")
  elseif(NOT OpenVINO_DIR)
    file(GLOB wheel_dirs "${CMAKE_SOURCE_DIR}/.venv/lib/python3*/site-packages/openvino/cmake")
    if(wheel_dirs)
      list(GET wheel_dirs 0 wheel_dir)
      set(OpenVINO_DIR "${wheel_dir}" CACHE PATH "CMake folder of the OpenVINO wheel")
    endif()
  endif()
  find_package(OpenVINO 2026.4 QUIET COMPONENTS Runtime)
  if(NOT OpenVINO_FOUND)
    message(
      FATAL_ERROR
      "OpenVINO's wheel was not found. `make setup` installs it into .venv; or name its CMake folder "
      "with -DOpenVINO_DIR=…/openvino/cmake; or build without the embedded engine: "
      "-DPLANEX_BUILD_OPENVINO=OFF"
    )
  endif()
endif()
