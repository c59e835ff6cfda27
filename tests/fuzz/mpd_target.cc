// MPDs: what is read can be expanded, within the bounds, at any time.
#include <string>

#include "dash/bounds.hh"
#include "dash/reading/mpd_reader.hh"
#include "dash/segments/segment_list.hh"
#include "dash/unplayable.hh"
#include "dash/url_query.hh"
#include "fuzz_target.hh"

using namespace tributary;

namespace {

constexpr std::size_t kMostSegments = 100;  // of one input, after which no other representation is expanded

void check(const dash::Segments& segments) {
  fuzz::require(std::ssize(segments.list) <= dash::kMostSegments);
  const dash::Segment* before = nullptr;
  for (const dash::Segment& each : segments.list) {
    fuzz::require(each.duration > 0 && each.uri.size() <= dash::kLongestUrl);
    fuzz::require(!each.range || !each.range->empty());
    fuzz::require(before == nullptr ||
                  (before->start + before->duration <= each.start && before->number < each.number));
    before = &each;
  }
  if (before != nullptr) (void)segments.time_in_period(before->start + before->duration);
}

/// Returns the number of segments.
std::size_t check(const dash::Mpd& mpd, const dash::Period& period, const dash::Representation& one) {
  std::size_t count = 0;
  try {
    const dash::Segments all = dash::all_segments(period, one);
    check(all);
    count += all.list.size();
  } catch (const dash::MpdError&) {
  }
  const UtcTime start = mpd.availability_start.value_or(UtcTime{});
  for (const auto now : {mpd.publish_time.value_or(start), start + std::chrono::minutes{1}}) {
    if (count > kMostSegments) break;
    try {
      const auto [segments, next] = dash::available_segments(mpd, period, one, now);
      check(segments);
      count += segments.list.size();
      fuzz::require(!next || *next >= now);
    } catch (const dash::MpdError&) {
    }
  }
  return count;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text(data, size);
  (void)dash::looks_like_mpd(text);
  try {
    const dash::Mpd mpd = dash::read_mpd(text);
    fuzz::require(!mpd.periods.empty());
    std::size_t segments = 0;
    for (const dash::Period& period : mpd.periods) {
      fuzz::require(!period.duration || *period.duration >= Duration::zero());
      (void)dash::why_unplayable(period);
      for (const dash::AdaptationSet& set : period.sets) {
        fuzz::require(!set.representations.empty());
        for (const dash::Representation& one : set.representations) {
          (void)dash::with_queries("http://h/1", one.url_queries, "http://h/m?a=1");
          if (segments < kMostSegments) segments += 1 + check(mpd, period, one);
        }
      }
    }
  } catch (const dash::MpdError& error) {
    fuzz::require(std::string_view{error.what()}.find('\n') == std::string_view::npos);
  }
  return 0;
}
