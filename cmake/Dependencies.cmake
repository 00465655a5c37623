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
