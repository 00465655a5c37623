# WebAssembly with the system interface WASI, single-threaded: what the page's core is compiled with.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(WASI TRUE)

set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_ASM_COMPILER clang-19)
# Archives have no index of WebAssembly; the linker needs none.
set(CMAKE_C_ARCHIVE_FINISH "")
set(CMAKE_CXX_ARCHIVE_FINISH "")
foreach(language IN ITEMS C CXX ASM)
  set(CMAKE_${language}_COMPILER_TARGET wasm32-wasi)
endforeach()

set(wasi_folder "${CMAKE_CURRENT_LIST_DIR}")

# Libraries of this machine are not WebAssembly.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(PLANEX_WASI_PREFIX "${wasi_folder}/../../build/portable/wasi/prefix")
set(CMAKE_EXECUTABLE_SUFFIX .wasm)

# Small before fast: a page carries it. Exceptions are compiled and never thrown: what would throw
# ends the module (cmake/wasi/runtime.cc), and its host starts another.
set(wasi_flags "-D_WASI_EMULATED_MMAN -D_WASI_EMULATED_SIGNAL -D_WASI_EMULATED_GETPID")
string(APPEND wasi_flags " -D_WASI_EMULATED_PROCESS_CLOCKS -ffunction-sections -fdata-sections")
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
# Forced, or a folder that was built in keeps the flags that it began with.
set(CMAKE_C_FLAGS_RELEASE "-Oz -DNDEBUG ${wasi_flags}" CACHE STRING "" FORCE)
# std::function keeps the name of each of thousands of types where there is RTTI: 0.6 MB.
set(
  CMAKE_CXX_FLAGS_RELEASE
  "-Oz -DNDEBUG ${wasi_flags} -fexceptions -fno-rtti -stdlib=libc++ -include ${wasi_folder}/single_thread.h"
  CACHE STRING
  ""
  FORCE
)
