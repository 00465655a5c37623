// SHA-256 of bytes, all at once or in pieces.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace planex::base {

class Sha256 {
 public:
  Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  ~Sha256();

  void add(std::string_view piece);
  // 64 hexadecimal digits of all pieces. Once, at the end.
  std::string digits();

 private:
  class State;
  std::unique_ptr<State> state_;
};

// 64 hexadecimal digits.
std::string sha256_of(std::string_view bytes);

}  // namespace planex::base
