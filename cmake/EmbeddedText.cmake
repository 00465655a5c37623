# Small text files that the program carries in it.
include_guard(GLOBAL)

# Sets <variable> to a source file that defines `std::string_view <function>()`, a qualified name,
# as the text of <files>, one behind the other. They are read when CMake runs, which it does again
# when one changes.
function(planex_embedded_text variable files function)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  set(text "")
  foreach(file IN LISTS files)
    file(READ "${file}" part)
    string(APPEND text "${part}")
  endforeach()
  string(REGEX MATCH "^(.*)::([^:]*)$" _ "${function}")
  set(scope "${CMAKE_MATCH_1}")
  set(name "${CMAKE_MATCH_2}")
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}.cc")
  file(
    CONFIGURE
    OUTPUT "${source}"
    CONTENT
      [[
#include <string_view>

namespace @scope@ {

std::string_view @name@();

std::string_view @name@() {
  static constexpr std::string_view kText = R"planex-text(@text@)planex-text";
  return kText;
}

}  // namespace @scope@
]]
    @ONLY
  )
  set(${variable} "${source}" PARENT_SCOPE)
endfunction()
