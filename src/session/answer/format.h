// Passes the options of a view to renderers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "model/data_table.h"
#include "planex/arrow.h"
#include "planex/session.h"
#include "record/fields.h"
#include "record/rows.h"
#include "record/struct_sink.h"
#include "render/json/json_writer.h"
#include "render/text/screen.h"
#include "render/text/table_text.h"

namespace planex::session {

inline render::TableStyle style_of(const View& view) {
  return {.width = view.width, .color = view.color, .wide = view.wide};
}

// A described result. The data that it refers to must outlive it.
struct Described {
  std::string_view id;
  const record::Record* record = nullptr;
  const void* object = nullptr;
  const void* context = nullptr;

  Described() = default;
  template <typename T, typename Context = record::NoContext>
  Described(const record::Document<T, Context>& document, const T& of,
            const Context& with = record::kNoneOf<Context>)
      : id(document.id), record(&document.fields.record()), object(&of), context(&with) {}
};

// A result with rows: described ones, or a table whose columns are known only at run time.
using Rows = std::variant<record::Rows, model::DataTable>;
model::DataTable to_data_table(Rows rows);
ArrowTable to_arrow(const Rows& rows, std::string_view name);

// A result and a writer for each form; only the requested form is made.
struct Writers {
  Described document;  // becomes JSON, and structs
  render::JsonStyle style = render::JsonStyle::kPretty;
  std::function<Rows()> rows;  // become CSV, and Arrow tables
  // Markdown and text: of a screen, or each by a writer of its own; without one for Markdown it is
  // a table of the rows.
  std::function<render::Screen(const render::ScreenSize&)> screen = {};
  bool all = false;  // every row of the screen
  std::function<std::string()> markdown = {};
  std::function<std::string(const render::TableStyle&)> text = {};
};

// Receives a result in the form it needs, while the data of the result is alive.
using Take = std::function<Result<void>(const Writers&)>;

// Puts its rows into `table`.
Take take_table(std::optional<ArrowTable>& table, std::string_view name);

std::string json_of(const Described& document, render::JsonStyle style);

// In the view's format; text if it is not one of these.
std::string write(const Writers& writers, const View& view);

// The document as a struct of planex/results.h.
template <typename T>
void fill(T& into, const Described& document) {
  record::fill(into, *document.record, document.object, document.context);
}

}  // namespace planex::session
