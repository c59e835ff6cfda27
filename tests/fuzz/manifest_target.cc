// Manifests of any kind with the files that they need: what is opened can be streamed, and a live title grows by what can
// be streamed, too. The input has texts, divided by lines of "====": the manifest, and the files in the order in which they
// are asked for, over and over again.
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz_target.hh"
#include "manifests/live/live_title.hh"
#include "manifests/manifest.hh"
#include "presentation/segments/segment_table.hh"

using namespace tributary;

namespace {

constexpr std::size_t kMostFetches = 40;   // of one input
constexpr std::size_t kMostSegments = 50;  // that are looked at
constexpr std::size_t kMostText = 20'000;
constexpr UtcTime kNow{std::chrono::milliseconds{1'704'067'800'000}};  // 2024-01-01, ten minutes past midnight

/// A file that the input does not have.
struct NoFile : std::runtime_error {
  NoFile() : std::runtime_error{"there is no such file"} {}
};

class Files {
 public:
  explicit Files(std::string_view input) {
    constexpr std::string_view kDivider = "\n====\n";
    for (std::size_t end = 0; end != std::string_view::npos;) {
      end = input.find(kDivider);
      texts_.emplace_back(input.substr(0, end));
      if (end != std::string_view::npos) input.remove_prefix(end + kDivider.size());
    }
  }
  const std::string& manifest() const { return texts_.front(); }
  std::vector<FetchedFile> fetch(std::span<const WantedFile> wanted) {
    std::vector<FetchedFile> files;
    for (const WantedFile& file : wanted) {
      fuzz::require(file.url.find("://") != std::string::npos);
      if (++asked_ > kMostFetches || texts_.size() < 2) throw NoFile{};
      std::string text = texts_[1 + asked_ % (texts_.size() - 1)];
      if (file.range)
        text = text.substr(0, static_cast<std::size_t>(std::min<std::int64_t>(file.range->size().bytes(), kMostText)));
      files.push_back({.url = file.url, .bytes = std::move(text)});
    }
    return files;
  }

 private:
  std::vector<std::string> texts_;
  std::size_t asked_ = 0;
};

void examine(const Resource& resource) {
  fuzz::require(!resource.uri.empty() && resource.range.begin >= DataSize{} && !resource.range.empty());
}

/// A lost segment has no address.
void examine(const SegmentTable& table, const std::set<std::size_t>& lost) {
  const std::size_t count = std::min(table.segment_count(), kMostSegments);
  for (std::size_t q = 0; q < table.quality_count(); ++q) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto segment = static_cast<SegmentIndex>(i);
      fuzz::require(table.duration(segment) > Duration::zero());
      if (lost.contains(i)) continue;
      for (const SegmentPart& part : table.parts(segment, static_cast<QualityIndex>(q))) examine(part.resource);
      for (const SegmentPart& part : table.init_parts(segment, static_cast<QualityIndex>(q))) examine(part.resource);
    }
  }
  for (std::size_t i = 1; i < count; ++i)
    fuzz::require(table.starts_at(static_cast<SegmentIndex>(i - 1)) < table.starts_at(static_cast<SegmentIndex>(i)));
}

/// Returns the segments that were lost.
std::set<std::size_t> grow(SegmentTable& table, LiveTitle& title, Files& files) {
  std::set<std::size_t> lost;
  UtcTime now = kNow;
  for (int i = 0; i < 5; ++i) {
    now += std::chrono::seconds{3};
    const std::vector<WantedFile> due = title.manifest().due(now);
    if (!due.empty()) {
      try {
        title.manifest().take(files.fetch(due), now, now);
      } catch (const UnreadableForNow&) {
      }
    }
    const LiveTitle::News news = title.news(now);
    for (const GrownSegment& segment : news.added) {
      fuzz::require(segment.duration > Duration::zero());
      if (segment.lost) lost.insert(table.segment_count());
      table.append(segment.tracks);
    }
    if (news.complete) table.end();
  }
  return lost;
}

/// `by_parts`: as for low latency.
void open_and_grow(Files files, bool by_parts) {
  try {
    Opened opened = open_manifest(files.manifest(), "https://film.example/a/manifest?token=1",
                                  [&](std::span<const WantedFile> wanted) { return files.fetch(wanted); },
                                  {.now = kNow, .sent = kNow, .origin = {}, .by_parts = by_parts});
    for (const Track& track : opened.presentation.tracks)
      fuzz::require(opened.alternatives.all_of("https://film.example/a/" + track.id).size() <= 100);
    SegmentTable table{std::move(opened.presentation)};
    examine(table, {});
    if (!opened.live) return;
    if (by_parts) {
      fuzz::require(!table.continues(SegmentIndex{}));
      opened.live->manifest().play({0});
    }
    examine(table, grow(table, *opened.live, files));
  } catch (const ManifestError& error) {
    fuzz::require(*error.what() != '\0');
  } catch (const NoFile&) {
  } catch (const std::invalid_argument&) {  // nothing to stream
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kMostText) return 0;
  const Files files{fuzz::text(data, size)};
  for (const bool by_parts : {false, true}) open_and_grow(files, by_parts);
  return 0;
}
