#include "segmenter/live/live_input.hh"

#include <algorithm>
#include <array>
#include <span>
#include <thread>

namespace tributary::segmenter {
namespace {

using namespace std::chrono_literals;

/// A sender that is silent for this time has gone away. A shorter silence may be the network's; the picture stands
/// meanwhile.
constexpr Duration kSilence = 5s;
/// A server that has not answered by then is asked again.
constexpr Duration kAnswer = 20s;
/// The pause before a source that cannot be opened is tried again.
constexpr Duration kPause = 500ms;

bool is_one_of(std::span<const std::string_view> kinds, const std::string& input) {
  return std::ranges::any_of(kinds, [&](std::string_view kind) { return input.starts_with(kind); });
}

bool is_device(const std::string& input) {
  constexpr std::array<std::string_view, 2> kDevices{"v4l2:", "x11:"};
  return is_one_of(kDevices, input);
}

bool can_be_opened_again(const std::string& input) { return can_be_read_again(input) && !input.starts_with("lavfi:"); }

/// The format for the sound that a sender does not have yet.
SoundFormat sound_to_come() { return {AV_SAMPLE_FMT_FLTP, 48000, "stereo", 2, {}, {1, 48000}}; }

std::int64_t ticks_of_picture(const PictureFormat& format) {
  return std::max<std::int64_t>(1, av_rescale_q(1, AVRational{format.rate.den, format.rate.num}, format.time_base));
}

}  // namespace

bool is_sender(const std::string& input) {
  constexpr std::array<std::string_view, 7> kSenders{"udp:", "rtp:", "srt:", "rtmp:", "rtsp:", "rtsps:", "tcp:"};
  return is_one_of(kSenders, input);
}

LiveInput::LiveInput(std::string input, bool repeat, SoundChoice sounds, int fastest, const std::atomic<bool>& stop,
                     const OnSenderFailure& on_sender_failure)
    : input_{std::move(input)},
      repeat_{repeat},
      sounds_{sounds},
      comes_by_itself_{is_sender(input_) || is_device(input_)},
      stop_{stop} {
  open_first(on_sender_failure);
  picture_ = decoder_->picture();
  rate_ = choose_picture_rate(picture_.stated_rate, fastest);
  picture_.rate = rate_.rate;
  title_ = decoder_->title();
  if (!decoder_->sounds().empty()) {
    sound_ = decoder_->sounds().front();
  } else if (sounds_ != SoundChoice::kNone && is_sender(input_)) {
    sound_ = sound_to_come();
  }
}

SourceDamage LiveInput::damage() const {
  SourceDamage damage = damage_;
  if (decoder_) damage += decoder_->damage();
  return damage;
}

void LiveInput::open(const Patience& patience) {
  Patience both = patience;
  if (is_sender(input_)) both.reading = kSilence;
  if (is_rtsp(input_) && !listens_as_server(input_)) both.opening = std::min(both.opening.value_or(kAnswer), kAnswer);
  decoder_ = std::make_unique<InputDecoder>(input_, sounds_, stop_, 0, both,
                                            comes_by_itself_ ? Pace::kOfSource : Pace::kOfReader);
  start_ = decoder_->first_came().value_or(std::chrono::steady_clock::now());
}

void LiveInput::open_first(const OnSenderFailure& on_sender_failure) {
  while (!decoder_) {
    try {
      open({});
    } catch (const SenderFailure& failure) {
      on_sender_failure(failure.what());
      sleep(kPause);
    }
  }
}

std::optional<Decoded> LiveInput::next() {
  if (!decoder_) return std::nullopt;
  std::optional<Decoded> decoded = next_decoded();
  while (decoded && was_played(*decoded)) decoded = next_decoded();
  if (!decoded && lost_.empty() && !stop_) {
    if (repeat_ && end_ > zero_) {
      begin_again();
      decoded = next_decoded();
    } else if (comes_by_itself_) {
      lose(shown_name(input_) + " has gone away");
    }
  }
  if (!decoded) return std::nullopt;
  AVFrame& frame = *decoded->frame;
  const bool is_picture = decoded->kind == Decoded::Kind::kPicture;
  const AVRational from = is_picture ? decoder_->picture().time_base : decoder_->sounds().front().time_base;
  const AVRational to = is_picture ? picture_.time_base : sound_->time_base;
  frame.pkt_duration = av_rescale_q(frame.pkt_duration, from, to);
  if (frame.pts == AV_NOPTS_VALUE) return decoded;
  frame.pts = av_rescale_q(frame.pts, from, to) + av_rescale_q(zero_, picture_.time_base, to);
  if (is_picture) {
    end_ = std::max(end_, frame.pts + (frame.pkt_duration > 0 ? frame.pkt_duration : ticks_of_picture(picture_)));
    if (!comes_by_itself_) wait_for(frame);
  }
  return decoded;
}

std::optional<Decoded> LiveInput::next_decoded() {
  try {
    return decoder_->next();
  } catch (const Failure& failure) {
    if (failure.code() == ExitCode::kInput) lose(failure.what());
    if (failure.code() == ExitCode::kInput || failure.code() == ExitCode::kInterrupted) return std::nullopt;
    throw;
  } catch (const NoStartThere&) {
    lose(shown_name(input_) + " cannot be read from the middle");
    return std::nullopt;
  }
}

void LiveInput::lose(std::string why) {
  lost_ = std::move(why);
  damage_ += decoder_->damage();
  if (!comes_by_itself_) {
    played_ = end_ - zero_;
    go_on_at_ = decoder_->last_start();
  }
  decoder_.reset();  // frees its port
}

bool LiveInput::returns_within(Duration patience) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  if (!can_be_opened_again(input_)) return false;
  while (!stop_ && std::chrono::steady_clock::now() < give_up) {
    try {
      open({give_up - std::chrono::steady_clock::now(), {}});
      if (go_on_at_.packet > 0) decoder_->go_on_at(go_on_at_);
      zero_ = -played_;
      end_ = 0;
      lost_.clear();
      return true;
    } catch (const Failure& failure) {
      if (failure.code() != ExitCode::kInput && failure.code() != ExitCode::kInterrupted) throw;
    }
    sleep(std::min<Duration>(kPause, give_up - std::chrono::steady_clock::now()));
  }
  return false;
}

bool LiveInput::was_played(const Decoded& decoded) const {
  if (played_ == 0 || decoded.frame->pts == AV_NOPTS_VALUE) return false;
  const bool is_picture = decoded.kind == Decoded::Kind::kPicture;
  const AVRational base = is_picture ? decoder_->picture().time_base : decoder_->sounds().front().time_base;
  return av_compare_ts(decoded.frame->pts, base, played_, picture_.time_base) < 0;
}

void LiveInput::begin_again() {
  damage_ += decoder_->damage();
  zero_ = end_;
  played_ = 0;
  go_on_at_ = {};
  try {
    decoder_ = std::make_unique<InputDecoder>(input_, sounds_, stop_);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::kInterrupted) throw;
  }
}

void LiveInput::wait_for(const AVFrame& picture) {
  const auto due = start_ + from_seconds(static_cast<double>(picture.pts) * av_q2d(picture_.time_base));
  const auto now = std::chrono::steady_clock::now();
  late_ = std::max<Duration>(now - due, Duration{});
  sleep(due - now);
}

/// Sleeps in slices, because the signal to end may reach another thread.
void LiveInput::sleep(Duration duration) const {
  const auto due = std::chrono::steady_clock::now() + duration;
  for (auto now = std::chrono::steady_clock::now(); now < due && !stop_; now = std::chrono::steady_clock::now())
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(due - now, 50ms));
}

}  // namespace tributary::segmenter
