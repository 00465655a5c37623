// Text and names as Excel accepts them. Limits:
// https://support.microsoft.com/office/excel-specifications-and-limits-1672b34d-7043-467e-8e27-269d656771c3
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace planex::render {

inline constexpr std::size_t kMaxExcelRows = 1'048'576;
inline constexpr std::size_t kMaxCellCharacters = 32'767;  // of UTF-16
inline constexpr std::size_t kMaxSheetNameCharacters = 31;

struct ExcelText {
  std::string text;
  bool is_cut = false;
};

// What a cell can contain: visible() text, in lines, at most kMaxCellCharacters with "…" at the end
// where it was cut. A text that looks like one of the format's own escapes ("_x0041_") is escaped,
// so that it is read as it is written.
ExcelText excel_text(std::string_view text);

// A name for a sheet: without the characters that Excel forbids, short enough, and one that `taken`
// does not have yet, whatever the case. Adds it.
std::string sheet_name(std::string_view wanted, std::set<std::string>& taken);

}  // namespace planex::render
