#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "proxy/requests/fields.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// What a player says of itself with a request (CTA-5004, Common Media Client Data). All of it is hearsay: a value that
/// cannot be read, or is beyond any measure, is left out.
struct Cmcd {
  std::optional<Duration> buffered;        // bl: media in the buffer
  std::optional<Duration> deadline;        // dl: from now until the buffer would run dry
  std::optional<Duration> duration;        // d: of the object
  std::optional<DataRate> bitrate;         // br: of the object
  std::optional<DataRate> measured;        // mtp: what the player measures
  bool startup = false;                    // su: needed at once, at the start, after a seek or a stall
  bool starved = false;                    // bs: the buffer ran dry since the request before
  std::optional<std::string> next;         // nor: the next object, relative to this one; percent-encoding taken off
  std::optional<std::string> session;      // sid
  std::optional<std::string> object_type;  // ot: "v" video, "a" audio, "av" both, "m" manifest, "i" init segment...
  std::optional<std::string> stream_type;  // st: "v" VoD, "l" live

  bool operator==(const Cmcd&) const = default;
};

/// Reads the parameter CMCD of the query, and the fields CMCD-Object, -Request, -Session and -Status. Where a key is
/// there twice the first one counts.
Cmcd read_cmcd(std::string_view target, const Fields& fields);

/// The target as it would be without CMCD: the file's own, for the origin.
std::string without_cmcd(std::string_view target);

/// The value of CMSD-Dynamic (CTA-5006): `estimate` is what the player can expect, `most` the bitrate that it should not
/// exceed. Without blanks, which Shaka does not trim.
std::string cmsd_dynamic(DataRate estimate, std::optional<DataRate> most);

}  // namespace tributary::proxy
