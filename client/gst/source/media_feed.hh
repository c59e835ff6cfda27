#pragma once

#include <functional>
#include <memory>
#include <string>

#include "playback/stream.hh"

namespace tributary {

/// The calls of Stream that a source element needs, with the same contract (playback/stream.hh).
class MediaFeed {
 public:
  virtual ~MediaFeed() = default;
  virtual std::uint32_t seek(Duration position) = 0;
  virtual std::uint32_t choose_sound(std::size_t track, Duration position) = 0;
  virtual void choose_quality(const QualityWish& wish) = 0;
  virtual void use_link(const std::string& name, LinkUse use) = 0;
  virtual void report(const PlayoutReport& report) = 0;
  virtual StreamStatus status() const = 0;
};

using OpenFeed = std::function<std::unique_ptr<MediaFeed>(const std::string& url, const Stream::Options& options,
                                                          StreamListener& listener)>;

/// The feed of real use: a Stream.
std::unique_ptr<MediaFeed> open_stream(const std::string& url, const Stream::Options& options,
                                       StreamListener& listener);

}  // namespace tributary
