#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "units/byte_range.hh"
#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary {

/// A file that a manifest names, or bytes of it.
struct WantedFile {
  std::string url;                     // absolute
  std::optional<ByteRange> range;      // nothing: the whole file
  std::optional<Duration> at_most{};   // for the answer; nothing: as long as it takes
  std::vector<std::string> also_at{};  // absolute addresses of the same file, asked if the first does not give it
  bool may_fail = false;               // it is left out then (FetchedFile::failure), if others can be had
};

struct FetchedFile {
  std::string url;  // where it was found, after redirects
  std::string bytes{};
  bool unchanged = false;                          // since it was fetched last; `bytes` is empty then
  std::optional<std::chrono::sys_seconds> date{};  // of the answer, by the origin's clock
  UtcTime sent{}, received{};                      // by our clock
  std::string failure{};                           // why it cannot be had; empty: it is there
};

/// Fetches all of these, in any order, and returns them in the order asked. Throws std::runtime_error if one cannot be
/// had that may not fail; its text names the file.
using FetchFiles = std::function<std::vector<FetchedFile>(std::span<const WantedFile>)>;

}  // namespace tributary
