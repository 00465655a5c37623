# The pages: builds web/ with npm, and in it src/graph/layout as WebAssembly, and writes an assembly
# file that embeds the report and the index of `planex serve`.
include_guard(GLOBAL)

# Sets <variable> to the assembly file.
function(planex_report_page variable)
  set(page "${CMAKE_SOURCE_DIR}/src/render/html/no_page.html")
  set(index "${CMAKE_SOURCE_DIR}/src/render/html/no_index.html")
  if(PLANEX_BUILD_REPORT)
    set(page "${CMAKE_SOURCE_DIR}/web/dist/report.html")
    set(index "${CMAKE_SOURCE_DIR}/web/dist/index.html")
  endif()
  # A source archive of the Python package has the pages built, and is known by its PKG-INFO.
  if(PLANEX_BUILD_REPORT AND NOT EXISTS "${CMAKE_SOURCE_DIR}/PKG-INFO")
    find_program(NPM_PROGRAM npm REQUIRED)
    file(
      GLOB_RECURSE web_sources
      CONFIGURE_DEPENDS
      "${CMAKE_SOURCE_DIR}/web/src/*.ts"
      "${CMAKE_SOURCE_DIR}/web/src/*.css"
      "${CMAKE_SOURCE_DIR}/web/src/*.json"
      "${CMAKE_SOURCE_DIR}/web/src/*.cc"
      "${CMAKE_SOURCE_DIR}/src/graph/layout/*.h"
      "${CMAKE_SOURCE_DIR}/src/graph/layout/*.cc"
    )
    file(GLOB web_build "${CMAKE_SOURCE_DIR}/web/*.ts" "${CMAKE_SOURCE_DIR}/web/build/*.ts")
    add_custom_command(
      OUTPUT "${page}" "${index}"
      COMMAND "${NPM_PROGRAM}" run --silent build
      WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}/web"
      DEPENDS
        ${web_sources}
        ${web_build}
        "${CMAKE_SOURCE_DIR}/web/template.html"
        "${CMAKE_SOURCE_DIR}/web/index_template.html"
        "${CMAKE_SOURCE_DIR}/web/package-lock.json"
      COMMENT "Building the pages"
      VERBATIM
    )
  endif()
  set(assembly "${CMAKE_CURRENT_BINARY_DIR}/report_template.S")
  file(
    CONFIGURE
    OUTPUT "${assembly}"
    CONTENT
      [[
    .section .rodata
    .global planex_report_template_begin
    .global planex_report_template_end
    .type planex_report_template_begin, %object
    .type planex_report_template_end, %object
planex_report_template_begin:
    .incbin "@page@"
planex_report_template_end:
    .byte 0
    .global planex_index_template_begin
    .global planex_index_template_end
    .type planex_index_template_begin, %object
    .type planex_index_template_end, %object
planex_index_template_begin:
    .incbin "@index@"
planex_index_template_end:
    .byte 0
    .section .note.GNU-stack, "", %progbits
]]
    @ONLY
  )
  set_source_files_properties(
    "${assembly}"
    PROPERTIES LANGUAGE ASM OBJECT_DEPENDS "${page};${index}"
  )
  set(${variable} "${assembly}" PARENT_SCOPE)
endfunction()
