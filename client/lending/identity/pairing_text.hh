#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lending/pairing.hh"

namespace tributary::lending {

/// What the two sides of a pairing send each other, as JSON. Reading gives nothing for what is none of it.

struct PairingBegin {  // from the borrower
  std::string name;
  Pairing::SessionId session{};
  Cpace::Share share{};
};
struct PairingAnswer {  // from the lender
  std::string name;
  Cpace::Share share{};
};

std::string text_of(const PairingBegin& begin);
std::string text_of(const PairingAnswer& answer);
std::string text_of(const Pairing::Proof& proof);

std::optional<PairingBegin> read_pairing_begin(std::string_view text);
std::optional<PairingAnswer> read_pairing_answer(std::string_view text);
std::optional<Pairing::Proof> read_proof(std::string_view text);

}  // namespace tributary::lending
