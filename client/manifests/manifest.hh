#pragma once

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "manifests/live/clock_offset.hh"
#include "manifests/manifest_files.hh"
#include "presentation/presentation.hh"
#include "units/text/alternative_addresses.hh"

namespace tributary {

/// A manifest that cannot be played, or is none. The text names the place: "line 14, Period[0]/...: ...".
class ManifestError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A live title of which no segment is there yet.
class NothingPublishedYet : public ManifestError {
 public:
  using ManifestError::ManifestError;
};

class LiveTitle;

struct Opened {
  Opened();
  Opened(Opened&&) noexcept;
  Opened& operator=(Opened&&) noexcept;
  ~Opened();

  Presentation presentation;
  std::vector<std::string> left_out;  // what is not played, and why; for people
  AlternativeAddresses alternatives;  // of its files; of a live one, as they were at its beginning
  std::unique_ptr<LiveTitle> live;    // an MPD or playlists that go on (live/live_title.hh); null for others
};

/// When a manifest was found, and for whom.
struct ManifestMoment {
  UtcTime now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());  // by our clock
  UtcTime sent = now;  // when it was asked for
  ClockOffset origin{};
  bool by_parts = false;  // of a live title, partial segments take the place of segments: for low latency
};

/// The presentation of a manifest of any kind: index.json, an MPD (ISO/IEC 23009-1), a multivariant or media playlist
/// (RFC 8216). `url`: its absolute address, after redirects. Fetches what else is needed: playlists, segment indexes.
/// Sizes that nobody states are estimates. Addresses of MPDs and playlists are absolute in what it returns.
///
/// Throws ManifestError, or NothingPublishedYet, and what `fetch` throws. What cannot be played is refused before any media is fetched.
Opened open_manifest(const std::string& text, const std::string& url, const FetchFiles& fetch,
                     const ManifestMoment& moment = {});

}  // namespace tributary
