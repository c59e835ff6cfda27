#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cues/text_file.hh"
#include "gst/main_context.hh"
#include "playback/side_loader.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// The cues of one file.
class Cues : public SideContent {
 public:
  explicit Cues(TextFile file);
  /// The cues to show at that time of the file, in the order of their beginnings.
  std::vector<const Cue*> at(Duration time) const;
  TextFile::Clock clock() const { return clock_; }
  Duration zero() const { return zero_; }

 private:
  std::vector<Cue> cues_;  // sorted by their beginnings
  Duration longest_{};
  TextFile::Clock clock_;
  Duration zero_;
};

/// Where a file's cues belong.
struct PlacedCues {
  const Cues* cues;
  Duration start{};               // of the file, as the manifest counts time
  std::optional<Duration> shift;  // from times of the media to those of the manifest; nothing: not known yet
};

/// The markup to show at that time of the manifest, cues one below the other; empty: none. A cue that a file repeats is
/// shown once.
std::string shown_at(Duration time, const std::vector<PlacedCues>& files);

/// One text of a title as it is played: fetches its files round the place of playout, and knows what is to be shown.
class ShownText {
 public:
  struct Source {
    const Track& track;  // a text
    Duration zero{};     // when the title begins, as the manifest counts time
    std::string manifest;
    transport::LinkRules rules{};
  };
  struct Calls {
    /// How far times of the media are ahead of the timeline there, as the picture was measured; nothing: not known.
    std::function<std::optional<Duration>(Duration position)> ahead;
    std::function<std::vector<std::string>()> links;       // see links_for_side_files
    std::function<void(const std::string& error)> failed;  // in the thread of the context
  };
  ShownText(const Source& source, const MainContext& context, Calls calls);
  ~ShownText();
  ShownText(const ShownText&) = delete;
  ShownText& operator=(const ShownText&) = delete;

  /// The markup to show at that position. Asks for files that will be needed soon.
  std::string at(Duration position);

 private:
  const Duration zero_;
  const bool live_playlist_;
  const Calls calls_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // looked at in the context's thread
  SideLoader loader_;
};

}  // namespace tributary
