#pragma once

#include <optional>
#include <string>

#include "transport/http_transport.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// What the proxy says to the origin with the requests of one file (CTA-5004, Common Media Client Data), if the user wants
/// that. Of what the player says of itself, the origin learns the bitrate and kind of the file, and whether the player
/// starts. Its session and all else stay here: they may name the user.
struct OwnCmcd {
  std::string session;      // sid: made up for each title
  bool dash = false;        // sf: else HLS
  bool live = false;        // st
  std::string object_type;  // ot: "v", "a", "av", "i"; empty: not known
  std::optional<DataRate> bitrate;
  std::optional<Duration> duration;
  std::optional<DataRate> throughput;  // mtp: of all links
  bool startup = false;                // su

  bool operator==(const OwnCmcd&) const = default;
};

/// CMCD-Object, -Request and -Session. `due_in`: until the player needs the file, at the time of the request. Values are
/// rounded as CTA-5004 has it.
transport::RequestFields cmcd_fields(const OwnCmcd& said, std::optional<Duration> due_in);

/// A session's name: random, in the form of RFC 9562.
std::string made_up_session();

/// The kind of object, as a player says it or as the type of the file tells; empty: neither does.
std::string object_type(const std::optional<std::string>& said, bool init, std::string_view content_type);

}  // namespace tributary::proxy
