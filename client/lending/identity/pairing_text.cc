#include "lending/identity/pairing_text.hh"

#include <nlohmann/json.hpp>
#include <span>

#include "lending/identity/peers.hh"
#include "presentation/json/json_node.hh"

namespace tributary::lending {
namespace {

constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

std::string encoded(std::span<const std::byte> bytes) {
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), bonding::as_unsigned(bytes), bytes.size(), kVariant);
  text.pop_back();  // the zero at the end
  return text;
}

/// Refuses what does not have the size of `bytes`.
void read_bytes(const JsonNode& node, std::span<unsigned char> bytes) {
  const std::string text = node.text();
  std::size_t size = 0;
  const char* end = nullptr;
  const int refused =
      sodium_base642bin(bytes.data(), bytes.size(), text.data(), text.size(), nullptr, &size, &end, kVariant);
  if (refused != 0 || size != bytes.size() || end != text.data() + text.size()) node.refuse("bytes that are none");
}

template <typename Bytes>
std::span<unsigned char> writable(Bytes& bytes) {
  return {bonding::as_unsigned(bytes.data()), bytes.size()};
}

/// Nothing: the text is not JSON, or `take` refuses it.
template <typename Read>
auto read_document(std::string_view text, Read take) -> std::optional<decltype(take(std::declval<JsonNode>()))> {
  try {
    const nlohmann::json document = parse_json(text);
    return take(JsonNode{document, ""});
  } catch (const JsonError&) {
    return std::nullopt;
  }
}

}  // namespace

std::string text_of(const PairingBegin& begin) {
  return nlohmann::json{{"name", begin.name}, {"session", encoded(begin.session)}, {"share", encoded(begin.share)}}
      .dump();
}

std::string text_of(const PairingAnswer& answer) {
  return nlohmann::json{{"name", answer.name}, {"share", encoded(answer.share)}}.dump();
}

std::string text_of(const Pairing::Proof& proof) { return nlohmann::json{{"proof", encoded(proof.bytes())}}.dump(); }

std::optional<PairingBegin> read_pairing_begin(std::string_view text) {
  return read_document(text, [](const JsonNode& node) {
    PairingBegin begin{.name = as_peer_name(node.member("name").text())};
    read_bytes(node.member("session"), writable(begin.session));
    read_bytes(node.member("share"), writable(begin.share));
    return begin;
  });
}

std::optional<PairingAnswer> read_pairing_answer(std::string_view text) {
  return read_document(text, [](const JsonNode& node) {
    PairingAnswer answer{.name = as_peer_name(node.member("name").text())};
    read_bytes(node.member("share"), writable(answer.share));
    return answer;
  });
}

std::optional<Pairing::Proof> read_proof(std::string_view text) {
  return read_document(text, [](const JsonNode& node) {
    Pairing::Proof proof;
    read_bytes(node.member("proof"), {proof.data(), Pairing::Proof::kSize});
    return proof;
  });
}

}  // namespace tributary::lending
