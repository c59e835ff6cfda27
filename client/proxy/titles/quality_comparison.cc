#include "proxy/titles/quality_comparison.hh"

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "proxy/leading/interchangeable.hh"
#include "system/utc_now.hh"

namespace tributary::proxy {
namespace {

/// Files and parts of files, each fetched once.
class Samples {
 public:
  void want(const std::optional<MediaFile>& init, const MediaFile& segment) {
    if (init) want({init->url, init->range});
    if (segment.grid.key.empty()) want({segment.url, beginning_of(segment)});
  }
  void fetch(const Documents& documents, const LinkWishes& wishes) {
    auto fetched = documents.get_all(wanted_, wishes);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (fetched[i].file) bytes_.emplace(key_of(wanted_[i]), std::move(fetched[i].file->bytes));
    }
  }
  /// Nothing: it could not be had. An encrypted segment is not looked at.
  std::optional<SegmentSample> of(const std::optional<MediaFile>& init, const MediaFile& segment) const {
    SegmentSample sample;
    if (init && !take({init->url, init->range}, sample.init)) return std::nullopt;
    if (segment.grid.key.empty() && !take({segment.url, beginning_of(segment)}, sample.segment)) return std::nullopt;
    return sample;
  }

 private:
  using Key = std::tuple<std::string, std::int64_t, std::int64_t>;

  static Key key_of(const WantedFile& file) {
    return {file.url, file.range ? file.range->begin.bytes() : 0, file.range ? file.range->end.bytes() : -1};
  }
  static ByteRange beginning_of(const MediaFile& segment) {
    const DataSize begin = segment.range ? segment.range->begin : DataSize{};
    return {begin, begin + DataSize{kSampleBytes}};
  }
  void want(WantedFile file) {
    if (known_.insert(key_of(file)).second) wanted_.push_back(std::move(file));
  }
  bool take(const WantedFile& file, std::string& into) const {
    const auto found = bytes_.find(key_of(file));
    if (found == bytes_.end()) return false;
    into = found->second;
    return true;
  }

  std::vector<WantedFile> wanted_;
  std::set<Key> known_;
  std::map<Key, std::string> bytes_;
};

std::optional<std::string> why_not(const Leading::Doubt& doubt, const SegmentSample& announced,
                                   const SegmentSample& other) {
  if (doubt.announced.grid.key.empty()) return why_not_interchangeable(announced, other);
  if (announced.init == other.init) return std::nullopt;
  return "they are encrypted, and have different init segments";
}

}  // namespace

void compare_qualities(TitleManifests& manifests, const std::string& manifest, const Documents& documents,
                       const LinkWishes& wishes) {
  std::vector<WantedFile> playlists;
  for (const std::string& playlist : manifests.playlists_for(manifest)) playlists.push_back({playlist, {}});
  const auto fetched = documents.get_all(playlists, wishes);
  for (std::size_t i = 0; i < playlists.size(); ++i) {
    if (fetched[i].file) manifests.look_at(playlists[i].url, *fetched[i].file);
  }
  const std::vector<Leading::Doubt> doubts = manifests.doubts(manifest, utc_now());
  Samples samples;
  for (const Leading::Doubt& doubt : doubts) {
    samples.want(doubt.announced_init, doubt.announced);
    samples.want(doubt.other_init, doubt.other);
  }
  samples.fetch(documents, wishes);
  for (const Leading::Doubt& doubt : doubts) {
    const auto announced = samples.of(doubt.announced_init, doubt.announced);
    const auto other = samples.of(doubt.other_init, doubt.other);
    if (announced && other) manifests.judge(doubt, why_not(doubt, *announced, *other));
  }
}

}  // namespace tributary::proxy
