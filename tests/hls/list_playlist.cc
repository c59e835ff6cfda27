// Reads playlists, and says of each in a line what it is or why it is refused.
//   list_playlist FILE...
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "hls/playlist_reader.hh"
#include "hls/unplayable.hh"
#include "units/overloaded.hh"

using namespace tributary;
using namespace tributary::hls;

namespace {

std::string summary(const MultivariantPlaylist& playlist) {
  return std::to_string(playlist.variants.size()) + " variants, " + std::to_string(playlist.renditions.size()) +
         " renditions";
}
std::string summary(const MediaPlaylist& playlist) {
  Duration total{};
  for (const MediaSegment& segment : playlist.segments) total += segment.duration;
  return std::to_string(playlist.segments.size()) + " segments, " + std::to_string(to_seconds(total)) + " s" +
         (playlist.ended ? "" : ", live");
}

std::string told_of(const std::string& text) {
  try {
    return std::visit(
        [](const auto& playlist) {
          const auto why = why_unplayable(playlist);
          return "read " + summary(playlist) + (why ? "; unplayable: " + *why : "");
        },
        read_playlist(text));
  } catch (const PlaylistError& error) {
    return std::string{"refused "} + error.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::ifstream file{argv[i], std::ios::binary};
    const std::string text{std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{}};
    std::printf("%s\n", told_of(text).c_str());
  }
}
