#include "player/player_fixture.hh"

#include <chrono>
#include <thread>

#include "gst/gst_handles.hh"

namespace tributary::testing {
namespace {

PictureSize size_of(GstSample* frame) {
  GstVideoInfo info;
  gst_video_info_from_caps(&info, gst_sample_get_caps(frame));
  return {GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info)};
}

}  // namespace

Player& PlayerTest::make(DirectoryPlan plan, Player::Options options) {
  options.open = open_directory(std::move(plan));
  return make(std::move(options));
}

Player& PlayerTest::make(Player::Options options) {
  if (options.audio_sink == Player::Options{}.audio_sink) options.audio_sink = "fakesink sync=true";
  options.latest.reset();
  player_ = std::make_unique<Player>(std::move(options), notes_, [this](GstSample* frame) {
    const GstClockTime pts = GST_BUFFER_PTS(gst_sample_get_buffer(frame));
    GstSample* whole = nullptr;
    if (const GstStructure* const info = gst_sample_get_info(frame))
      gst_structure_get(info, "whole", GST_TYPE_SAMPLE, &whole, nullptr);
    const GstHandle<GstSample> made_of{whole != nullptr ? whole : gst_sample_ref(frame)};
    const std::lock_guard lock{mutex_};
    shown_.push_back({read_picture(made_of.get()), Duration{static_cast<Duration::rep>(pts)}, size_of(frame),
                      size_of(made_of.get())});
  });
  return *player_;
}

bool PlayerTest::wait_until(const std::function<bool()>& so, Duration at_most) {
  const auto until = std::chrono::steady_clock::now() + at_most;
  while (!so()) {
    if (std::chrono::steady_clock::now() >= until) return false;
    if (g_main_context_iteration(nullptr, FALSE) == FALSE) std::this_thread::sleep_for(std::chrono::milliseconds{1});
  }
  return true;
}

bool PlayerTest::wait_for_state(PlayerState state, Duration at_most) {
  return wait_until([&] { return player_->state() == state; }, at_most);
}

void PlayerTest::run_for(Duration time) {
  wait_until([] { return false; }, time);
}

std::vector<ShownFrame> PlayerTest::shown() const {
  const std::lock_guard lock{mutex_};
  return shown_;
}

std::vector<unsigned> PlayerTest::frames() const {
  std::vector<unsigned> frames;
  for (const ShownFrame& frame : shown()) frames.push_back(frame.mark ? frame.mark->frame : ~0u);
  return frames;
}

std::optional<PictureMark> PlayerTest::last_mark() const {
  const std::lock_guard lock{mutex_};
  return shown_.empty() ? std::nullopt : shown_.back().mark;
}

void PlayerTest::forget() {
  const std::lock_guard lock{mutex_};
  shown_.clear();
}

void overwrite(MediaBytes& bytes, std::string_view box, std::size_t from, std::size_t count, std::byte with) {
  const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  const std::size_t begin = text.find(box);
  ASSERT_NE(begin, std::string_view::npos);
  for (std::size_t i = 0; i < count; ++i) bytes.at(begin + box.size() + from + i) = with;
}

}  // namespace tributary::testing
