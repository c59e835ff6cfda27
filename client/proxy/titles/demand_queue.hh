#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "core/links/link_use.hh"
#include "playback/call_queue.hh"
#include "proxy/files/incoming_file.hh"
#include "proxy/titles/demanded_files.hh"

/// The calls of DemandedFiles, as values.
namespace tributary::proxy::demand {

struct Want {
  std::uint64_t number = 0;
  WantedMedia wanted;
  std::shared_ptr<IncomingFile> file;
};
struct Due {
  std::uint64_t number = 0;
  std::optional<Duration> in;
  std::optional<Duration> player_lasts{};  // nothing: as before
};
struct NotWanted {
  std::uint64_t number = 0;
};
struct UseLink {
  std::string name;
  LinkUse use{};
};
struct Expect {};
struct Close {};

}  // namespace tributary::proxy::demand

namespace tributary::proxy {

using DemandCall =
    std::variant<demand::Want, demand::Due, demand::NotWanted, demand::UseLink, demand::Expect, demand::Close>;

/// On their way to the thread of a session.
using DemandQueue = CallQueue<DemandCall>;

}  // namespace tributary::proxy
