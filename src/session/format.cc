#include "session/format.h"

#include "render/csv/table_csv.h"

namespace planex::session {

std::string write(const Writers& writers, const View& view) {
  switch (view.format) {
    case Format::kJson:
      return writers.json();
    case Format::kCsv:
      return render::csv_table(writers.table());
    case Format::kMarkdown:
      return writers.markdown();
    default:
      break;
  }
  return writers.text(style_of(view));
}

}  // namespace planex::session
