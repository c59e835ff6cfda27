#include "manifests/live/live_mpd.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "dash/mpd_error.hh"
#include "dash/reading/mpd_reader.hh"
#include "dash/segments/segment_list.hh"
#include "manifests/manifest.hh"
#include "manifests/mpd_tracks.hh"
#include "transport/connections/origin.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLongestWindow = 6h;   // of what is there when the stream begins; each segment needs memory
constexpr int kMostInWindow = 25'000;     // segments of a track: six hours of such as last a second
constexpr Duration kShortestUpdate = 1s;  // between two fetches of an MPD with a template
constexpr Duration kBetweenDoubts = 3s;   // between two fetches when segments are not there
constexpr Duration kMargin = 10s;         // of what is listed once more, of tracks that are not cut alike
constexpr Duration kFromTheBeginning = -24h;
constexpr Duration kUsualPiece = 500ms;  // of a segment that is available before it begins
constexpr Duration kLeastPiece = 200ms;  // where chunks are single frames

std::chrono::milliseconds ms(Duration time) { return std::chrono::ceil<std::chrono::milliseconds>(time); }
TimePoint point(UtcTime time) { return TimePoint{time.time_since_epoch()}; }

const dash::SegmentTimes* times_of(const dash::Representation& representation) {
  if (const auto* list = std::get_if<dash::ListAddressing>(&representation.addressing)) return &list->times;
  if (const auto* pattern = std::get_if<dash::TemplateAddressing>(&representation.addressing)) return &pattern->times;
  return nullptr;
}

/// How long a segment is: of a timeline, the longest. Nothing: there is one only, or an index.
std::optional<Duration> length_of(const dash::Representation& representation) {
  const auto* times = times_of(representation);
  if (times == nullptr) return std::nullopt;
  const auto of_part = [&](std::int64_t ticks, std::int64_t parts) {
    return from_seconds(static_cast<double>(ticks) / static_cast<double>(parts) / times->timescale);
  };
  if (times->duration) return of_part(*times->duration, times->parts);
  std::optional<Duration> longest;
  for (const dash::TimelineRun& run : times->timeline ? *times->timeline : dash::Timeline{})
    longest = std::max(longest, std::optional{of_part(run.duration, run.parts)});
  return longest;
}

/// A window in which no track has more than kMostInWindow segments.
Duration longest_window(const dash::Mpd& mpd) {
  Duration window = kLongestWindow;
  for (const dash::Period& period : mpd.periods) {
    for (const dash::AdaptationSet& set : period.sets) {
      for (const dash::Representation& representation : set.representations) {
        const auto length = length_of(representation);
        if (length && *length < window / kMostInWindow) window = *length * kMostInWindow;
      }
    }
  }
  return window;
}

/// A timeline lists what there is, whatever our clock says.
bool lists_segments(const dash::Representation& representation) {
  const auto* times = times_of(representation);
  return times != nullptr && times->timeline && !times->timeline->empty() && times->timeline->back().count;
}

/// Whether a clock alone brings further segments: those of a template, or of a timeline that lists what is to come.
bool lists_later_ones(const dash::Representation& representation, const dash::Segments& there) {
  if (!lists_segments(representation)) return true;
  const dash::SegmentTimes& times = *times_of(representation);
  const dash::TimelineRun& last = times.timeline->back();
  if (there.list.empty()) return true;
  const std::int64_t finer = there.timescale / times.timescale;
  return (there.list.back().start + there.list.back().duration) / finer < last.start + *last.count * last.duration;
}

/// What tells the times of a period: its pictures, or its sound.
const dash::Representation& leading(const dash::Period& period) {
  for (const dash::MediaKind kind : {dash::MediaKind::kVideo, dash::MediaKind::kAudio}) {
    const auto found = std::ranges::find_if(
        period.sets, [&](const dash::AdaptationSet& set) { return set.kind == kind && !set.trick_mode; });
    if (found != period.sets.end()) return found->representations.front();
  }
  return period.sets.front().representations.front();
}

/// Periods without a start are available early, and not to be played yet.
std::vector<const dash::Period*> periods_to_play(const dash::Mpd& mpd) {
  std::vector<const dash::Period*> periods;
  for (const dash::Period& period : mpd.periods) {
    if (period.start && !period.sets.empty()) periods.push_back(&period);
  }
  if (periods.empty())
    throw ManifestError{fmt::format("{}: there is no picture, or the start is not known", mpd.periods.front().place)};
  return periods;
}

/// Where a timeline begins, since the period does.
std::optional<Duration> listed_begin(const dash::Representation& representation) {
  const auto* times = times_of(representation);
  if (times == nullptr || !times->timeline || times->timeline->empty()) return std::nullopt;
  const std::int64_t begin = times->timeline->front().start - times->presentation_time_offset;
  return from_seconds(static_cast<double>(begin) / times->timescale);
}

bool grows(const dash::Representation& representation, Duration offset) {
  return offset > Duration{} && !representation.availability_complete &&
         std::holds_alternative<dash::TemplateAddressing>(representation.addressing);
}

/// A segment is available when its first chunk is: chunks last as long as is left of it then.
std::int64_t pieces_of(const dash::Representation& representation, Duration offset) {
  const Duration length = length_of(representation).value_or(Duration{});
  const Duration chunk = offset < length ? length - offset : kUsualPiece;
  return std::max<std::int64_t>(1, std::llround(to_seconds(length) / to_seconds(std::max(chunk, kLeastPiece))));
}

/// Segments are asked for when they are complete. Our clock may be a segment behind the origin's: what a timeline lists
/// counts as complete that much earlier, unless the MPD says that it lists segments before they are. By parts, a segment that
/// is available while it grows has pieces.
void set_availability(dash::Mpd& mpd, bool by_parts) {
  for (dash::Period& period : mpd.periods) {
    for (dash::AdaptationSet& set : period.sets) {
      for (dash::Representation& representation : set.representations) {
        const Duration offset = representation.availability_offset;
        representation.availability_offset = {};
        if (by_parts && (dash::names_parts(representation) || grows(representation, offset))) {
          representation.availability_offset = std::min(offset, Duration{});
          representation.pieces = dash::names_parts(representation) ? 1 : pieces_of(representation, offset);
          continue;
        }
        if (offset > Duration{} || !lists_segments(representation)) continue;
        const auto* times = times_of(representation);
        representation.availability_offset =
            from_seconds(static_cast<double>(times->timeline->back().duration) / times->timescale);
      }
    }
  }
}

}  // namespace

LiveMpd::LiveMpd(dash::Mpd mpd, std::string url, UtcTime now, bool by_parts)
    : url_{std::move(url)},
      next_url_{url_},
      availability_start_{mpd.availability_start.value_or(UtcTime{})},
      zero_{*periods_to_play(mpd).front()->start},
      fetched_{now},
      answered_{now} {
  if (by_parts) by_parts_from_ = since_zero(now);
  read(std::move(mpd), url_);
  periods_.emplace(look(now, kFromTheBeginning).periods);
  expect_next(list(now, since_zero(now) - kMargin), now);
}

bool LiveMpd::goes_by_parts() const {
  return by_parts_from_ && std::ranges::any_of(mpd_.periods, [](const dash::Period& period) {
           return !period.sets.empty() && (dash::names_parts(leading(period)) || leading(period).pieces > 1);
         });
}

UtcTime LiveMpd::zero() const { return availability_start_ + std::chrono::floor<std::chrono::milliseconds>(zero_); }

void LiveMpd::read(dash::Mpd mpd, std::string url) {
  periods_to_play(mpd);
  mpd_ = std::move(mpd);
  url_ = std::move(url);
  set_availability(mpd_, by_parts_from_.has_value());
  longest_window_ = longest_window(mpd_);
  by_timeline_ = std::ranges::any_of(
      mpd_.periods, [](const dash::Period& period) { return !period.sets.empty() && lists_segments(leading(period)); });
  if (!mpd_.locations.empty()) next_url_ = absolute_url(url_, mpd_.locations.front());
}

/// On the timeline of the title. An encoder that was started anew may state another availabilityStartTime.
Duration LiveMpd::begin_of(const dash::Period& period) const {
  return *period.start - zero_ + (mpd_.availability_start.value_or(UtcTime{}) - availability_start_);
}

Duration LiveMpd::depth() const {
  return std::min(mpd_.time_shift_buffer_depth.value_or(longest_window_), longest_window_);
}

/// The same MPD for those who look for segments that end after `after`.
dash::Mpd LiveMpd::window(UtcTime now, Duration after) const {
  dash::Mpd window;
  window.dynamic = mpd_.dynamic;
  window.availability_start = mpd_.availability_start;
  window.publish_time = mpd_.publish_time;
  window.time_shift_buffer_depth = std::clamp(since_zero(now) - after + kMargin, Duration{}, depth());
  return window;
}

/// An MPD holds for minimumUpdatePeriod: segments that begin later may be another period's.
UtcTime LiveMpd::known_until(const dash::Period& period, const dash::Representation& representation,
                             UtcTime now) const {
  const bool goes_on = mpd_.dynamic && mpd_.minimum_update_period && !period.duration;
  const auto* times = times_of(representation);
  if (!goes_on || times == nullptr || lists_segments(representation)) return now;
  const std::int64_t ticks =
      times->timeline && !times->timeline->empty() ? times->timeline->back().duration : times->duration.value_or(0);
  const Duration of_segment = from_seconds(static_cast<double>(ticks) / times->timescale);
  return std::min(now, answered_ + ms(std::max(*mpd_.minimum_update_period, kShortestUpdate) + of_segment));
}

ListedPeriod LiveMpd::listed(const dash::Period& period, UtcTime now, Duration after, Look& look) const {
  ListedPeriod listed{.key = period.id,
                      .place = period.place,
                      .begin = begin_of(period),
                      .tracks = {},
                      .texts = {},
                      .thumbnails = {},
                      .left_out = {}};
  const auto has_its_key = [&](const ListedPeriod& other) { return other.key == listed.key; };
  if (period.id.empty() || std::ranges::any_of(look.periods, has_its_key))
    listed.key += fmt::format("@{:.3f}", to_seconds(listed.begin));
  const std::vector<std::string>* const played = periods_ ? periods_->played(listed.key) : nullptr;
  const bool is_over = period.duration && listed.begin + *period.duration <= since_zero(now);
  const MpdTracks tracks{mpd_, period, url_};
  listed.left_out = tracks.left_out();
  const auto available = [&](const dash::Representation& one, UtcTime until) {
    const auto from = by_parts_from_ ? std::optional{*by_parts_from_ - listed.begin} : std::nullopt;
    return dash::available_segments(window(until, after), period, one, until, from);
  };
  const auto beside = [&](const dash::Representation& one) {
    return available(one, known_until(period, one, now)).segments;
  };
  listed.texts = tracks.texts(beside, listed.left_out);
  listed.thumbnails = tracks.thumbnails(beside, listed.left_out);
  for (const MpdTracks::Chosen& chosen : tracks.chosen()) {
    if (played != nullptr && std::ranges::find(*played, chosen.track.id) == played->end()) continue;
    const UtcTime until = known_until(period, *chosen.representation, now);
    const dash::AvailableSegments there = available(*chosen.representation, until);
    listed.tracks.push_back({{tracks.track_of(chosen, there.segments), tracks.listed(chosen, there.segments), {}},
                             chosen.representation->place});
    if (!there.next || (is_over && *there.next <= now)) continue;
    look.more = true;
    if (until == now && lists_later_ones(*chosen.representation, there.segments)) look.comes_at(*there.next);
  }
  return listed;
}

/// The periods with segments that end after `after`, and are in the window.
LiveMpd::Look LiveMpd::look(UtcTime now, Duration after) const {
  Look look;
  const Duration elapsed = since_zero(now), gone = std::max(after, elapsed - depth()) - kMargin;
  const std::vector<const dash::Period*> periods = periods_to_play(mpd_);
  for (const dash::Period* period : periods) {
    const Duration begin = begin_of(*period);
    if (mpd_.dynamic && begin > elapsed && period != periods.front()) {
      look.more = true;
      look.comes_at(now + ms(begin - elapsed));
      break;
    }
    if (period != periods.back() && period->duration && begin + *period->duration <= gone) continue;
    look.periods.push_back(listed(*period, now, after, look));
  }
  return look;
}

bool LiveMpd::is_complete(const Look& look) const {
  if (look.more) return false;
  const dash::Period& last = *periods_to_play(mpd_).back();
  return !mpd_.dynamic || !mpd_.minimum_update_period ||
         (last.duration && since_zero(fetched_) >= begin_of(last) + *last.duration);
}

/// What the time shift buffer has lost, or the MPD does not list any more.
Duration LiveMpd::window_begin(UtcTime now) const {
  const dash::Period& first = *periods_to_play(mpd_).front();
  const Duration listed = begin_of(first) + listed_begin(leading(first)).value_or(Duration{});
  return std::max(since_zero(now) - depth(), listed);
}

Listing LiveMpd::list(UtcTime now, Duration after) {
  try {
    const Look look = this->look(now, after);
    Listing listing{.tracks = {},
                    .texts = periods_->texts(),
                    .thumbnails = {},
                    .window_begin = window_begin(now),
                    .complete = is_complete(look),
                    .next = look.next};
    for (const Track& track : periods_->tracks()) listing.tracks.push_back({track, {}, {}});
    for (const ListedPeriod& period : look.periods) periods_->append(period, listing);
    return listing;
  } catch (const dash::MpdError& error) {
    throw ManifestError{error.what()};
  }
}

std::vector<WantedFile> LiveMpd::due(UtcTime now) {
  const auto next = next_due();
  if (!next || *next > now) return {};
  return {{next_url_, std::nullopt}};
}

std::optional<UtcTime> LiveMpd::next_due() const {
  if (!mpd_.dynamic || !mpd_.minimum_update_period) return std::nullopt;
  const Duration least = std::max(*mpd_.minimum_update_period, by_timeline_ ? Duration{} : kShortestUpdate);
  const UtcTime allowed = fetched_ + ms(look_again_ ? std::min<Duration>(least, kBetweenDoubts) : least);
  if (!by_timeline_) return allowed;
  return std::max(allowed, UtcTime{ms(clock_.next_look().time_since_epoch())});
}

void LiveMpd::take(std::span<const FetchedFile> files, UtcTime sent, UtcTime now) {
  const FetchedFile& file = files.front();
  look_again_ = false;
  answered_ = sent;
  if (!file.failure.empty()) throw UnreadableForNow{file.failure};
  if (!file.unchanged) {
    try {
      read(dash::read_mpd(file.bytes, by_parts_from_.has_value()), file.url);
    } catch (const dash::MpdError& error) {
      throw UnreadableForNow{error.what()};
    } catch (const ManifestError& error) {
      throw UnreadableForNow{error.what()};
    }
  }
  if (by_timeline_) {
    const Listing listing = list(now, since_zero(now) - kMargin);
    const auto& segments = listing.tracks.front().segments;
    if (segments.empty() || segments.back().start + segments.back().duration <= listed_end_) {
      clock_.missed(point(now));
      return;  // the next one need not wait for minimumUpdatePeriod: it is over, or it is not kept
    }
    clock_.found(point(sent));
    expect_next(listing, now);
  }
  fetched_ = sent;
}

void LiveMpd::expect_next(const Listing& listing, UtcTime now) {
  const ListedTrack& first = listing.tracks.front();
  if (!by_timeline_ || first.segments.empty()) return;
  const ListedSegment& last = first.segments.back();
  listed_end_ = last.start + last.duration;
  const auto time = [&](std::int64_t ticks) {
    return from_seconds(static_cast<double>(ticks) / first.track.timescale);
  };
  const Duration due = now.time_since_epoch() - since_zero(now) + time(listed_end_ + last.duration);
  clock_.expect(TimePoint{due}, time(last.duration), point(now));
}

}  // namespace tributary
