#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "segmenter/input_decoder.hh"

namespace tributary::segmenter {

/// A source as it is broadcast: a file, standard input or a generated picture no faster than it plays, anything else as
/// fast as it comes; a file again and again if wanted, its timeline going on.
class LiveInput {
 public:
  /// Only a file can be repeated. Throws Failure (input). The flag ends it; it must live longer. Its clock starts when it
  /// is made.
  LiveInput(std::string input, bool repeat, SoundChoice sounds, const std::atomic<bool>& stop);

  const PictureFormat& picture() const { return decoder_->picture(); }
  /// Null without sound.
  const SoundFormat* sound() const { return decoder_->sounds().empty() ? nullptr : &decoder_->sounds().front(); }
  std::uint64_t damaged_packets() const { return damaged_ + decoder_->damaged_packets(); }

  /// Waits until a picture is due. Nothing at the end, or when told to stop.
  std::optional<Decoded> next();

 private:
  std::optional<Decoded> next_decoded();
  void begin_again();
  void wait_for(const AVFrame& picture) const;

  std::string input_;
  bool repeat_;
  SoundChoice sounds_;
  bool paced_;
  const std::atomic<bool>& stop_;
  std::unique_ptr<InputDecoder> decoder_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::int64_t zero_ = 0, end_ = 0;  // of the current round, in the time base of the picture
  std::uint64_t damaged_ = 0;        // in earlier rounds
};

}  // namespace tributary::segmenter
