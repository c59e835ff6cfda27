#include "proxy/leading/leading.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tributary::proxy {
namespace {

constexpr std::size_t kMostVerdicts = 10'000;
constexpr std::size_t kMostDoubts = 32;  // that a player waits for

/// The first segments of each two decoders that have the same media, and could stand for each other.
std::vector<std::pair<MediaFile, MediaFile>> first_pairs(const std::vector<MediaFile>& segments,
                                                         const FileList& others) {
  using Init = std::optional<std::size_t>;
  std::set<std::pair<Init, Init>> known;
  std::vector<std::pair<MediaFile, MediaFile>> pairs;
  for (const MediaFile& segment : segments) {
    const MediaFile* const other = segment.range ? nullptr : others.same_as(segment);
    if (other != nullptr && segment.grid.key == other->grid.key &&
        known.insert({segment.grid.init, other->grid.init}).second)
      pairs.emplace_back(segment, *other);
  }
  return pairs;
}

}  // namespace

std::vector<const Ladder*> Leading::ladders_of(const std::string& manifest) const {
  std::vector<const Ladder*> ladders;
  for (const Ladder& ladder : files_.ladders(manifest)) ladders.push_back(&ladder);
  // A playlist of HLS, which is announced itself.
  if (ladders.empty()) {
    if (const Ladder* const ladder = files_.ladder_below(manifest, 0)) ladders.push_back(ladder);
  }
  return ladders;
}

std::vector<std::string> Leading::playlists_for(const std::string& manifest) const {
  std::vector<std::string> playlists;
  for (const Ladder* ladder : ladders_of(manifest)) {
    if (ladder->rungs.size() < 2) continue;
    for (const Rung& rung : ladder->rungs) {
      if (rung.manifest != manifest && !files_.is_final(rung.manifest)) playlists.push_back(rung.manifest);
    }
  }
  return playlists;
}

std::vector<MediaFile> Leading::segments_of(const Rung& rung, UtcTime now) const {
  const FileList* const list = files_.segments(rung, now);
  std::vector<MediaFile> segments;
  if (list != nullptr)
    std::ranges::copy_if(list->files(), std::back_inserter(segments), [](const MediaFile& f) { return !f.init; });
  return segments;
}

std::optional<MediaFile> Leading::init_of(const Rung& rung, const MediaFile& file, UtcTime now) const {
  const FileList* const list = files_.segments(rung, now);
  if (list == nullptr || !file.grid.init || *file.grid.init >= list->files().size()) return std::nullopt;
  return list->files()[*file.grid.init];
}

/// The address of the init segment; else the rendition.
std::string Leading::decoder(const Rung& rung, const MediaFile& file, UtcTime now) const {
  const auto init = init_of(rung, file, now);
  if (!init) return fmt::format("{} {}", rung.manifest, rung.rendition);
  if (!init->range) return init->url;
  return fmt::format("{} {}", init->url, init->range->begin.bytes());
}

std::vector<Leading::Doubt> Leading::doubts(const std::string& manifest, UtcTime now) const {
  std::vector<Doubt> doubts;
  for (const Ladder* ladder : ladders_of(manifest)) {
    const Rung& top = ladder->rungs.back();
    const std::vector<MediaFile> segments = segments_of(top, now);
    for (const Rung& rung : ladder->rungs) {
      const FileList* const list = &rung == &top ? nullptr : files_.segments(rung, now);
      if (list == nullptr) continue;
      for (const auto& [file, other] : first_pairs(segments, *list)) {
        const auto decoders = std::pair{decoder(top, file, now), decoder(rung, other, now)};
        if (!verdicts_.contains(decoders))
          doubts.push_back({decoders, init_of(top, file, now), init_of(rung, other, now), file, other});
      }
    }
  }
  std::ranges::stable_sort(doubts, {}, [](const Doubt& doubt) { return doubt.announced.grid.number; });
  doubts.resize(std::min(doubts.size(), kMostDoubts));
  return doubts;
}

void Leading::judge(const Doubt& doubt, std::optional<std::string> why_not) {
  if (verdicts_.size() >= kMostVerdicts) verdicts_.clear();
  verdicts_.insert_or_assign(doubt.decoders, std::move(why_not));
}

std::optional<MediaFile> Leading::stand_in(const Rung& top, const MediaFile& file, const Rung& rung, UtcTime now,
                                           std::string& why_not) const {
  if (file.range) {
    why_not = "its segments are parts of one file";
    return std::nullopt;
  }
  const FileList* const list = files_.segments(rung, now);
  const MediaFile* const same = list == nullptr ? nullptr : list->same_as(file);
  if (same == nullptr) {
    why_not = list == nullptr ? "its segments are not known" : "its qualities are cut at different places";
    return std::nullopt;
  }
  MediaFile other = *same;
  if (file.grid.key != other.grid.key) {
    why_not = "its qualities are encrypted with different keys or vectors";
    return std::nullopt;
  }
  const auto verdict = verdicts_.find({decoder(top, file, now), decoder(rung, other, now)});
  if (verdict == verdicts_.end() || verdict->second) {
    why_not = verdict == verdicts_.end() ? "its qualities were not compared" : *verdict->second;
    return std::nullopt;
  }
  return other;
}

std::vector<MediaFile> Leading::qualities(const MediaFile& file, UtcTime now) const {
  if (file.init || file.place.base != 0 || file.place.queries) return {};
  const Ladder* const ladder = files_.ladder_below(file.manifest, file.place.rendition);
  if (ladder == nullptr) return {};
  std::string why_not;
  std::vector<MediaFile> files;
  for (const Rung& rung : ladder->rungs) {
    if (&rung == &ladder->rungs.back()) continue;
    if (auto other = stand_in(ladder->rungs.back(), file, rung, now, why_not)) files.push_back(*std::move(other));
  }
  if (!files.empty()) files.push_back(file);
  return files;
}

std::vector<const Rung*> Leading::usable(const Ladder& ladder, UtcTime now, std::string& why_not) const {
  const Rung& top = ladder.rungs.back();
  const std::vector<MediaFile> segments = segments_of(top, now);
  std::vector<const Rung*> usable;
  for (const Rung& rung : ladder.rungs) {
    const auto stands_in = [&](const MediaFile& file) { return stand_in(top, file, rung, now, why_not).has_value(); };
    if (&rung != &top && std::ranges::any_of(segments, stands_in)) usable.push_back(&rung);
  }
  if (segments.empty()) why_not = "its segments are not known";
  if (!usable.empty()) usable.push_back(&top);
  return usable;
}

std::vector<Rung> Leading::rungs(const std::string& manifest, UtcTime now) const {
  std::string why_not;
  std::vector<Rung> most;
  for (const Ladder* ladder : ladders_of(manifest)) {
    const auto rungs = usable(*ladder, now, why_not);
    if (rungs.size() <= most.size()) continue;
    most.clear();
    for (const Rung* rung : rungs) most.push_back(*rung);
  }
  return most;
}

Leading::Offer Leading::offer(const std::string& manifest, UtcTime now) const {
  Offer offer;
  std::string why_not = "it has one quality";
  bool leads = false;
  for (const Ladder& ladder : files_.ladders(manifest)) {
    if (ladder.rungs.size() < 2 || usable(ladder, now, why_not).empty()) continue;
    leads = true;
    for (const Rung& rung : ladder.rungs) {
      if (&rung != &ladder.rungs.back()) offer.left_out.insert(rung.offers.begin(), rung.offers.end());
    }
  }
  if (!leads) return {{}, why_not};
  for (const Ladder& ladder : files_.ladders(manifest))
    offer.left_out.insert(ladder.dispensable.begin(), ladder.dispensable.end());
  return offer;
}

}  // namespace tributary::proxy
