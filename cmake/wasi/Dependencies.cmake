# The same packages as WebAssembly: archives and headers that tools/portable.sh makes.
include_guard(GLOBAL)

add_library(Threads::Threads INTERFACE IMPORTED)

function(planex_wasi_archive name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LIBRARY" "NEEDS;DEFINES")
  add_library(planex_${name} INTERFACE)
  target_include_directories(planex_${name} SYSTEM INTERFACE "${PLANEX_WASI_PREFIX}/include")
  target_compile_definitions(planex_${name} INTERFACE ${arg_DEFINES})
  if(arg_LIBRARY)
    set(archive "${PLANEX_WASI_PREFIX}/lib/lib${arg_LIBRARY}.a")
    if(NOT EXISTS "${archive}")
      message(FATAL_ERROR "There is no ${archive}. Run `tools/portable.sh wasi`.")
    endif()
    target_link_libraries(planex_${name} INTERFACE "${archive}" ${arg_NEEDS})
  endif()
endfunction()

planex_wasi_archive(fmt LIBRARY fmt)
planex_wasi_archive(simdjson LIBRARY simdjson)
planex_wasi_archive(pugixml LIBRARY pugixml)
planex_wasi_archive(utf8proc LIBRARY utf8proc DEFINES UTF8PROC_STATIC)
planex_wasi_archive(re2 LIBRARY re2)
planex_wasi_archive(sodium LIBRARY sodium)
planex_wasi_archive(zlib LIBRARY z)
planex_wasi_archive(sqlite3 LIBRARY sqlite3)
planex_wasi_archive(zip_linked LIBRARY zip NEEDS planex_zlib)
set_target_properties(planex_zip_linked PROPERTIES PLANEX_WANTED_BY PLANEX_LINK_ALL)
planex_wasi_archive(protozero DEFINES PROTOZERO_USE_VIEW=std::string_view)
planex_wasi_archive(rapidjson)
# What has no threads can't keep its values in variables of one. Arguments that a function is not
# defined for give NaN and infinity, where elsewhere they throw: the text of what is never thrown is
# put together by iostreams, a fortieth of the core (so are logs: libraries/quiet).
planex_wasi_archive(
  boost
  DEFINES
    BOOST_DISABLE_THREADS
    BOOST_MATH_DISABLE_THREADS
    BOOST_MATH_DOMAIN_ERROR_POLICY=ignore_error
    BOOST_MATH_POLE_ERROR_POLICY=ignore_error
    BOOST_MATH_OVERFLOW_ERROR_POLICY=ignore_error
    BOOST_MATH_EVALUATION_ERROR_POLICY=ignore_error
    BOOST_MATH_ROUNDING_ERROR_POLICY=ignore_error
    BOOST_MATH_INDETERMINATE_RESULT_ERROR_POLICY=ignore_error
)
