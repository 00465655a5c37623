#include "base/sha256.h"

#include <sodium.h>

#include <array>

#include "base/text.h"

namespace planex::base {

class Sha256::State {
 public:
  crypto_hash_sha256_state state;
};

Sha256::Sha256() : state_(std::make_unique<State>()) { crypto_hash_sha256_init(&state_->state); }
Sha256::~Sha256() = default;

void Sha256::add(std::string_view piece) {
  crypto_hash_sha256_update(&state_->state, reinterpret_cast<const unsigned char*>(piece.data()),
                            piece.size());
}

std::string Sha256::digits() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256_final(&state_->state, hash.data());
  std::string digits;
  for (const unsigned char byte : hash) digits += format("{:02x}", byte);
  return digits;
}

std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digits();
}

}  // namespace planex::base
