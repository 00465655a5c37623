# Tool chain for programs and libraries that run on other people's Linux: Zig's Clang and libc++,
# which links against any version of glibc, or statically with musl.
#
#   tools/portable.sh zig                    installs it, and the libraries that planex needs
#   cmake -DCMAKE_TOOLCHAIN_FILE=cmake/zig.cmake -DPLANEX_BUILD_OPENVINO=OFF ...
#
# PLANEX_ZIG_SYSTEM is what is built for: linux-gnu.2.17 (default) or linux-musl.
# Why: docs/design/0034-portable-builds.md.
include_guard(GLOBAL)

set(PLANEX_ZIG_SYSTEM "linux-gnu.2.17" CACHE STRING "System and C library that Zig builds for")
# CMake reads this file again, without the cache, for each compiler check.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PLANEX_ZIG_SYSTEM)

cmake_host_system_information(RESULT planex_processor QUERY OS_PLATFORM)
set(planex_portable "${CMAKE_CURRENT_LIST_DIR}/../build/portable")
get_filename_component(planex_portable "${planex_portable}" ABSOLUTE)
set(planex_prefix "${planex_portable}/${PLANEX_ZIG_SYSTEM}/prefix")

# Named as what it is: CMake then looks for the libraries of planex_prefix, not of this machine.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR "${planex_processor}")
set(CMAKE_C_COMPILER "${planex_portable}/zig/bin/zig-clang")
set(CMAKE_CXX_COMPILER "${planex_portable}/zig/bin/zig-clang++")
set(CMAKE_C_COMPILER_TARGET "${planex_processor}-${PLANEX_ZIG_SYSTEM}")
set(CMAKE_CXX_COMPILER_TARGET "${planex_processor}-${PLANEX_ZIG_SYSTEM}")
set(CMAKE_ASM_COMPILER_TARGET "${planex_processor}-${PLANEX_ZIG_SYSTEM}")

# For shared libraries, which are what this is mostly for.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

set(CMAKE_FIND_ROOT_PATH "${planex_prefix}")
set(CMAKE_PREFIX_PATH "${planex_prefix}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} "${planex_prefix}/lib/pkgconfig:${planex_prefix}/share/pkgconfig")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "")
set(ENV{PKG_CONFIG_PATH} "")
