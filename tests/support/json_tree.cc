#include "support/json_tree.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "base/json_text.h"
#include "base/text.h"

namespace planex::test {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  JsonNode document() {
    JsonNode root = value();
    blanks();
    if (at_ != text_.size()) throw std::runtime_error("json_tree: text after the document");
    return root;
  }

 private:
  char peek() {
    blanks();
    if (at_ >= text_.size()) throw std::runtime_error("json_tree: the document is cut");
    return text_[at_];
  }
  void blanks() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
      ++at_;
    }
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  std::string string() {
    const std::size_t first = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2u : 1u;
    ++at_;
    return std::string(text_.substr(first, at_ - first));
  }

  JsonNode value() {
    JsonNode node;
    switch (peek()) {
      case '{':
        node.kind = JsonNode::Kind::kObject;
        ++at_;
        while (!take('}')) {
          peek();
          node.keys.push_back(string());
          if (!take(':')) throw std::runtime_error("json_tree: no colon");
          node.children.push_back(value());
          take(',');
        }
        break;
      case '[':
        node.kind = JsonNode::Kind::kArray;
        ++at_;
        while (!take(']')) {
          node.children.push_back(value());
          take(',');
        }
        break;
      case '"':
        node.token = string();
        break;
      default: {
        const std::size_t first = at_;
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
        node.token = text_.substr(first, at_ - first);
        break;
      }
    }
    return node;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

void write(const JsonNode& node, const JsonStyle& style, int depth, std::string& out) {
  if (node.kind == JsonNode::Kind::kScalar) {
    out += node.token;
    return;
  }
  const bool object = node.kind == JsonNode::Kind::kObject;
  const auto new_line = [&](int level) {
    out += style.newline;
    for (int i = 0; i < level; ++i) out += style.indent;
  };
  out += object ? '{' : '[';
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (i > 0) out += ',';
    new_line(depth + 1);
    if (object) out += node.keys[i] + ':' + style.separator;
    write(node.children[i], style, depth + 1, out);
  }
  if (!node.children.empty()) new_line(depth);
  out += object ? '}' : ']';
}

void visit(JsonNode& node, int depth, const std::function<void(JsonNode&, int)>& change) {
  change(node, depth);
  for (JsonNode& child : node.children) visit(child, depth + 1, change);
}

// order[i] is the old place of what comes i-th.
void reorder(JsonNode& object, const std::vector<std::size_t>& order) {
  std::vector<std::string> keys;
  std::vector<JsonNode> children;
  for (const std::size_t from : order) {
    keys.push_back(std::move(object.keys[from]));
    children.push_back(std::move(object.children[from]));
  }
  object.keys = std::move(keys);
  object.children = std::move(children);
}

void unescape_slashes(std::string& token) {
  for (std::size_t at = token.find('\\'); at < token.size(); at = token.find('\\', at)) {
    if (token.substr(at + 1).starts_with('/')) {
      token.erase(at++, 1);
    } else {
      at += 2;
    }
  }
}

}  // namespace

JsonNode* JsonNode::find(std::string_view key) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (std::string_view(keys[i]).substr(1, keys[i].size() - 2) == key) return &children[i];
  }
  return nullptr;
}

JsonNode parse_json(std::string_view text) { return Parser(text).document(); }

std::string write_json(const JsonNode& root, const JsonStyle& style) {
  std::string out;
  write(root, style, 0, out);
  return out;
}

std::string canonical(std::string_view text, Scalars scalars) {
  JsonNode root = parse_json(text);
  for_each_node(root, [scalars](JsonNode& node, int) {
    if (scalars == Scalars::kByValue) {
      if (base::is_json_number(node.token)) {
        node.token = base::format("{}", std::strtod(node.token.c_str(), nullptr));
      }
      unescape_slashes(node.token);
      for (std::string& key : node.keys) unescape_slashes(key);
    }
    if (node.kind != JsonNode::Kind::kObject) return;
    std::vector<std::size_t> order(node.children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return node.keys[i]; });
    reorder(node, order);
  });
  return write_json(root, kMinified);
}

void for_each_node(JsonNode& root, const std::function<void(JsonNode&, int)>& change) {
  visit(root, 0, change);
}

void shuffle_keys(JsonNode& root, std::mt19937& random) {
  for_each_node(root, [&](JsonNode& node, int) {
    if (node.kind != JsonNode::Kind::kObject) return;
    std::vector<std::size_t> order(node.children.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    // std::shuffle may differ between standard libraries; this does not.
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
    reorder(node, order);
  });
}

}  // namespace planex::test
