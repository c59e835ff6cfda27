#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proxy/rewriting/title_files.hh"

namespace tributary::proxy {

/// Knows which files can stand for those of the rendition that players are told of (lead mode). That is the highest rung
/// of a ladder; others stand for it where they have the same media, behind the same keys, for the same decoder. Fetches
/// nothing: what has to be looked at is told, and what was found is told to it. For one thread.
class Leading {
 public:
  /// `files` must outlive it.
  explicit Leading(const TitleFiles& files) : files_{files} {}

  /// The playlists without which `manifest` cannot be handed on: those of its ladders, and, live, those of the ladder that
  /// it leads. Each by its name.
  std::vector<std::string> playlists_for(const std::string& manifest) const;

  /// Whether files of one decoder can stand for those of another.
  struct Doubt {
    std::pair<std::string, std::string> decoders;
    std::optional<MediaFile> announced_init, other_init;
    MediaFile announced, other;  // a segment of each
  };
  /// What has to be looked at, of the ladders of this manifest and of those that it leads. Where a title has many init
  /// segments, the first ones are told.
  std::vector<Doubt> doubts(const std::string& manifest, UtcTime now) const;
  /// `why_not`: nothing if they can.
  void judge(const Doubt& doubt, std::optional<std::string> why_not);

  /// The files that can be given for this one, the lowest rung first, itself last. Empty: itself alone.
  std::vector<MediaFile> qualities(const MediaFile& file, UtcTime now) const;
  /// Those that qualities() gives, as far as it is known: the ladder of a session.
  std::vector<Rung> rungs(const std::string& manifest, UtcTime now) const;

  struct Offer {
    std::set<std::size_t> left_out;      // offers of the manifest that players are not told of
    std::optional<std::string> why_not;  // it is led by none of its ladders
  };
  /// How a manifest with ladders is handed on.
  Offer offer(const std::string& manifest, UtcTime now) const;

 private:
  using Verdicts = std::map<std::pair<std::string, std::string>, std::optional<std::string>>;

  std::vector<const Ladder*> ladders_of(const std::string& manifest) const;
  std::vector<MediaFile> segments_of(const Rung& rung, UtcTime now) const;
  std::string decoder(const Rung& rung, const MediaFile& file, UtcTime now) const;
  std::optional<MediaFile> init_of(const Rung& rung, const MediaFile& file, UtcTime now) const;
  /// The file of the rung that stands for the announced one; else why there is none.
  std::optional<MediaFile> stand_in(const Rung& top, const MediaFile& file, const Rung& rung, UtcTime now,
                                    std::string& why_not) const;
  /// The rungs of the ladder that stand in for its top one at some segment; else why there is none.
  std::vector<const Rung*> usable(const Ladder& ladder, UtcTime now, std::string& why_not) const;

  const TitleFiles& files_;
  Verdicts verdicts_;  // by decoders; the announced one is the first
};

}  // namespace tributary::proxy
