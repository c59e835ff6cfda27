#include "made_up_title.hh"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tributary::testing {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr double kPast = 240;        // seconds of history at the start
constexpr double kDeath = -40;       // when the dead link died
constexpr double kStallBegin = -31;  // and playout stalled
constexpr double kStallEnd = -27;

Track track(const char* id, TrackKind kind, const char* language) {
  Track result;
  result.id = id;
  result.kind = kind;
  result.label.language = language;
  return result;
}

Track picture(const char* id, int height) {
  Track result = track(id, TrackKind::kVideo, "");
  result.height = height;
  result.width = height * 16 / 9;
  return result;
}

}  // namespace

MadeUpTitle::MadeUpTitle(const std::string& url) {
  const std::size_t end = url.rfind('/');
  const std::size_t begin = url.rfind('/', end - 1);
  name_ = url.substr(begin + 1, end - begin - 1);
}

std::optional<PlayerProblem> MadeUpTitle::problem() const {
  if (name_ == "broken") {
    return PlayerProblem{.fatal = true,
                         .what = sentence("There is no server named {}.", "made.up"),
                         .advice = "Look whether the address is right, and whether there is a network.",
                         .detail =
                             "cannot fetch http://made.up/broken/index.json:\n  wlan0: made.up: Name or service "
                             "not known\n  wwan0: made.up: Name or service not known"};
  }
  if (name_ == "silent") {
    return PlayerProblem{.fatal = false,
                         .what = "Playing without sound: nothing decodes MPEG-4 AAC",
                         .advice = "Install it with: apt install gstreamer1.0-libav",
                         .detail = "no element for audio/mpeg, mpegversion=4"};
  }
  return std::nullopt;
}

StreamInfo MadeUpTitle::info() const {
  StreamInfo info;
  info.presentation.tracks = {picture("low", 240),
                              picture("medium", 480),
                              picture("high", 720),
                              picture("super", 1080),
                              track("audio", TrackKind::kAudio, "eng"),
                              track("audio-2", TrackKind::kAudio, "deu"),
                              track("sub-en", TrackKind::kText, "eng"),
                              track("sub-de", TrackKind::kText, "deu")};
  info.qualities = {0, 1, 2, 3};
  info.sounds = {4, 5};
  info.texts = {6, 7};
  info.sound = 4;
  info.live = live();
  if (name_ == "titled") {
    info.presentation.title = "Fjord & <Fell>";
    info.presentation.chapters = {{{}, "Sea"}, {seconds{120}, ""}, {seconds{300}, "Land"}};
  }
  const char* const sheet = std::getenv("TRIBUTARY_THUMBNAILS");
  if (name_ == "thumbnails" && sheet != nullptr) {
    info.presentation.thumbnails.stretches.push_back({});
    info.presentation.thumbnails.files.push_back({{sheet, {}, true}, {}, duration({}), 0, {.columns = 2, .rows = 1}});
  }
  return info;
}

Duration MadeUpTitle::duration(Duration now) const { return live() ? seconds{600} + now : seconds{754}; }

std::vector<MadeUpTitle::MadeUpLink> MadeUpTitle::links() const {
  if (name_ == "thumbnails") return {{"lo", "loopback", 3.8, milliseconds{1}}};  // which the sheet comes over
  std::vector<MadeUpLink> links{{"wlan0", "wifi", 3.8, milliseconds{18}}, {"wwan0", "cellular", 2.1, milliseconds{64}}};
  if (name_ == "three-links") links.push_back({"eth0", "ethernet", 8.5, milliseconds{9}});
  return links;
}

bool MadeUpTitle::dead(std::size_t index, double at) const {
  return (name_ == "dead-link" && index == 0 && at > kDeath) || (name_ == "stalled" && at > -6);
}

double MadeUpTitle::rate(const MadeUpLink& link, std::size_t index, double at) const {
  if (dead(index, at)) return 0;
  const auto phase = static_cast<double>(index);
  const double wave = 1 + 0.2 * std::sin(at / 7 + 2 * phase) + 0.12 * std::sin(at / 1.7 + phase);
  const bool rests = name_ != "stalled" && std::fmod(std::abs(at) + 5 * phase, 23) < 2;  // the buffer is full
  return rests ? 0 : link.megabits * wave;
}

LinkStatus MadeUpTitle::link_status(std::size_t index, double at) const {
  const std::vector<MadeUpLink> all = links();
  const MadeUpLink& link = all.at(index);
  double lately = 0, mine_lately = 0, mine = 0;  // shares are of the last 15 s
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (double t = at - 60; t < at; t += 0.5) {
      const double rate_then = rate(all[i], i, t);
      if (i == index) mine += rate_then;
      if (t < at - 15) continue;
      lately += rate_then;
      if (i == index) mine_lately += rate_then;
    }
  }
  const double now = rate(link, index, at);
  LinkStatus status;
  status.id = static_cast<LinkId>(index);
  status.name = link.name;
  status.kind = link.kind;
  status.rate_now = DataRate::bits_per_second(now * 1e6);
  status.rate_last_minute = DataRate::bits_per_second(mine / 120 * 1e6);
  status.share = lately > 0 ? mine_lately / lately : 0;
  status.received = DataSize{static_cast<std::int64_t>((mine / 120) * (kPast + at) * 1e6 / 8)};
  status.round_trip = link.round_trip;
  if (name_ == "metered" && index == 1)
    status.cost = {.kind = CostKind::kMetered,
                   .allowed = {},
                   .why_not_more = {},
                   .cap = DataSize{500'000'000},
                   .used_before = DataSize{120'000'000}};
  if (dead(index, at)) {
    status.activity = name_ == "stalled" ? LinkActivity::kSuspect : LinkActivity::kAvoided;
    status.silent = seconds{6};
    status.failure = FailureReason::kReset;
    status.avoided_for = seconds{12};
    status.why = name_ == "stalled" ? "no byte for 6.0 s, 180 kB owed"
                                    : "left alone for 12.0 s more: reset: Connection reset by peer";
    status.outstanding = name_ == "stalled" ? 2 : 0;
    status.outstanding_bytes = DataSize{status.outstanding * 90'000};
  } else if (now > 0) {
    status.activity = LinkActivity::kUsed;
    status.outstanding = 2;
    status.outstanding_bytes = DataSize{184'000};
  }
  return status;
}

StreamStatus MadeUpTitle::status(Duration now, Duration position) const {
  StreamStatus status;
  status.now = TimePoint{from_seconds(kPast) + now};
  const double at = to_seconds(now);
  if (name_ == "opening") {
    status.waiting_for = "no link leads to http://made.up: wlan0 has no carrier";
    return status;
  }
  if (name_ == "broken") return status;
  DataRate total;
  for (std::size_t i = 0; i < links().size(); ++i) {
    status.links.push_back(link_status(i, at));
    total += status.links.back().rate_now;
  }
  for (double t = std::max(at - 300, -kPast); t <= at; t += 0.5) {
    StatusSample sample;
    sample.at = TimePoint{from_seconds(kPast + t)};
    sample.buffered = from_seconds(9.5 + 2 * std::sin(t / 11) + std::fmod(t + kPast, 2) / 2);
    sample.quality = static_cast<QualityIndex>(t < -200 ? 1 : t < -150 ? 2 : std::sin(t / 30) > 0.85 ? 2 : 3);
    if (name_ == "dead-link" && t > kDeath) {
      sample.buffered = from_seconds(t < kStallBegin ? (kStallBegin - t)
                                     : t < kStallEnd ? 0
                                                     : std::min(9.0, t - kStallEnd));
      sample.quality = static_cast<QualityIndex>(t < kStallEnd ? 0 : t < 0 ? 1 : 2);
      sample.stalled = t >= kStallBegin && t < kStallEnd;
    }
    if (stalls()) {
      sample.buffered = from_seconds(std::max(0.0, -t * 1.5 - 1));
      sample.stalled = t > -2;
    }
    for (std::size_t i = 0; i < links().size(); ++i) {
      sample.rates.push_back(DataRate::bits_per_second(rate(links()[i], i, t) * 1e6));
    }
    status.history.push_back(sample);
  }
  status.buffered = status.history.back().buffered;
  status.quality = status.history.back().quality;
  status.throughput = total;
  status.available = duration(now);
  if (live()) {
    status.window_start = duration(now) - seconds{120};
    status.behind_live = duration(now) - position;
    status.skipped = 2;
  }
  if (name_ == "dead-link") {
    status.stalls = 2;
    status.last_stall = StallStatus{
        .at = TimePoint{from_seconds(kPast + kStallBegin)},
        .length = from_seconds(kStallEnd - kStallBegin),
        .over = true,
        .reason = {.cause = StallReason::Cause::kLinkSlow,
                   .link = "wlan0",
                   .rate = DataRate::bits_per_second(0.2e6),
                   .expected = DataRate::bits_per_second(3.8e6),
                   .remedy = StallReason::Remedy::kOtherLink,
                   .other_link = "wwan0",
                   .quality = {}},
        .detail =
            "segment 104 (super) 4.000 s late, due at 209.000 s: picture, bytes 1000000-1082371 on wlan0, asked "
            "for at 205.200 s, estimated at 3800 kbit/s and so expected at 205.373 s, came at 213.000 s, at 200 "
            "kbit/s; on wwan0, at the 2100 kbit/s that it had, they would have been here at 207.600 s, in time by "
            "1.400 s"};
  } else if (stalls()) {
    status.stalls = 1;
    status.last_stall = StallStatus{.at = TimePoint{from_seconds(kPast - 2)},
                                    .length = now + seconds{2},
                                    .over = false,
                                    .reason = {.cause = StallReason::Cause::kLinkSilent,
                                               .link = "wlan0",
                                               .rate = {},
                                               .expected = {},
                                               .other_link = {},
                                               .quality = {}},
                                    .detail = "late: segment 120 misses 180000 bytes"};
  }
  return status;
}

}  // namespace tributary::testing
