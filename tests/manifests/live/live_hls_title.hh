#pragma once

#include <string>
#include <vector>

#include "manifests/live/live_title.hh"
#include "manifests/manifest.hh"

/// The live title of the tests of playlists: two qualities and a sound.
namespace tributary::live_hls_test {

inline constexpr const char* kUrl = "https://live.example/a/master.m3u8";
inline constexpr UtcTime kStart{std::chrono::milliseconds{1'700'000'000'000}};

inline constexpr const char* kMaster = R"(#EXTM3U
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="sound",URI="sound/list.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=500000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=320x180,AUDIO="a"
low/list.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d401f,mp4a.40.2",RESOLUTION=640x360,AUDIO="a"
high/list.m3u8
)";

inline UtcTime at(Duration since_start) { return kStart + std::chrono::floor<std::chrono::milliseconds>(since_start); }

/// Addresses of the files that are due then.
inline std::vector<std::string> due(Opened& opened, Duration since_start) {
  std::vector<std::string> urls;
  for (const WantedFile& file : opened.live->manifest().due(at(since_start))) urls.push_back(file.url);
  return urls;
}

}  // namespace tributary::live_hls_test
