#include "render/svg/edge_path.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "render/svg/svg_writer.h"

namespace planex::render {
namespace {

using graph::layout::Point;

constexpr double kCornerRadius = 6, kHeadLength = 7, kHeadHalfWidth = 3;

void append_point(std::string& text, char command, Point point) {
  text += command;
  append_number(text, point.x);
  text += ' ';
  append_number(text, point.y);
}

double distance(Point a, Point b) { return std::hypot(b.x - a.x, b.y - a.y); }

// The point `length` from a towards b.
Point towards(Point a, Point b, double length) {
  const double whole = distance(a, b);
  if (whole == 0) return a;
  return {.x = a.x + (b.x - a.x) * length / whole, .y = a.y + (b.y - a.y) * length / whole};
}

// Without duplicate points and without points on a straight line between their neighbours.
std::vector<Point> corners_of(std::span<const Point> route) {
  std::vector<Point> corners;
  for (const Point point : route) {
    if (!corners.empty() && distance(corners.back(), point) < 0.01) continue;
    if (corners.size() > 1) {
      const Point a = corners[corners.size() - 2], b = corners.back();
      const double cross = (b.x - a.x) * (point.y - b.y) - (b.y - a.y) * (point.x - b.x);
      const double dot = (b.x - a.x) * (point.x - b.x) + (b.y - a.y) * (point.y - b.y);
      if (std::fabs(cross) < 0.01 && dot >= 0) {
        corners.back() = point;
        continue;
      }
    }
    corners.push_back(point);
  }
  return corners;
}

void append_corner(std::string& text, Point before, Point corner, Point after) {
  const double radius =
      std::min({kCornerRadius, distance(before, corner) / 2, distance(corner, after) / 2});
  const double cross =
      (corner.x - before.x) * (after.y - corner.y) - (corner.y - before.y) * (after.x - corner.x);
  if (radius < 0.5 || cross == 0) {
    append_point(text, 'L', corner);
    return;
  }
  append_point(text, 'L', towards(corner, before, radius));
  text += 'A';
  append_number(text, radius);
  text += ' ';
  append_number(text, radius);
  // The direction of the turn: y grows downwards, so a right turn has a positive cross product.
  text += cross > 0 ? " 0 0 1 " : " 0 0 0 ";
  const Point end = towards(corner, after, radius);
  append_number(text, end.x);
  text += ' ';
  append_number(text, end.y);
}

std::string head_at(Point before, Point tip, double length, double half) {
  const Point base = towards(tip, before, length);
  const double dx = (tip.x - base.x) / length, dy = (tip.y - base.y) / length;
  std::string text;
  append_point(text, 'M', tip);
  append_point(text, 'L', {.x = base.x - dy * half, .y = base.y + dx * half});
  append_point(text, 'L', {.x = base.x + dy * half, .y = base.y - dx * half});
  text += 'z';
  return text;
}

}  // namespace

EdgePath edge_path(std::span<const Point> route, double stroke) {
  EdgePath path;
  std::vector<Point> corners = corners_of(route);
  if (corners.size() < 2) return path;
  const Point before = corners[corners.size() - 2], tip = corners.back();
  const double last = distance(before, tip);
  const double length = std::min(kHeadLength + stroke / 2, last);
  path.head = head_at(before, tip, length, kHeadHalfWidth + stroke / 2);
  corners.back() = towards(tip, before, length - 1);
  append_point(path.line, 'M', corners.front());
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    append_corner(path.line, corners[i - 1], corners[i], corners[i + 1]);
  }
  append_point(path.line, 'L', corners.back());
  return path;
}

}  // namespace planex::render
