#include "segmenter/live_input.hh"

#include <algorithm>
#include <array>
#include <thread>

namespace tributary::segmenter {
namespace {

bool comes_by_itself(const std::string& input) {
  constexpr std::array<std::string_view, 7> kSources{
      "udp:", "rtp:", "srt:", "rtmp:", "rtsp:", "v4l2:", "x11:"};
  return std::ranges::any_of(kSources, [&](std::string_view source) { return input.starts_with(source); });
}

std::int64_t ticks_of_picture(const PictureFormat& format) {
  return std::max<std::int64_t>(
      1, av_rescale_q(1, AVRational{format.rate.den, format.rate.num}, format.time_base));
}

}  // namespace

LiveInput::LiveInput(std::string input, bool repeat, SoundChoice sounds, const std::atomic<bool>& stop)
    : input_{std::move(input)},
      repeat_{repeat},
      sounds_{sounds},
      paced_{!comes_by_itself(input_)},
      stop_{stop} {
  decoder_ = std::make_unique<InputDecoder>(input_, sounds_, stop_);
  start_ = std::chrono::steady_clock::now();
}

std::optional<Decoded> LiveInput::next() {
  std::optional<Decoded> decoded = next_decoded();
  if (!decoded && repeat_ && !stop_ && end_ > zero_) {
    begin_again();
    decoded = next_decoded();
  }
  if (!decoded) return std::nullopt;
  AVFrame& frame = *decoded->frame;
  const bool is_picture = decoded->kind == Decoded::Kind::kPicture;
  if (frame.pts == AV_NOPTS_VALUE) return decoded;
  const AVRational time_base = is_picture ? picture().time_base : sound()->time_base;
  frame.pts += av_rescale_q(zero_, picture().time_base, time_base);
  if (is_picture) {
    end_ = std::max(end_,
                    frame.pts + (frame.pkt_duration > 0 ? frame.pkt_duration : ticks_of_picture(picture())));
    if (paced_) wait_for(frame);
  }
  return decoded;
}

std::optional<Decoded> LiveInput::next_decoded() {
  try {
    return decoder_->next();
  } catch (const Failure& failure) {
    if (failure.code() == ExitCode::kInterrupted) return std::nullopt;
    throw;
  }
}

void LiveInput::begin_again() {
  damaged_ += decoder_->damaged_packets();
  zero_ = end_;
  try {
    decoder_ = std::make_unique<InputDecoder>(input_, sounds_, stop_);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::kInterrupted) throw;
  }
}

/// In slices: the signal that ends it may reach another thread.
void LiveInput::wait_for(const AVFrame& picture) const {
  using namespace std::chrono_literals;
  const auto due =
      start_ + from_seconds(static_cast<double>(picture.pts) * av_q2d(decoder_->picture().time_base));
  for (auto now = std::chrono::steady_clock::now(); now < due && !stop_;
       now = std::chrono::steady_clock::now())
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(due - now, 50ms));
}

}  // namespace tributary::segmenter
