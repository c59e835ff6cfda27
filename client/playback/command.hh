#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/links/link_use.hh"
#include "playback/stream.hh"
#include "units/identifiers.hh"

/// The calls of a stream, as values.
namespace tributary::command {

struct Seek {
  std::uint32_t generation = 0;
  Duration position{};
  std::optional<std::size_t> sound;  // the sound from here on; nothing: as before
};
struct ChooseQuality {
  QualityWish wish;
};
struct UseLink {
  std::string name;
  LinkUse use{};
};
struct Close {};

}  // namespace tributary::command

namespace tributary {

using Command = std::variant<command::Seek, command::ChooseQuality, command::UseLink, PlayoutReport, command::Close>;

}  // namespace tributary
