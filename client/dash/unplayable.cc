#include "dash/unplayable.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <vector>

#include "units/text/named_values.hh"
#include "units/text/printed_text.hh"

namespace tributary::dash {
namespace {

constexpr std::string_view kEncrypted = "urn:mpeg:dash:mp4protection:2011";
/// Systems that have keys (dashif.org/identifiers/content_protection).
constexpr std::array<Named<std::string_view>, 7> kSystems{
    {{"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed", "Widevine"},
     {"urn:uuid:9a04f079-9840-4286-ab92-e65be0885f95", "PlayReady"},
     {"urn:uuid:94ce86fb-07ff-4f43-adb8-93d2fa968ca2", "FairPlay"},
     {"urn:uuid:e2719d58-a985-b3c9-781a-b030af78d30e", "ClearKey"},
     {"urn:uuid:1077efec-c0b2-4d02-ace3-3c1e52e2fb4b", "ClearKey"},
     {"urn:uuid:5e629af5-38da-4063-8977-97ffbd9902d4", "Marlin"},
     {"urn:mpeg:dash:sea:2012", "SEA"}}};

std::optional<std::string> why_unplayable(const Period& period, MediaKind kind, std::string_view what) {
  std::optional<std::string> first;
  for (const AdaptationSet& set : period.sets) {
    if (set.kind != kind || set.trick_mode) continue;
    for (const Representation& one : set.representations) {
      const auto protection = protection_of(one);
      if (!protection) return std::nullopt;
      if (!first) first = protection;
    }
  }
  if (!first) return std::nullopt;
  return fmt::format("{} {}; a player with that licence system is needed, as Tributary decrypts nothing", what, *first);
}

}  // namespace

std::string protection_name(std::string_view scheme) {
  const auto system = value_named(kSystems, scheme);
  return system ? std::string{*system} : printable_line(scheme);
}

std::optional<std::string> protection_of(const Representation& representation) {
  if (representation.protection.empty()) return std::nullopt;
  std::string text = "encrypted";
  std::vector<std::string> systems;
  for (const Protection& protection : representation.protection) {
    if (protection.scheme == kEncrypted) {
      if (!protection.value.empty()) text = fmt::format("encrypted ({})", printable_line(protection.value));
      continue;
    }
    std::string name = protection_name(protection.scheme);
    if (std::ranges::find(systems, name) == systems.end()) systems.push_back(std::move(name));
  }
  if (systems.empty()) return text;
  return fmt::format("{}, with keys from {}", text, fmt::join(systems, " or "));
}

std::optional<std::string> why_unplayable(const Period& period) {
  if (auto why = why_unplayable(period, MediaKind::kVideo, "the picture is")) return why;
  return why_unplayable(period, MediaKind::kAudio, "the sound is");
}

}  // namespace tributary::dash
