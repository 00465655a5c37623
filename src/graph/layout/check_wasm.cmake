# Checks that the sources compile to WebAssembly: with no library but the standard one, without
# exceptions, with 32 bits of std::size_t. CLANG, INCLUDES, SOURCES: see CMakeLists.txt.
set(
  flags
  --target=wasm32-wasi
  -std=c++23
  -fno-exceptions
  -Wall
  -Wextra
  -Werror
)
list(APPEND flags -Wno-missing-designated-field-initializers "-I${INCLUDES}")

# What takes long to read is read once.
set(header "${CMAKE_CURRENT_BINARY_DIR}/wasm_headers.h")
file(
  WRITE "${header}"
  "#include <algorithm>\n#include <cmath>\n#include <functional>\n#include <queue>\n"
)
set(failed "no compiler")
if(CLANG)
  execute_process(
    COMMAND "${CLANG}" ${flags} -x c++-header "${header}" -o "${header}.pch"
    RESULT_VARIABLE failed
    OUTPUT_QUIET
    ERROR_QUIET
  )
endif()
if(failed)
  message(STATUS "skipped: no compiler and standard library for wasm32-wasi here")
  return()
endif()

foreach(source IN LISTS SOURCES)
  execute_process(
    COMMAND "${CLANG}" ${flags} -include-pch "${header}.pch" -fsyntax-only "${source}"
    RESULT_VARIABLE failed
  )
  if(failed)
    message(FATAL_ERROR "${source} does not compile to WebAssembly")
  endif()
endforeach()
