#include "render/json/layout_json.h"

#include <string>
#include <string_view>

#include "base/try.h"
#include "render/fields/layout.h"
#include "render/json/json_writer.h"
#include "render/json/record_json.h"

namespace planex::render {
namespace {

// One box, edge or frame per line, passed on in pieces.
class LayoutWriter {
 public:
  LayoutWriter(const Picture& picture, const DocumentSink& sink) : picture_(picture), sink_(sink) {}

  Result<void> write() {
    text_ =
        "{\"schema\":\"planex.layout/1\",\n\"engine\":" + object(layout_engine_fields(), picture_);
    text_ += ",\n\"view\":\"";
    text_ += to_string(picture_.input.graph->view);
    text_ += "\",\n\"size\":" + object(layout_size_fields(), picture_);
    PLANEX_TRY(write_list("boxes", picture_.boxes.size(), layout_box_fields()));
    PLANEX_TRY(write_list("edges", picture_.edges.size(), layout_edge_fields()));
    PLANEX_TRY(write_list("frames", picture_.frames.size(), layout_frame_fields()));
    text_ += "\n}\n";
    return sink_(text_);
  }

 private:
  template <typename T>
  std::string object(const record::Fields<T, Picture>& fields, const T& of) {
    json_.begin_object();
    write_members(json_, fields, of, picture_);
    json_.end_object();
    return json_.take();
  }

  Result<void> write_list(std::string_view name, std::size_t count, const LayoutRow& fields) {
    text_ += ",\n\"";
    text_ += name;
    text_ += "\":[";
    for (std::size_t i = 0; i < count; ++i) {
      text_ += i == 0 ? "\n" : ",\n";
      text_ += object(fields, i);
      if (text_.size() < kPieceBytes) continue;
      PLANEX_TRY(sink_(text_));
      text_.clear();
    }
    text_ += "\n]";
    return {};
  }

  const Picture& picture_;
  const DocumentSink& sink_;
  JsonWriter json_;
  std::string text_;  // not handed on yet
};

}  // namespace

Result<void> write_layout(const Picture& picture, const DocumentSink& sink) {
  return LayoutWriter(picture, sink).write();
}

}  // namespace planex::render
