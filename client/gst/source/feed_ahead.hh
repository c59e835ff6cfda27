#pragma once

#include <memory>
#include <string>

#include "gst/source/media_feed.hh"

namespace tributary {

/// A feed that begins before there is a player, so that manifest and first segment come while a program makes its window.
/// FeedAhead keeps what the feed tells until then.
class FeedAhead {
 public:
  struct Title {
    std::string url;
    Duration start{};
    QualityWish quality{};
  };

  /// Begins.
  FeedAhead(Title title, const Stream::Options& options, OpenFeed open = open_stream);
  ~FeedAhead();

  /// As OpenFeed. The first call gets the feed that was begun, if it is for this address; all others begin one.
  std::unique_ptr<MediaFeed> open(const std::string& url, const Stream::Options& options, StreamListener& listener);

 private:
  class Begun;

  const std::string url_;
  const OpenFeed open_;
  std::unique_ptr<Begun> begun_;
};

}  // namespace tributary
