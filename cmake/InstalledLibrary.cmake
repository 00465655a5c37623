# `cmake --install BUILD --component development`: the library with its headers, for find_package
# and pkg-config.
include_guard(GLOBAL)
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

target_include_directories(
  planex_shared
  INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
)
install(
  TARGETS planex_shared
  EXPORT planexTargets
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
)
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/include/planex" "${PROJECT_BINARY_DIR}/include/planex"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT development
  FILES_MATCHING
  PATTERN "*.h"
)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/planex")
install(EXPORT planexTargets NAMESPACE planex:: DESTINATION "${package}" COMPONENT development)
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/planexConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/planexConfig.cmake"
  INSTALL_DESTINATION "${package}"
)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/planexConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion
)
install(
  FILES "${PROJECT_BINARY_DIR}/planexConfig.cmake" "${PROJECT_BINARY_DIR}/planexConfigVersion.cmake"
  DESTINATION "${package}"
  COMPONENT development
)

# Relative to the file, so that the tree can be moved.
file(RELATIVE_PATH PLANEX_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file("${CMAKE_CURRENT_LIST_DIR}/planex.pc.in" "${PROJECT_BINARY_DIR}/planex.pc" @ONLY)
install(
  FILES "${PROJECT_BINARY_DIR}/planex.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development
)
