# The pages: builds web/ with npm, and in it src/graph/layout as WebAssembly, and writes an assembly
# file that embeds the report, the core that reports carry, and the index of `planex serve`.
include_guard(GLOBAL)

set(
  PLANEX_CORE
  ""
  CACHE FILEPATH
  "The core as WebAssembly (tools/core.sh), which reports then carry; without it they are light"
)

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
  set(core_bytes "")
  set(core)
  if(PLANEX_CORE)
    find_program(XZ_PROGRAM xz REQUIRED)
    set(core "${CMAKE_CURRENT_BINARY_DIR}/planex.wasm.xz")
    # CRC32 is what the page's reader knows.
    add_custom_command(
      OUTPUT "${core}"
      COMMAND
        sh -c "\"$0\" -9e --check=crc32 --threads=1 --stdout \"$1\" > \"$2\"" "${XZ_PROGRAM}"
        "${PLANEX_CORE}" "${core}"
      DEPENDS "${PLANEX_CORE}"
      COMMENT "Packing the core"
      VERBATIM
    )
    set(core_bytes ".incbin \"${core}\"")
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
    .global planex_report_core_begin
    .global planex_report_core_end
    .type planex_report_core_begin, %object
    .type planex_report_core_end, %object
planex_report_core_begin:
    @core_bytes@
planex_report_core_end:
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
    PROPERTIES LANGUAGE ASM OBJECT_DEPENDS "${page};${index};${core}"
  )
  set(${variable} "${assembly}" PARENT_SCOPE)
endfunction()
