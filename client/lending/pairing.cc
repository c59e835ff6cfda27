#include "lending/pairing.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tributary::lending {
namespace {

using bonding::as_unsigned;

constexpr std::uint32_t kCodes = 1'000'000;
constexpr std::size_t kDigits = 6;
constexpr std::string_view kPurpose = "tributary lending";

/// Whom the code is meant to join: a key for others is another key.
bonding::Bytes channel_of(const Pairing::Ends& ends) {
  const auto purpose = std::as_bytes(std::span{kPurpose});
  bonding::Bytes channel(purpose.begin(), purpose.end());
  channel.insert(channel.end(), ends.borrower.begin(), ends.borrower.end());
  channel.insert(channel.end(), ends.lender.begin(), ends.lender.end());
  return channel;
}

Cpace::Role role_of(Pairing::Side side) {
  return side == Pairing::Side::kBorrower ? Cpace::Role::kInitiator : Cpace::Role::kResponder;
}

}  // namespace

std::string new_pairing_code() {
  if (sodium_init() < 0) throw std::runtime_error{"libsodium cannot be used"};
  return fmt::format("{:06}", randombytes_uniform(kCodes));
}

std::optional<std::string> read_pairing_code(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c == ' ' || c == '-') continue;
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) return std::nullopt;
    digits += c;
  }
  return digits.size() == kDigits ? std::optional{digits} : std::nullopt;
}

Pairing::Pairing(Side side, std::string_view code, const Ends& ends, const SessionId& session)
    : side_{side}, exchange_{role_of(side), {code, channel_of(ends), session}, {}} {}

Pairing::SessionId Pairing::new_session() {
  if (sodium_init() < 0) throw std::runtime_error{"libsodium cannot be used"};
  SessionId id{};
  randombytes_buf(id.data(), id.size());
  return id;
}

bool Pairing::take_share(const Cpace::Share& other) {
  const auto key = exchange_.key_with(other, {});
  if (key) key_ = *key;
  return key.has_value();
}

bool Pairing::is_proved_by(const Proof& other) const {
  return other == proof_of(side_ == Side::kBorrower ? Side::kLender : Side::kBorrower);
}

Pairing::Proof Pairing::proof_of(Side side) const {
  const std::string_view name = side == Side::kBorrower ? "borrower" : "lender";
  const auto bytes = std::as_bytes(std::span{name});
  Proof proof;
  crypto_auth_hmacsha512_state state;
  crypto_auth_hmacsha512_init(&state, key_.data(), Cpace::Key::kSize);
  crypto_auth_hmacsha512_update(&state, as_unsigned(bytes), bytes.size());
  crypto_auth_hmacsha512_final(&state, proof.data());
  return proof;
}

}  // namespace tributary::lending
