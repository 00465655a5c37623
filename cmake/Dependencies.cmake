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

# planex_archive(<name> TARGET <target> LIBRARY <name of lib….a> [NEEDS <what the archive needs>...])
#
# The target planex_<name> links the library's archive, where there is one and it is wanted, else
# <target>. A program starts the sooner the fewer libraries it looks for and binds
# (docs/design/0017-libraries-that-start-fast.md).
function(planex_archive name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TARGET;LIBRARY" "NEEDS")
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
  target_link_libraries(planex_${name} INTERFACE "${PLANEX_ARCHIVE_${name}}" ${arg_NEEDS})
  get_target_property(folders ${arg_TARGET} INTERFACE_INCLUDE_DIRECTORIES)
  if(folders)
    target_include_directories(planex_${name} SYSTEM INTERFACE ${folders})
  endif()
endfunction()

planex_archive(pugixml TARGET pugixml::pugixml LIBRARY pugixml)
planex_archive(re2 TARGET PkgConfig::re2 LIBRARY re2 NEEDS Threads::Threads)
planex_archive(sodium TARGET PkgConfig::sodium LIBRARY sodium NEEDS Threads::Threads)
planex_archive(utf8proc TARGET PkgConfig::utf8proc LIBRARY utf8proc)
planex_archive(
  sqlite3
  TARGET SQLite::SQLite3
  LIBRARY sqlite3
  NEEDS ZLIB::ZLIB Threads::Threads m ${CMAKE_DL_LIBS}
)

# Loaded when the first archive is opened: PLANEX_LIBZIP is the name to load it by.
find_library(PLANEX_LIBZIP_FILE zip REQUIRED HINTS ${libzip_LIBRARY_DIRS})
file(REAL_PATH "${PLANEX_LIBZIP_FILE}" libzip_file)
string(REGEX MATCH "libzip\\.so\\.[0-9]+" libzip_soname "${libzip_file}")
if(NOT libzip_soname)
  message(FATAL_ERROR "${libzip_file} is not a shared library of libzip with a version")
endif()
add_library(planex_libzip INTERFACE)
target_include_directories(planex_libzip SYSTEM INTERFACE ${libzip_INCLUDE_DIRS})
target_compile_definitions(planex_libzip INTERFACE "PLANEX_LIBZIP=\"${libzip_soname}\"")

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
