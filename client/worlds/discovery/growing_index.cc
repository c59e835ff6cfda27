#include "worlds/discovery/growing_index.hh"

#include <fmt/format.h>

#include <utility>

#include "presentation/json/json_index.hh"
#include "units/text/redacted_url.hh"

namespace tributary {

GrowingIndex::GrowingIndex(const Presentation& first, std::string url, Duration start)
    : url_{std::move(url)},
      start_{start},
      availability_start_{first.live->availability_start.time_since_epoch()},
      segment_duration_{from_seconds(first.nominal_segment_seconds)},
      growth_{first} {
  expect_next(TimePoint{});
}

std::vector<Event> GrowingIndex::take(std::span<const FetchedFile> documents, TimePoint sent, TimePoint now) {
  const FetchedFile& document = documents.front();
  if (!document.failure.empty()) throw DocumentUnclear{document.failure};
  if (document.date) offset_.add(document.date->time_since_epoch(), utc(sent), utc(now));
  std::vector<Event> news;
  if (!document.unchanged) {
    try {
      news = growth_.news(read_index(document.bytes));
    } catch (const IndexError& error) {
      throw DocumentUnclear{fmt::format("{}: {}", redacted(url_), error.what())};
    } catch (const std::runtime_error& error) {
      throw std::runtime_error{fmt::format("{}: {}", redacted(url_), error.what())};
    }
  }
  if (news.empty()) {
    clock_.missed(now);
    return news;
  }
  clock_.found(sent);
  expect_next(now);
  return news;
}

void GrowingIndex::expect_next(TimePoint now) {
  const Duration due = availability_start_ + growth_.end() + segment_duration_;  // by the origin's clock
  clock_.expect(TimePoint{due - offset_.estimate() - start_}, segment_duration_, now);
}

}  // namespace tributary
