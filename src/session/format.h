// What a view asks for, handed on to renderers.
#ifndef PLANEX_SESSION_FORMAT_H_
#define PLANEX_SESSION_FORMAT_H_

#include <functional>
#include <string>

#include "model/data_table.h"
#include "planex/session.h"
#include "render/text/table_text.h"

namespace planex::session {

inline render::TableStyle style_of(const View& view) {
  return {.width = view.width, .color = view.color, .wide = view.wide};
}

// One document in each format; only the one that is asked for is written.
struct Writers {
  std::function<std::string()> json;
  std::function<model::DataTable()> table;  // becomes CSV
  std::function<std::string()> markdown;
  std::function<std::string(const render::TableStyle&)> text;
};

// In the view's format; text where it is none of these.
std::string write(const Writers& writers, const View& view);

}  // namespace planex::session

#endif  // PLANEX_SESSION_FORMAT_H_
