#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "gst/main_context.hh"
#include "transport/connections/curl_loop.hh"
#include "units/session_clock.hh"

namespace tributary {

struct Cue {
  Duration begin{}, end{};
  std::string markup;  // of Pango
};

/// All cues of one track.
class Cues {
 public:
  Cues() = default;
  explicit Cues(std::vector<Cue> cues);
  /// The markup to show at that position, cues one below the other; empty: none.
  std::string at(Duration position) const;
  std::size_t size() const { return cues_.size(); }

 private:
  std::vector<Cue> cues_;  // sorted by their beginning
  Duration longest_{};
};

/// Reads WebVTT, with GStreamer's own parser. Throws std::runtime_error.
Cues parse_subtitles(const std::string& webvtt);

/// Fetches a file of subtitles over the first link that can, and reads it, in a thread of its own.
class SubtitleLoader {
 public:
  struct Source {
    std::string url;
    std::vector<std::string> links;  // tried in this order; empty: the routing table chooses
    std::string ca_file;
  };
  /// The loader calls it once, in the thread of the context, unless the loader ends before. `error`: empty if all is
  /// well.
  using Loaded = std::function<void(Cues cues, const std::string& error)>;

  SubtitleLoader(Source source, const MainContext& context, Loaded loaded);
  ~SubtitleLoader();
  SubtitleLoader(const SubtitleLoader&) = delete;
  SubtitleLoader& operator=(const SubtitleLoader&) = delete;

 private:
  void run();
  std::string fetch();

  const Source source_;
  const MainContext& context_;
  const Loaded loaded_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);  // looked at in the context's thread
  transport::CurlLoop loop_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace tributary
