# The one place that names third-party packages. Debian's packages provide all of them but OpenVINO,
# which comes from its wheel.
include_guard(GLOBAL)

if(WASI)
  include(wasi/Dependencies)
  return()
endif()

find_package(PkgConfig REQUIRED)
find_package(simdjson REQUIRED)
find_package(fmt REQUIRED)
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

# What a target links, its own and through others, depends on its property PLANEX_LINK_ALL: archives
# of all libraries, where it is true.
define_property(TARGET PROPERTY PLANEX_LINK_ALL)

# Whether there are targets with that property.
set(planex_links_all FALSE)
if(PLANEX_BUILD_STATIC OR PLANEX_OLD_GLIBC)
  set(planex_links_all TRUE)
endif()

# Archives that Debian has no package of, and one that can be part of a shared library where Debian's
# can't; tools/portable.sh makes them.
set(PLANEX_ARCHIVES "${CMAKE_SOURCE_DIR}/build/portable/system/prefix/lib")
set(PLANEX_SHARED_ARCHIVES "${CMAKE_SOURCE_DIR}/build/portable/shared/prefix/lib")

# planex_find_archive(<name> <name of lib….a>): sets PLANEX_ARCHIVE_<name>
function(planex_find_archive name library)
  find_library(
    PLANEX_ARCHIVE_${name}
    NAMES "${CMAKE_STATIC_LIBRARY_PREFIX}${library}${CMAKE_STATIC_LIBRARY_SUFFIX}"
    HINTS "${PLANEX_ARCHIVES}"
    DOC "Archive of ${library}"
  )
  mark_as_advanced(PLANEX_ARCHIVE_${name})
  if(NOT PLANEX_ARCHIVE_${name} AND planex_links_all)
    message(
      FATAL_ERROR
      "There is no archive of ${library} to link. Run `tools/portable.sh archives`."
    )
  endif()
endfunction()

# planex_archive(<name> TARGET <target> LIBRARY <name of lib….a> [NEEDS <what the archive needs>...]
#                [SHARED] [PROGRAMS_ONLY])
#
# The target planex_<name> links the library's archive, where there is one and it is wanted, else
# <target>. A program starts the sooner the fewer libraries it looks for and binds
# (docs/design/0017-libraries-that-start-fast.md). With SHARED the archive is only for programs with
# the property PLANEX_LINK_ALL. PROGRAMS_ONLY: the archive can't be part of a shared library, which
# links <target>, or with that property the archive of PLANEX_SHARED_ARCHIVES.
function(planex_archive name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SHARED;PROGRAMS_ONLY" "TARGET;LIBRARY" "NEEDS")
  add_library(planex_${name} INTERFACE)
  set(always FALSE)
  if(PLANEX_STATIC_LIBRARIES AND NOT arg_SHARED)
    set(always TRUE)
  endif()
  if(always OR planex_links_all)
    planex_find_archive(${name} ${arg_LIBRARY})
  endif()
  if(NOT PLANEX_ARCHIVE_${name})
    target_link_libraries(planex_${name} INTERFACE ${arg_TARGET})
    return()
  endif()
  get_target_property(folders ${arg_TARGET} INTERFACE_INCLUDE_DIRECTORIES)
  if(folders)
    target_include_directories(planex_${name} SYSTEM INTERFACE ${folders})
  endif()
  # Asked of the program that is linked, not of the library that uses this one.
  set(link_all "$<BOOL:$<TARGET_PROPERTY:PLANEX_LINK_ALL>>")
  set(archive "${PLANEX_ARCHIVE_${name}}")
  if(arg_PROGRAMS_ONLY)
    set(is_program "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>")
    set(shared "${archive}")
    if(PLANEX_OLD_GLIBC)
      set(shared "${PLANEX_SHARED_ARCHIVES}/lib${arg_LIBRARY}.a")
    endif()
    set(archive "$<IF:${is_program},${archive},$<IF:${link_all},${shared},${arg_TARGET}>>")
  endif()
  set(libraries "${archive}" ${arg_NEEDS})
  if(always)
    target_link_libraries(planex_${name} INTERFACE ${libraries})
    return()
  endif()
  target_link_libraries(planex_${name} INTERFACE "$<$<NOT:${link_all}>:${arg_TARGET}>")
  foreach(library IN LISTS libraries)
    target_link_libraries(planex_${name} INTERFACE "$<${link_all}:${library}>")
  endforeach()
endfunction()

planex_archive(pugixml TARGET pugixml::pugixml LIBRARY pugixml)
# Debian's has variables of a thread in a way that only programs can.
planex_archive(re2 TARGET PkgConfig::re2 LIBRARY re2 PROGRAMS_ONLY NEEDS Threads::Threads)
planex_archive(sodium TARGET PkgConfig::sodium LIBRARY sodium NEEDS Threads::Threads)
planex_archive(utf8proc TARGET PkgConfig::utf8proc LIBRARY utf8proc)
# Debian has no archives of {fmt} and simdjson; zlib is in every process that has libzip.
planex_archive(zlib TARGET ZLIB::ZLIB LIBRARY z SHARED)
planex_archive(fmt TARGET fmt::fmt LIBRARY fmt SHARED)
planex_archive(simdjson TARGET simdjson::simdjson LIBRARY simdjson NEEDS Threads::Threads SHARED)
planex_archive(
  sqlite3
  TARGET SQLite::SQLite3
  LIBRARY sqlite3
  NEEDS planex_zlib Threads::Threads m ${CMAKE_DL_LIBS}
)

# planex_loaded(<name> LIBRARY <name of lib….so> HINTS <folders> INCLUDES <folders>
#               [ARCHIVE <name of lib….a> NEEDS <what the archive needs>...])
#
# A library that the program loads when it needs it. The target planex_<name>_loaded has its headers
# and defines PLANEX_LIB<NAME>, the name to load it by. planex_<name>_linked has its headers and
# links the archive, for programs with the property PLANEX_LINK_ALL; for a library without ARCHIVE it
# is for those with the property PLANEX_STATIC, which do without.
function(planex_loaded name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LIBRARY;ARCHIVE" "HINTS;INCLUDES;NEEDS")
  string(TOUPPER "PLANEX_LIB${name}" variable)
  find_library(${variable}_FILE ${arg_LIBRARY} REQUIRED HINTS ${arg_HINTS})
  file(REAL_PATH "${${variable}_FILE}" file)
  string(REGEX MATCH "lib${arg_LIBRARY}\\.so\\.[0-9]+" soname "${file}")
  if(NOT soname)
    message(FATAL_ERROR "${file} is not a shared library of ${name} with a version")
  endif()
  add_library(planex_${name}_loaded INTERFACE)
  target_include_directories(planex_${name}_loaded SYSTEM INTERFACE ${arg_INCLUDES})
  target_compile_definitions(planex_${name}_loaded INTERFACE "${variable}=\"${soname}\"")
  if(NOT planex_links_all)
    return()
  endif()
  add_library(planex_${name}_linked INTERFACE)
  target_include_directories(planex_${name}_linked SYSTEM INTERFACE ${arg_INCLUDES})
  set_target_properties(planex_${name}_linked PROPERTIES PLANEX_WANTED_BY PLANEX_STATIC)
  if(arg_ARCHIVE)
    planex_find_archive(${name} ${arg_ARCHIVE})
    target_link_libraries(planex_${name}_linked INTERFACE "${PLANEX_ARCHIVE_${name}}" ${arg_NEEDS})
    set_target_properties(planex_${name}_linked PROPERTIES PLANEX_WANTED_BY PLANEX_LINK_ALL)
  endif()
endfunction()

# When the first archive is opened.
planex_loaded(
  zip
  LIBRARY zip
  HINTS ${libzip_LIBRARY_DIRS}
  INCLUDES ${libzip_INCLUDE_DIRS}
  ARCHIVE zip
  NEEDS planex_zlib
)
# When a drawing becomes a PNG or PDF; it brings Cairo.
planex_loaded(rsvg LIBRARY rsvg-2 HINTS ${librsvg_LIBRARY_DIRS} INCLUDES ${librsvg_INCLUDE_DIRS})
# When a workbook is written.
planex_loaded(
  xlsxwriter
  LIBRARY xlsxwriter
  HINTS ${xlsxwriter_LIBRARY_DIRS}
  INCLUDES ${xlsxwriter_INCLUDE_DIRS}
  ARCHIVE xlsxwriter
  NEEDS planex_zlib
)

# CLI11 is headers only.
find_path(CLI11_INCLUDE_DIR CLI/CLI.hpp REQUIRED)
add_library(planex_cli11 INTERFACE)
target_include_directories(planex_cli11 SYSTEM INTERFACE "${CLI11_INCLUDE_DIR}")

add_library(planex_boost INTERFACE)
target_link_libraries(planex_boost INTERFACE Boost::headers)

# Asio, in Boost.
add_library(planex_asio INTERFACE)
target_link_libraries(planex_asio INTERFACE Boost::headers Threads::Threads)

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
      "-DPLANEX_BUILD_OPENVINO=OFF\nOpenVINO_DIR is \"${OpenVINO_DIR}\"; looked at: "
      "\"${OpenVINO_CONSIDERED_CONFIGS}\"; ${OpenVINO_NOT_FOUND_MESSAGE}"
    )
  endif()

  # Pictures as samples.
  pkg_check_modules(jpeg REQUIRED IMPORTED_TARGET libjpeg)
  pkg_check_modules(png REQUIRED IMPORTED_TARGET libpng)
  pkg_check_modules(webp REQUIRED IMPORTED_TARGET libwebp)
  planex_archive(jpeg TARGET PkgConfig::jpeg LIBRARY jpeg)
  planex_archive(png TARGET PkgConfig::png LIBRARY png NEEDS planex_zlib m)
  planex_archive(webp TARGET PkgConfig::webp LIBRARY webp NEEDS Threads::Threads m)
endif()
