#include "ingest/tensorrt/graph_pieces.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

namespace planex::ingest::tensorrt {
namespace {

constexpr std::string_view kHead = "{\"Layers\":[";
constexpr std::string_view kTail = "]}";
// A larger record is no reason to search further.
constexpr std::size_t kMaxSearchedBytes = std::size_t{4} << 20;

// Walks over tokens and examines only what is needed.
class Walker {
 public:
  Walker(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::size_t at() const { return at_; }

  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // A text, without its quotation marks.
  std::optional<std::string_view> take_text() {
    if (!take('"')) return std::nullopt;
    const std::size_t first = at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2u : 1u;
    if (at_ >= text_.size()) return std::nullopt;
    return text_.substr(first, at_++ - first);
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != text_.npos) ++at_;
  }

  std::string_view text_;
  std::size_t at_;
};

// The beginning of a record: {"Name": "…", "LayerType": …. Tensors also begin with a name.
struct Opening {
  std::string_view first_key, second_key;
};

std::optional<Opening> opening_at(std::string_view text, std::size_t at) {
  Walker walker(text, at);
  if (!walker.take('{')) return std::nullopt;
  const auto first = walker.take_text();
  if (!first || !walker.take(':') || !walker.take_text() || !walker.take(',')) return std::nullopt;
  const auto second = walker.take_text();
  if (!second || !walker.take(':')) return std::nullopt;
  return Opening{*first, *second};
}

// The comma before the next record that begins like the first one.
std::optional<std::size_t> next_cut(std::string_view text, std::size_t from,
                                    const Opening& opening) {
  const std::string_view searched = text.substr(0, from + kMaxSearchedBytes);
  for (std::size_t at = searched.find('}', from); at != searched.npos;
       at = searched.find('}', at + 1)) {
    Walker walker(text, at + 1);
    if (!walker.take(',')) continue;
    const std::size_t comma = walker.at() - 1;
    const auto found = opening_at(text, walker.at());
    if (found && found->first_key == opening.first_key && found->second_key == opening.second_key) {
      return comma;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<ByteRange> pieces_of(std::string_view text, const PieceSizes& sizes) {
  const std::vector<ByteRange> whole = {{0, text.size()}};
  if (text.size() < sizes.min_file_bytes) return whole;
  Walker walker(text, 0);
  if (!walker.take('{') || walker.take_text() != "Layers" || !walker.take(':') ||
      !walker.take('[')) {
    return whole;
  }
  const auto opening = opening_at(text, walker.at());
  if (!opening) return whole;
  std::vector<ByteRange> pieces;
  std::size_t first = 0;
  while (text.size() - first > sizes.piece_bytes) {
    const auto cut = next_cut(text, first + sizes.piece_bytes, *opening);
    if (!cut) break;
    pieces.push_back({first, *cut - first});
    first = *cut + 1;
  }
  pieces.push_back({first, text.size() - first});
  return pieces;
}

class PieceReader::Copy final : public base::Bytes {
 public:
  std::string_view view() const override { return {buffer_.get(), size_}; }

  void set(std::string_view head, std::string_view piece, std::string_view tail) {
    size_ = head.size() + piece.size() + tail.size();
    if (size_ + kPadding > capacity_) {
      capacity_ = (size_ + kPadding) * 5 / 4;
      buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
    }
    char* at = buffer_.get();
    for (const std::string_view part : {head, piece, tail}) {
      at = std::ranges::copy(part, at).out;  // allows empty parts, unlike memcpy()
    }
    std::memset(at, 0, kPadding);
  }

 private:
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
};

PieceReader::PieceReader(const Artefact& artefact, model::ModelBuilder& builder,
                         GraphDocuments& documents, From from)
    : artefact_(artefact),
      builder_(builder),
      documents_(documents),
      from_(from),
      copy_(std::make_shared<Copy>()),
      document_{.path = artefact.path, .bytes = copy_, .file_row = artefact.file_row},
      input_(document_, kLayerFile) {}

bool PieceReader::holds_for_whole(std::size_t diagnostic) const {
  const model::DiagnosticsTable& diagnostics = builder_.model().diagnostics;
  // Offsets are those in the copy. A message without a location is reported once per file, the
  // first time.
  return diagnostics.byte_offset.is_null(diagnostic) &&
         (from_ == From::kBegin || !diagnostics.json_pointer.is_null(diagnostic));
}

bool PieceReader::read(ByteRange piece) {
  const std::string_view text = artefact_.bytes->view();
  const std::string_view part = text.substr(piece.first, piece.size);
  const std::string_view head = piece.first == 0 ? std::string_view{} : kHead;
  const bool is_last = piece.first + piece.size == text.size();
  copy_->set(head, part, is_last ? std::string_view{} : kTail);
  const std::size_t first_string = builder_.strings().size();
  const std::size_t first_diagnostic = builder_.model().diagnostics.row_count();
  if (!input_.open()) return false;
  const auto kind = documents_.read_more(input_);
  if (!kind || *kind != DocumentKind::kEngine) return false;
  // Otherwise the brackets after the copy close another list than that of the layers.
  if (!is_last && documents_.engine_key_count() != 1) return false;
  if (input_.trailing_offset() || input_.saw_not_a_number()) return false;
  for (std::size_t row = first_diagnostic; row < builder_.model().diagnostics.row_count(); ++row) {
    if (!holds_for_whole(row)) return false;
  }
  if (documents_.records().has_jumps()) return false;
  builder_.strings().move_borrowed(first_string, copy_->view().substr(head.size(), part.size()),
                                   part.data());
  return true;
}

}  // namespace planex::ingest::tensorrt
