#include "proxy/rewriting/listings.hh"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "dash/segments/segment_list.hh"
#include "dash/tick_time.hh"
#include "manifests/listed_track.hh"
#include "proxy/rewriting/rewriting_limits.hh"
#include "units/text/data_address.hh"

namespace tributary::proxy {
namespace {

/// Lists that stay as they are.
class FixedListing : public Listing {
 public:
  explicit FixedListing(std::vector<FileList> lists, FileList parts = {})
      : lists_{std::move(lists)}, parts_{std::move(parts)} {}
  const FileList* list(const ListPlace& place, UtcTime /*now*/) override {
    if (place.parts) return &parts_;
    return place.rendition < lists_.size() ? &lists_[place.rendition] : nullptr;
  }
  std::optional<ListPlace> after(const ListPlace& /*place*/) const override { return std::nullopt; }
  bool is_open(const ListPlace& /*place*/) const override { return false; }

 private:
  std::vector<FileList> lists_;
  FileList parts_;
};

DataSize at_least_one(DataSize size) { return std::max(size, DataSize{1}); }

/// A file with an exact size if its range states one.
MediaFile media_file(std::string url, const std::optional<ByteRange>& range, Duration duration, DataRate bitrate) {
  MediaFile file{.url = std::move(url), .range = range, .duration = duration};
  if (range && range->end < dash::kEndOfFile) file.size = range->size();
  file.estimate = file.size.value_or(at_least_one(bitrate * duration));
  return file;
}

constexpr DataSize kInitEstimate{1'500};

/// Where a file is that is needed to decode others. An address that holds its file (`data:`) tells inits apart, too.
std::optional<std::string> init_url(const Address& document, const std::string& uri) {
  if (is_data_address(uri)) return uri;
  const auto address = resolved(document, uri);
  return address ? std::optional{address->url()} : std::nullopt;
}

MediaFile init_file(std::string url, const std::optional<ByteRange>& range) {
  MediaFile file = media_file(std::move(url), range, {}, {});
  file.init = true;
  if (!file.size) file.estimate = kInitEstimate;
  return file;
}

/// The same for segments that a player decrypts alike.
std::string text_of(const hls::EncryptionKey& key, const Address& document, std::uint64_t sequence) {
  const auto address = resolved(document, key.uri);
  std::string text = fmt::format("{} {} {}", key.method_name, key.format, address ? address->url() : key.uri);
  for (const std::byte byte : hls::initialization_vector(key, sequence))
    text += fmt::format(" {}", std::to_integer<unsigned>(byte));
  return text;
}

class MpdListing : public Listing {
 public:
  MpdListing(dash::Mpd mpd, std::vector<RepresentationPlace> places)
      : mpd_{std::move(mpd)}, places_{std::move(places)} {
    std::map<std::string_view, std::uint32_t> by_place;
    for (std::uint32_t i = 0; i < places_.size(); ++i) by_place.emplace(places_[i].place, i);
    for (const dash::Period& period : mpd_.periods) {
      for (const dash::AdaptationSet& set : period.sets) {
        for (const dash::Representation& representation : set.representations) {
          const auto found = by_place.find(place_in_text(representation));
          if (found != by_place.end()) known_.emplace(found->second, Known{&period, &set, &representation});
        }
      }
    }
  }

  const FileList* list(const ListPlace& place, UtcTime now) override {
    const auto known = known_.find(place.rendition);
    if (place.parts || known == known_.end() || place.base >= places_[place.rendition].bases.size()) return nullptr;
    const auto kept = lists_.find(place);
    if (kept != lists_.end() && now >= kept->second.made && (!kept->second.until || now < *kept->second.until))
      return &kept->second.list;
    if (lists_.size() >= kMostKeptLists) lists_.clear();
    return &lists_.insert_or_assign(place, made(known->second, place, now)).first->second.list;
  }

  /// The same representation of the next period.
  std::optional<ListPlace> after(const ListPlace& place) const override {
    const auto known = known_.find(place.rendition);
    if (known == known_.end()) return std::nullopt;
    const Known& one = known->second;
    const auto next = static_cast<std::size_t>(one.period - mpd_.periods.data()) + 1;
    const auto set = static_cast<std::size_t>(one.set - one.period->sets.data());
    for (const auto& [rendition, other] : known_) {
      if (static_cast<std::size_t>(other.period - mpd_.periods.data()) != next) continue;
      const bool same_set = static_cast<std::size_t>(other.set - other.period->sets.data()) == set;
      if (same_set && other.representation->id == one.representation->id)
        return ListPlace{rendition, place.base, place.queries};
    }
    return std::nullopt;
  }

  bool is_open(const ListPlace& place) const override {
    const auto known = known_.find(place.rendition);
    return known != known_.end() &&
           std::holds_alternative<dash::TemplateAddressing>(known->second.representation->addressing);
  }

 private:
  struct Known {
    const dash::Period* period;
    const dash::AdaptationSet* set;
    const dash::Representation* representation;
  };
  struct Made {
    FileList list;
    UtcTime made;
    std::optional<UtcTime> until;  // when more will be there
  };

  Made made(const Known& known, const ListPlace& place, UtcTime now) const {
    const dash::Representation& representation = *known.representation;
    const RepresentationPlace& where = places_[place.rendition];
    const Address& base = where.bases[place.base];
    const auto stated = DataRate::bits_per_second(static_cast<double>(representation.bandwidth));
    const DataRate bitrate = stated > DataRate{} ? stated : kUnstatedBitrate;
    std::vector<MediaFile> files;
    const auto add = [&](const std::string& uri, const std::optional<ByteRange>& range, const auto& make) {
      auto address = resolved(base, uri);
      if (!address) return;
      if (place.queries) address->query = with_added(std::move(address->query), where.queries);
      files.push_back(make(address->url(), range));
    };
    if (std::holds_alternative<dash::IndexedAddressing>(representation.addressing)) {
      const Duration duration = known.period->duration.value_or(Duration{});
      add("", {},
          [&](std::string at, const auto& range) { return media_file(std::move(at), range, duration, bitrate); });
      return {FileList{std::move(files)}, now, std::nullopt};
    }
    try {
      const auto [segments, next] = dash::available_segments(mpd_, *known.period, representation, now);
      if (segments.init && is_data_address(segments.init->uri))
        files.push_back(init_file(segments.init->uri, segments.init->range));
      else if (segments.init)
        add(segments.init->uri, segments.init->range, init_file);
      const std::optional<std::size_t> init = files.empty() ? std::nullopt : std::optional<std::size_t>{0};
      const auto made_until = [&](Duration end) -> std::optional<UtcTime> {
        if (!mpd_.dynamic || representation.availability_complete || !known.period->start) return std::nullopt;
        return mpd_.availability_start.value_or(UtcTime{}) +
               std::chrono::ceil<std::chrono::milliseconds>(*known.period->start + end);
      };
      for (const dash::Segment& segment : segments.list) {
        const Duration duration = dash::duration_of(segment.duration, segments.timescale);
        add(segment.uri, segment.range, [&](std::string at, const auto& range) {
          MediaFile file = media_file(std::move(at), range, duration, bitrate);
          file.grid = {static_cast<std::uint64_t>(segment.number), segments.time_in_period(segment.start), init, {}};
          file.made_until = made_until(segments.time_in_period(segment.start + segment.duration));
          return file;
        });
      }
      return {FileList{std::move(files)}, now, next};
    } catch (const dash::MpdError&) {  // players may know better
      return {FileList{}, now, std::nullopt};
    }
  }

  dash::Mpd mpd_;
  std::vector<RepresentationPlace> places_;
  std::map<std::uint32_t, Known> known_;  // by rendition
  std::map<ListPlace, Made> lists_;
};

/// Partial segments in their order, and the one that is announced behind them.
FileList parts_of(const hls::MediaPlaylist& playlist, const Address& document, std::optional<DataRate> bitrate) {
  constexpr std::uint64_t kMostOfSegment = 10'000;
  std::vector<MediaFile> files;
  std::uint64_t number = 0;
  const auto add = [&](const std::string& uri, const std::optional<ByteRange>& range, Duration duration) {
    const auto address = resolved(document, uri);
    if (!address) return;
    files.push_back(media_file(address->url(), range, duration, bitrate.value_or(kUnstatedBitrate)));
    files.back().grid.number = number;
  };
  const auto add_parts = [&](const hls::MediaSegment& segment) {
    number = segment.sequence * kMostOfSegment;
    for (const hls::PartialSegment& part : segment.parts) {
      if (!part.gap) add(part.uri, part.range, part.duration);
      ++number;
    }
  };
  for (const hls::MediaSegment& segment : playlist.segments) add_parts(segment);
  if (playlist.open) add_parts(*playlist.open);
  const auto& hint = playlist.preload_hint;
  if (!hint || !playlist.server_control.part_target) return FileList{std::move(files)};
  // The part may be the first one of a segment that no line has begun.
  if (!playlist.open && !playlist.segments.empty()) number = (playlist.segments.back().sequence + 1) * kMostOfSegment;
  std::optional<ByteRange> range;
  if (hint->begin > DataSize{} || hint->length)
    range = {hint->begin, hint->length ? hint->begin + *hint->length : dash::kEndOfFile};
  const std::size_t before = files.size();
  add(hint->uri, range, *playlist.server_control.part_target);
  if (files.size() > before) files.back().announced = true;
  return FileList{std::move(files)};
}

}  // namespace

std::unique_ptr<Listing> listing_of(const hls::MediaPlaylist& playlist, const Address& document,
                                    std::optional<DataRate> bitrate, Listing* before, std::size_t skipped) {
  std::vector<MediaFile> files, kept;
  if (before != nullptr && skipped > 0) {
    const FileList* const list = before->list({.rendition = 0}, {});
    if (list != nullptr) {
      for (const MediaFile& file : list->files()) (file.init ? files : kept).push_back(file);
    }
    std::erase_if(kept, [&](const MediaFile& file) {
      return file.grid.number >= playlist.media_sequence || file.grid.number + skipped < playlist.media_sequence;
    });
  }
  std::vector<std::optional<std::size_t>> inits;  // of the maps, in the files
  for (const hls::InitSection& map : playlist.maps) {
    auto url = init_url(document, map.uri);
    const auto same = std::ranges::find_if(
        files, [&](const MediaFile& file) { return url && file.url == *url && file.range == map.range; });
    inits.push_back(url ? std::optional{static_cast<std::size_t>(same - files.begin())} : std::nullopt);
    if (url && same == files.end()) files.push_back(init_file(*std::move(url), map.range));
  }
  // A delta update does not say again what decodes its segments.
  const std::optional<std::size_t> init_before = kept.empty() ? std::nullopt : kept.back().grid.init;
  files.insert(files.end(), kept.begin(), kept.end());
  Duration begin{};
  for (const hls::MediaSegment& segment : playlist.segments) {
    const Duration at = std::exchange(begin, begin + segment.duration);
    if (segment.gap) continue;
    const auto address = resolved(document, segment.uri);
    if (!address) continue;
    MediaFile file = media_file(address->url(), segment.range, segment.duration,
                                segment.bitrate.value_or(bitrate.value_or(kUnstatedBitrate)));
    file.grid = {segment.sequence, {}, segment.map ? inits[*segment.map] : init_before, {}};
    if (segment.date)
      file.grid.at = segment.date->time_since_epoch();
    else if (playlist.ended)
      file.grid.at = at;
    if (segment.key) file.grid.key = text_of(playlist.keys[*segment.key], document, segment.sequence);
    files.push_back(std::move(file));
  }
  std::vector<FileList> lists;
  lists.emplace_back(std::move(files));
  return std::make_unique<FixedListing>(std::move(lists), parts_of(playlist, document, bitrate));
}

std::unique_ptr<Listing> listing_of(const Presentation& presentation, const Address& document) {
  std::vector<FileList> lists;
  const auto range_of = [](const Resource& resource) {
    return resource.whole_file ? std::nullopt : std::optional{resource.range};
  };
  for (const Track& track : presentation.tracks) {
    std::vector<MediaFile> files;
    if (track.init) {
      if (auto url = init_url(document, track.init->uri)) {
        files.push_back(init_file(*std::move(url), range_of(*track.init)));
        files.back().estimate = track.init->range.size();
        if (!track.init->estimated) files.back().size = files.back().estimate;
      }
    }
    for (std::size_t i = 0; i < track.sizes.size(); ++i) {
      const auto index = static_cast<SegmentIndex>(i);
      const Resource resource = track.segment(index);
      const auto address = resolved(document, resource.uri);
      if (!address) continue;
      files.push_back(media_file(address->url(), range_of(resource), track.duration(index), {}));
      files.back().estimate = track.sizes[i];
      if (!track.is_estimate(index)) files.back().size = track.sizes[i];
    }
    lists.emplace_back(std::move(files));
  }
  return std::make_unique<FixedListing>(std::move(lists));
}

std::unique_ptr<Listing> listing_of(dash::Mpd mpd, std::vector<RepresentationPlace> representations) {
  return std::make_unique<MpdListing>(std::move(mpd), std::move(representations));
}

}  // namespace tributary::proxy
