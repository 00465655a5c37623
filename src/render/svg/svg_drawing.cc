#include "render/svg/svg_drawing.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/try.h"
#include "render/drawing/boxes.h"
#include "render/drawing/edges.h"
#include "render/drawing/hover.h"
#include "render/drawing/line_width.h"
#include "render/drawing/surroundings.h"
#include "render/svg/edge_path.h"
#include "render/svg/svg_writer.h"
#include "render/words/characters.h"

namespace planex::render {
namespace {

using base::format;
using graph::EdgeKind;
using graph::layout::Point;
using graph::layout::Rect;

constexpr double kBarHeight = 4, kBarTop = 21, kStackStep = 3, kPartsHeight = 5;

std::string_view ink_class(TextInk ink) {
  switch (ink) {
    case TextInk::kSoft:
      return "q";
    case TextInk::kBold:
      return "B";
    case TextInk::kWarning:
      return "w B";
    case TextInk::kPlain:
      break;
  }
  return {};
}

// The dashes of an edge that carries no data; 0 to 7 are classes of the style sheet.
std::string_view dash_class(EdgeKind kind) {
  constexpr std::array<std::string_view, 7> kClasses = {"",    " d1", " d2", " d3",
                                                        " d4", " d5", " d6"};
  return kClasses[static_cast<std::size_t>(kind)];
}

std::string fill_class(ColourId id) { return format("c{}", id); }
std::string stroke_class(ColourId id) { return format("s{}", id); }

class DrawingWriter {
 public:
  DrawingWriter(const Picture& picture, const DocumentSink& sink)
      : picture_(picture), hover_(picture), svg_(sink) {}

  Result<void> write() {
    begin();
    write_frames();
    for (std::size_t i = 0; i < picture_.edges.size(); ++i) write_edge(i);
    for (std::size_t i = 0; i < picture_.boxes.size(); ++i) write_box(i);
    svg_.close();
    write_title();
    write_ruler();
    for (const LegendBlock& block : picture_.legend) write_legend(block);
    svg_.close().new_line();
    return svg_.finish();
  }

 private:
  void begin() {
    svg_.open("svg")
        .attribute("xmlns", "http://www.w3.org/2000/svg")
        // Blanks between inks stay; librsvg doesn't know the style sheet's property for that.
        .attribute("xml:space", "preserve")
        .attribute("width", picture_.width)
        .attribute("height", picture_.height)
        .attribute("viewBox", format("0 0 {:.0f} {:.0f}", picture_.width, picture_.height));
    const std::string name = picture_.title.empty() ? "" : picture_.title[0][0].text;
    svg_.new_line().title(name);
    svg_.new_line().open("style").text("\n" + style_sheet(picture_)).close().new_line();
    svg_.open("defs").open("pattern").attribute("id", "hatch").attribute("width", 5.0);
    svg_.attribute("height", 5.0).attribute("patternUnits", "userSpaceOnUse");
    svg_.attribute("patternTransform", "rotate(45)");
    rect("G", {.width = 1.7, .height = 5});
    svg_.close().close().new_line();
    rect("G", {.width = picture_.width, .height = picture_.height});
    svg_.new_line().open("g").attribute(
        "transform", format("translate({:.0f} {:.0f})", picture_.graph_x, picture_.graph_y));
  }

  // Missing attributes mean zero.
  void rect(std::string_view classes, const Rect& rect, double radius = 0) {
    svg_.open("rect").attribute("class", classes);
    if (rect.x != 0) svg_.attribute("x", rect.x);
    if (rect.y != 0) svg_.attribute("y", rect.y);
    svg_.attribute("width", rect.width).attribute("height", rect.height);
    if (radius > 0) svg_.attribute("rx", radius);
    svg_.close();
  }

  void begin_text(std::string_view classes, double x, double y) {
    svg_.open("text");
    if (!classes.empty()) svg_.attribute("class", classes);
    svg_.attribute("x", x).attribute("y", y);
  }

  void words(std::string_view classes, double x, double y, std::string_view text) {
    begin_text(classes, x, y);
    svg_.text(text).close();
  }

  // `ink`: overrides the inks of runs; 0: does not.
  void line(std::string_view classes, double x, double y, const Line& runs, ColourId ink = 0) {
    begin_text(ink == 0 ? std::string(classes) : format("{} {}", classes, fill_class(ink)), x, y);
    for (const Run& run : runs) {
      if (run.square != 0) {
        svg_.open("tspan").attribute("class", fill_class(run.square)).text("■ ").close();
      }
      std::string ink_of_run(ink_class(run.ink));
      if (ink != 0) ink_of_run = face_of(run.ink) == Face::kBold ? "B" : "";
      if (ink_of_run.empty() || (ink_of_run == "B" && classes.starts_with('n'))) {
        svg_.text(run.text);
      } else {
        svg_.open("tspan").attribute("class", ink_of_run).text(run.text).close();
      }
    }
    svg_.close();
  }

  // The whole name if it was shortened, visible to searches only.
  void whole_name(const PictureBox& box, double x, double y) {
    if (!box.is_shortened || box.name.empty()) return;
    words("z", x, y, visible(box.name.substr(0, kMaxNameBytes)));
  }

  void write_box(std::size_t index) {
    const PictureBox& box = picture_.boxes[index];
    const Rect& place = picture_.layout.boxes[index];
    svg_.new_line().open("g").attribute("id", box.id);
    std::string translate = "translate(";
    append_number(translate, place.x);
    translate += ' ';
    append_number(translate, place.y);
    svg_.attribute("transform", translate + ")");
    svg_.title(hover_.box(index));
    switch (box.shape) {
      case BoxShape::kReformat:
        write_pill(box, place);
        break;
      case BoxShape::kBinding:
      case BoxShape::kMemory:
      case BoxShape::kConstant:
        write_tensor(box, place);
        break;
      case BoxShape::kGroup:
        write_group(box, place);
        break;
      case BoxShape::kLayer:
      case BoxShape::kOperation:
        write_layer(box, place);
        break;
    }
    svg_.close();
  }

  void write_lines(const PictureBox& box, double x, double y) {
    whole_name(box, x, y);
    for (std::size_t i = 0; i < box.lines.size(); ++i) {
      line(i == 0 ? "n" : "", x, y + static_cast<double>(i) * kLineStep, box.lines[i], box.text);
    }
  }

  void write_time(const PictureBox& box, double right, double y) {
    if (!box.time.empty()) {
      words(box.text == 0 ? "n r" : format("n r {}", fill_class(box.text)), right, y, box.time);
    }
    if (!box.has_findings) return;
    const double width = box.time.empty() ? 0 : text_width(box.time, Face::kBold, kNameSize) + 5;
    finding(right - width - 11, y);
  }

  // The sign of a finding, on a baseline.
  void finding(double x, double y) {
    std::string d = "M";
    append_number(d, x);
    d += ' ';
    append_number(d, y);
    svg_.open("path").attribute("class", "a").attribute("d", d + "h11l-5.5-9.5z").close();
  }

  void write_layer(const PictureBox& box, const Rect& place) {
    const Rect frame{.width = place.width, .height = place.height};
    rect(box.is_marked ? "m" : "b", frame, 2);
    if (box.is_filled) {
      const Rect inside{.x = 1, .y = 1, .width = place.width - 2, .height = place.height - 2};
      rect(fill_class(box.fill), inside);
    } else {
      rect(fill_class(box.fill), {.width = kStripWidth, .height = place.height});
    }
    write_lines(box, kTextLeft, kFirstLine);
    const double right = place.width - kTextRight;
    write_time(box, right, kFirstLine);
    if (box.bar < 0 || box.is_filled || box.lines.size() < 2) return;
    const double left = right - kBarWidth;
    rect("g", {.x = left, .y = kBarTop, .width = kBarWidth, .height = kBarHeight});
    rect(fill_class(box.fill),
         {.x = left, .y = kBarTop, .width = box.bar * kBarWidth, .height = kBarHeight});
  }

  void write_group(const PictureBox& box, const Rect& place) {
    const double width = place.width - 2 * kStackStep, height = place.height - 2 * kStackStep;
    for (const double step : {2.0, 1.0, 0.0}) {
      const bool is_front = step == 0;
      rect(is_front && box.is_marked ? "m" : "b",
           {.x = step * kStackStep, .y = step * kStackStep, .width = width, .height = height}, 2);
    }
    if (box.is_filled) {
      rect(fill_class(box.fill), {.x = 1, .y = 1, .width = width - 2, .height = height - 2});
    }
    write_lines(box, kTextLeft, kFirstLine);
    write_time(box, width - kTextRight, kFirstLine);
    double x = 0;
    for (const Part& part : box.parts) {
      const Rect bar{
          .x = x, .y = height - kPartsHeight, .width = part.ratio * width, .height = kPartsHeight};
      x += bar.width;
      if (box.is_filled) continue;
      rect(fill_class(part.fill), bar);
      if (part.is_hatched) rect("y", bar);
    }
  }

  void write_pill(const PictureBox& box, const Rect& place) {
    const double radius = std::min(place.height, 22.0) / 2;
    // A path, as a clip for the head alone would cost more.
    rect(format("{} {}", box.is_marked ? "m" : "p", stroke_class(box.fill)),
         {.width = place.width, .height = place.height}, radius);
    std::string head = "M";
    append_number(head, kPillHead);
    head += " 0H";
    append_number(head, radius);
    head += format("a{0:g} {0:g} 0 0 0 0 {1:g}H", radius, 2 * radius);
    append_number(head, kPillHead);
    head += 'z';
    svg_.open("path").attribute("class", fill_class(box.fill)).attribute("d", head).close();
    svg_.open("path").attribute("class", "y").attribute("d", head).close();
    const double y = radius + 4;
    whole_name(box, kPillHead + 7, y);
    for (std::size_t i = 0; i < box.lines.size(); ++i) {
      line("", kPillHead + 7, y + static_cast<double>(i) * kLineStep, box.lines[i]);
    }
    PictureBox plain = box;
    plain.text = 0;
    write_time(plain, place.width - kTextRight - 2, y);
  }

  void write_tensor(const PictureBox& box, const Rect& place) {
    const bool is_memory = box.shape == BoxShape::kMemory;
    const double radius = box.shape == BoxShape::kBinding ? place.height / 2 : is_memory ? 0 : 2;
    std::string classes = format("{} {}{}", box.is_marked ? "m" : "p", stroke_class(box.outline),
                                 box.is_dashed ? " v" : "");
    rect(classes, {.width = place.width, .height = place.height}, radius);
    const Line& runs = box.lines.front();
    const double width = line_width(runs, kWordSize);
    const double x = std::max((place.width - width) / 2, 6.0), y = place.height / 2 + 4;
    whole_name(box, x, y);
    line("", x, y, runs);
  }

  void write_edge(std::size_t index) {
    const PictureEdge& edge = picture_.edges[index];
    const EdgePath path = edge_path(picture_.layout.route(index), edge.stroke);
    if (path.line.empty()) return;
    svg_.new_line().open("g").attribute("id", format("edge-{}", index));
    svg_.title(hover_.edge(index));
    const std::string dashes(dash_class(edge.kind));
    stroke(path.line, format("e s{}{}", edge.colour, dashes), edge.stroke);
    const ColourId head = edge.reader_colour != 0 ? edge.reader_colour : edge.colour;
    if (edge.reader_colour != 0) {
      stroke(path.line, format("e s{} d7", edge.reader_colour), edge.stroke);
    }
    svg_.open("path").attribute("class", head == 0 ? "h0" : fill_class(head));
    svg_.attribute("d", path.head).close();
    const Point& at = picture_.layout.labels[index];
    for (std::size_t i = 0; i < edge.words.size(); ++i) {
      line("l", at.x + 7, at.y + 9 + static_cast<double>(i) * kEdgeWordStep, edge.words[i]);
    }
    svg_.close();
  }

  void stroke(std::string_view d, std::string_view classes, double width) {
    svg_.open("path").attribute("class", classes).attribute("d", d);
    svg_.attribute("stroke-width", width).close();
  }

  void write_frames() {
    for (std::size_t i = 0; i < picture_.frames.size(); ++i) {
      const Rect& place = picture_.layout.frames[i];
      svg_.new_line().open("g").attribute("id", format("frame-{}", i)).title(hover_.frame(i));
      rect("f", place, 3);
      std::string turn = "translate(";
      append_number(turn, place.x + 14);
      turn += ' ';
      // At the top, where the edge comes from.
      append_number(turn,
                    std::min(place.y + 8 + picture_.frames[i].title_width, place.bottom() - 4));
      svg_.open("g").attribute("transform", turn + ") rotate(-90)");
      line("u", 0, 0, picture_.frames[i].title);
      svg_.close().close();
    }
  }

  void write_title() {
    double y = kPageMargin + 8;
    svg_.new_line().open("g").attribute("id", "title");
    for (std::size_t i = 0; i < picture_.title.size(); ++i) {
      line(i == 0 ? "t1" : "t2", kPageMargin, y, picture_.title[i]);
      y += kTitleStep;
    }
    svg_.close();
  }

  void write_ruler() {
    if (picture_.ruler.empty()) return;
    const double number_x = kPageMargin + 34, time_x = kPageMargin + 80;
    const double top = picture_.graph_y - 6;
    svg_.new_line().open("g").attribute("id", "ruler");
    words("l q r", number_x, top, "#");
    if (!picture_.ruler.front().time.empty()) words("l q r", time_x, top, "Σ ms");
    for (const RulerMark& mark : picture_.ruler) {
      const double y = picture_.graph_y + mark.y + 3.5;
      words("l q r", number_x, y, mark.number);
      if (!mark.time.empty()) words("l q r", time_x, y, mark.time);
    }
    svg_.close();
  }

  void write_legend(const LegendBlock& block) {
    svg_.new_line().open("g").attribute("class", "legend");
    std::string translate = "translate(";
    append_number(translate, block.x);
    translate += ' ';
    append_number(translate, block.y);
    svg_.attribute("transform", translate + ")");
    words("q B", 0, 10, block.title);
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      const double y = 18 + static_cast<double>(i) * kLegendStep;
      write_sample(block.rows[i], y);
      words("", 30, y + 10, block.rows[i].label);
    }
    svg_.close();
  }

  void write_sample(const LegendRow& row, double y) {
    const Rect swatch{.y = y + 2, .width = 20, .height = 9};
    const std::string straight = format("M0 {0:g}H22", y + 6.5);
    switch (row.sample) {
      case Sample::kFill:
        rect(fill_class(row.colour), swatch);
        break;
      case Sample::kHatched:
        rect(fill_class(row.colour), swatch);
        rect("y", swatch);
        break;
      case Sample::kLine:
        stroke(straight, format("e s{}", row.colour), row.stroke);
        break;
      case Sample::kDashes:
        stroke(straight, format("e s0{}", dash_class(row.kind)), 1.4);
        break;
      case Sample::kTwoColours:
        stroke(straight, "e s0", 2.4);
        stroke(straight, "e W d7", 2.4);
        break;
      case Sample::kFinding:
        finding(4, y + 11);
        break;
      case Sample::kMark:
        rect("m", swatch);
        break;
      case Sample::kBar:
        rect("g", {.y = y + 5, .width = 22, .height = kBarHeight});
        rect("h0", {.y = y + 5, .width = 14, .height = kBarHeight});
        break;
    }
  }

  const Picture& picture_;
  const Hover hover_;
  SvgWriter svg_;
};

}  // namespace

Result<void> write_svg(const Picture& picture, const DocumentSink& sink) {
  return DrawingWriter(picture, sink).write();
}

}  // namespace planex::render
