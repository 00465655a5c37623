# find_package(planex_recorder): the target planex::recorder.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
include("${CMAKE_CURRENT_LIST_DIR}/planex_recorderTargets.cmake")
