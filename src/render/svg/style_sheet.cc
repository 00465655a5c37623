#include "base/text.h"
#include "render/drawing/colours.h"
#include "render/svg/svg_drawing.h"

namespace planex::render {
namespace {

using base::format;

// What looks the same in all themes. Class names are short because they are in every box.
constexpr std::string_view kForms =
    "text{font:10.5px 'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;white-space:pre}\n"
    ".n{font-size:12px}.n,.B{font-weight:600}.r{text-anchor:end}\n"
    ".t1{font-size:15px}.t2{font-size:12px}.l{font-size:10px}.u{font-size:11px}\n"
    ".z{fill:none;pointer-events:none}\n"
    ".b,.f,.p{stroke-width:1}.p{stroke-width:1.6}.o{stroke-width:2}.o,.e{fill:none}\n"
    ".m{stroke-width:2.5}.v{stroke-dasharray:4 3}.y{fill:url(#hatch)}\n"
    ".e{stroke-linejoin:round}.d0{stroke-dasharray:3 2}.d1{stroke-dasharray:8 3}\n"
    ".d2{stroke-dasharray:2 3}.d3{stroke-dasharray:7 3 2 3}.d4{stroke-dasharray:5 4}\n"
    ".d5{stroke-dasharray:1 4}.d6{stroke-dasharray:1 3;stroke-linecap:round}\n"
    ".d7{stroke-dasharray:7 7}.a{stroke-width:1.3;fill:none}\n";

// What a theme colours.
std::string ui_rules(const Palette& palette) {
  const auto ui = [&](UiColour colour) { return palette.ui(colour); };
  std::string css;
  css += format(".G{{fill:{0}}}.b{{fill:{0};stroke:{1}}}.p{{fill:{0}}}\n",
                ui(UiColour::kBackground), ui(UiColour::kLine2));
  css += format(".f{{fill:{};stroke:{}}}.g{{fill:{}}}\n", ui(UiColour::kSurface1),
                ui(UiColour::kLine), ui(UiColour::kSurface2));
  css += format("text{{fill:{0}}}.q{{fill:{1}}}.w{{fill:{2}}}.a,.W{{stroke:{2}}}\n",
                ui(UiColour::kInk), ui(UiColour::kInk3), ui(UiColour::kWarning));
  css += format(".m{{fill:{};stroke:{}}}.L{{stroke:{}}}\n", ui(UiColour::kSelection),
                ui(UiColour::kSelectionBorder), ui(UiColour::kLine));
  css +=
      format(".c0{{fill:none;stroke:{0};stroke-dasharray:2 2}}.s0{{stroke:{0}}}.h0{{fill:{0}}}\n",
             ui(UiColour::kInk3));
  return css;
}

std::string colour_rules(const Picture& picture, std::string_view Colour::* which) {
  std::string css;
  for (std::size_t i = 1; i < picture.colours.size(); ++i) {
    css += format(".c{0}{{fill:{1}}}.s{0}{{stroke:{1}}}\n", i, picture.colours[i].*which);
  }
  return css;
}

}  // namespace

std::string style_sheet(const Picture& picture) {
  const PictureOptions& options = picture.options;
  std::string css(kForms);
  css += ui_rules(Palette(first_theme(options.theme), options.palette));
  css += colour_rules(picture, &Colour::first);
  if (options.theme == ThemeChoice::kAuto) {
    css += "@media (prefers-color-scheme:dark){\n";
    css += ui_rules(Palette(Theme::kDark, options.palette));
    css += colour_rules(picture, &Colour::second);
    css += "}\n";
  }
  // The ink of invisible whole names comes last.
  css += "text.z{fill:none}\n";
  return css;
}

}  // namespace planex::render
