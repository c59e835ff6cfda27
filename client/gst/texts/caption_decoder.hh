#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "units/session_clock.hh"

struct AVCodecContext;

namespace tributary {

/// The two streams of captions in the lines of a television picture (CTA-608).
enum class CaptionField { kFirst, kSecond };

/// Knows the text of closed captions (CTA-608) after each picture. Decoded by libavcodec, which shows the first channel
/// of a field: CC1 of the first, CC3 of the second.
class CaptionDecoder {
 public:
  explicit CaptionDecoder(CaptionField field);
  ~CaptionDecoder();

  /// False where libavcodec was built without the decoder; then there is never a text.
  bool works() const { return context_ != nullptr; }
  /// Of pictures in the order in which they are shown. `data`: the cc_data of one picture, groups of three bytes (ATSC A/53
  /// part 4 section 6.2.3). The markup to show from then on, empty for none; nothing: as before.
  std::optional<std::string> take(Duration time, std::span<const std::byte> data);

 private:
  struct Free {
    void operator()(AVCodecContext* context) const;
  };
  std::unique_ptr<AVCodecContext, Free> context_;
};

/// The text of a line of ASS, as libavcodec writes it: "0,0,Default,,0,0,0,,{\\an7}one\\Ntwo".
std::string markup_of_ass(std::string_view line);

}  // namespace tributary
