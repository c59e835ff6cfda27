#include "segmenter/check/media_check.hh"

#include <algorithm>

#include "media/cmaf_reader.hh"
#include "presentation/language_tag.hh"
#include "segmenter/libav/frame_kinds.hh"
#include "segmenter/publish/file_bytes.hh"
#include "segmenter/publish/segment_index_box.hh"
#include "segmenter/publish/track_bitrate.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

class TrackCheck {
 public:
  TrackCheck(const fs::path& directory, const Track& index, bool live, Findings& findings)
      : directory_{directory},
        index_{index},
        live_{live},
        findings_{findings},
        measured_{index},
        frames_(index.sizes.size()) {}

  Track run() {
    if (index_.init) check_init();
    for (std::size_t i = 0; i < index_.sizes.size(); ++i) check_segment(i);
    if (!index_.file_offsets.empty()) check_single_file();
    if (index_.frames) check_frames();
    if (index_.whole) {
      const auto content = read_file(directory_ / *index_.whole);
      if (content) check_webvtt(*index_.whole, *content);
      if (!content) findings_.add(*index_.whole, "cannot be read");
    }
    if (!live_ && !measured_.sizes.empty()) check_rates();  // a live index states promised rates
    return measured_;
  }
  /// Ticks of the longest frame of sound or picture.
  std::uint64_t longest_sample() const { return longest_sample_; }

 private:
  /// The bytes of a resource, if they can be read.
  std::optional<std::string> read(const Resource& resource) {
    const fs::path path = directory_ / resource.uri;
    auto content = resource.whole_file ? read_file(path)
                                       : read_file_range(path, static_cast<std::uint64_t>(resource.range.begin.bytes()),
                                                         static_cast<std::uint64_t>(resource.range.size().bytes()));
    if (!content) findings_.add(resource.uri, "cannot be read");
    if (content && static_cast<std::int64_t>(content->size()) != resource.range.size().bytes()) {
      findings_.add(resource.uri, "{} bytes, but the index says {}", content->size(), resource.range.size().bytes());
    }
    return content;
  }

  void check_init() {
    const std::string& place = index_.init->uri;
    const auto content = read(*index_.init);
    if (!content) return;
    try {
      init_ = read_init(bytes_of(*content));
    } catch (const BoxError& error) {
      return findings_.add(place, "{}", error.what());
    }
    measured_.codec = init_->codec;
    measured_.color = init_->color;
    findings_.compare("index.json", "codec of " + index_.id, index_.codec, init_->codec);
    findings_.compare("index.json", "timescale of " + index_.id, index_.timescale, init_->timescale);
    if (index_.kind == TrackKind::kVideo) {
      findings_.compare("index.json", "width of " + index_.id, index_.width, init_->width);
      findings_.compare("index.json", "height of " + index_.id, index_.height, init_->height);
      if (index_.color != init_->color) findings_.add("index.json", "color of {} is not that of {}", index_.id, place);
    } else {
      findings_.compare("index.json", "sampleRate of " + index_.id, index_.sample_rate, init_->sample_rate);
      const std::string stated = index_.label.language.empty() ? std::string{kUnknownLanguage} : index_.label.language;
      findings_.compare("index.json", "lang of " + index_.id, stated,
                        language_tag(init_->language).value_or(init_->language));
    }
    if (init_->has_edit_list) findings_.add(place, "has an edit list, which players heed differently");
  }

  void check_segment(std::size_t i) {
    const Resource resource = index_.segment(static_cast<SegmentIndex>(i));
    const auto content = read(resource);
    if (content && !content->empty()) measured_.sizes[i] = DataSize{static_cast<std::int64_t>(content->size())};
    std::optional<SegmentFacts> facts;
    if (content && init_) {
      try {
        facts = read_segment(bytes_of(*content), *init_);
        if (index_.frames) frames_[i] = frames_in(bytes_of(*content), *init_);
      } catch (const BoxError& error) {
        findings_.add(resource.uri, "{}", error.what());
      }
    }
    if (facts) check_samples(i, resource.uri, *facts);
    if (content && index_.kind == TrackKind::kText) check_webvtt(resource.uri, *content);
    begin_ += index_.durations[i];
  }

  void check_webvtt(const std::string& place, const std::string& content) {
    if (!content.starts_with("WEBVTT\n")) findings_.add(place, "does not begin with the line WEBVTT");
  }

  void check_samples(std::size_t i, const std::string& place, const SegmentFacts& facts) {
    if (facts.ticks() > 0) measured_.durations[i] = facts.ticks();
    if (facts.ticks() != index_.durations[i]) {
      findings_.add(place, "its samples last {} ticks, but the index says {}", facts.ticks(), index_.durations[i]);
    }
    const std::int64_t begin = index_.offset + static_cast<std::int64_t>(begin_);
    if (facts.begin() != begin) findings_.add(place, "begins at tick {} instead of {}", facts.begin(), begin);
    const MediaSample& first = facts.samples.front();
    if (first.decoded != static_cast<std::int64_t>(begin_))
      findings_.add(place, "tfdt is {} instead of {}", first.decoded, begin_);
    if (!first.sync) findings_.add(place, "does not begin with a sync sample");
    longest_sample_ = std::max(longest_sample_, std::uint64_t{facts.longest_sample()});
  }

  void check_frames() {
    const auto text = read_file(directory_ / *index_.frames);
    if (!text) return findings_.add(*index_.frames, "cannot be read");
    try {
      const FrameIndex stated = read_frame_index(*text, index_);
      for (std::size_t i = 0; i < stated.size(); ++i) {
        if (frames_[i].empty()) continue;  // the segment cannot be read
        const auto [a, b] = std::mismatch(stated[i].begin(), stated[i].end(), frames_[i].begin(), frames_[i].end());
        if (a == stated[i].end() && b == frames_[i].end()) continue;
        findings_.add(*index_.frames, "segments[{}]: frame {} is another one in the segment", i, a - stated[i].begin());
      }
    } catch (const JsonError& error) {
      findings_.add(*index_.frames, "{}", error.what());
    }
  }

  /// Checks the index inside the file, for players of DASH, and that no bytes follow the last segment.
  void check_single_file() {
    std::error_code error;
    const auto size = static_cast<std::int64_t>(fs::file_size(directory_ / index_.uri, error));
    const DataSize end = index_.file_offsets.back() + index_.sizes.back();
    if (!error && size != end.bytes())
      findings_.add(index_.uri, "{} bytes, but the last segment ends at {}", size, end.bytes());
    if (!index_.init || index_.file_offsets[0] <= index_.init->range.end) return;
    const auto content = read({index_.uri, {index_.init->range.end, index_.file_offsets[0]}, false});
    if (!content) return;
    try {
      check_index(read_segment_index(bytes_of(*content)), segment_index_of(index_));
    } catch (const BoxError& box_error) {
      findings_.add(index_.uri, "{}", box_error.what());
    }
  }

  void check_index(const SegmentIndexBox& stated, const SegmentIndexBox& expected) {
    findings_.compare(index_.uri, "timescale in sidx", stated.timescale, expected.timescale);
    findings_.compare(index_.uri, "earliest_presentation_time in sidx", stated.begin, expected.begin);
    findings_.compare(index_.uri, "number of segments in sidx", stated.segments.size(), expected.segments.size());
    for (std::size_t i = 0; i < std::min(stated.segments.size(), expected.segments.size()); ++i) {
      if (stated.segments[i] == expected.segments[i]) continue;
      return findings_.add(index_.uri, "sidx says that segment {} has {} bytes and {} ticks instead of {} and {}",
                           index_.first_number + i, stated.segments[i].bytes, stated.segments[i].ticks,
                           expected.segments[i].bytes, expected.segments[i].ticks);
    }
  }

  void check_rates() {
    measured_.bitrate = measure_bitrate(measured_, index_.bitrate.target);
    const auto check = [&](const char* name, DataRate TrackBitrate::*rate) {
      findings_.compare_rate("index.json", fmt::format("bitrate.{} of {}", name, index_.id),
                             (index_.bitrate.*rate).bits_per_second(), (measured_.bitrate.*rate).bits_per_second());
    };
    check("max", &TrackBitrate::maximum);
    check("average", &TrackBitrate::average);
    check("peak", &TrackBitrate::peak);
  }

  const fs::path& directory_;
  const Track& index_;
  bool live_;
  Findings& findings_;
  Track measured_;
  std::optional<InitFacts> init_;
  std::uint64_t begin_ = index_.start;  // of the next segment, by the index
  std::uint64_t longest_sample_ = 0;
  FrameIndex frames_;  // as found in the segments
};

/// Sound is cut at a boundary of frames near the picture's cut. Allows one frame of distance, because the nearest
/// boundary may be within the first frame.
void check_cuts(const Track& sound, std::uint64_t frame, const Track& picture, Findings& findings) {
  double sound_end = static_cast<double>(sound.start) / sound.timescale;
  double picture_end = static_cast<double>(picture.start) / picture.timescale;
  for (std::size_t i = 0; i < sound.durations.size() && i < picture.durations.size(); ++i) {
    sound_end += static_cast<double>(sound.durations[i]) / sound.timescale;
    picture_end += static_cast<double>(picture.durations[i]) / picture.timescale;
    // Sound may end within the last segment, because the source's sound may end there.
    const bool ends_early = i + 1 == sound.durations.size() && sound_end < picture_end;
    if (ends_early || std::abs(sound_end - picture_end) <= static_cast<double>(frame) / sound.timescale) continue;
    return findings.add(sound.segment(static_cast<SegmentIndex>(i)).uri,
                        "ends at {:.3f} s, but the picture at {:.3f} s", sound_end, picture_end);
  }
}

}  // namespace

Presentation check_media(const fs::path& directory, const Presentation& index, Findings& findings) {
  Presentation media = index;
  std::vector<std::uint64_t> longest;
  for (Track& track : media.tracks) {
    const Track stated = track;
    TrackCheck check{directory, stated, index.live.has_value(), findings};
    track = check.run();
    longest.push_back(check.longest_sample());
  }
  const auto picture = std::find_if(media.tracks.begin(), media.tracks.end(),
                                    [](const Track& track) { return track.kind == TrackKind::kVideo; });
  for (std::size_t i = 0; i < media.tracks.size() && picture != media.tracks.end(); ++i) {
    if (media.tracks[i].kind == TrackKind::kAudio) check_cuts(media.tracks[i], longest[i], *picture, findings);
  }
  return media;
}

}  // namespace tributary::segmenter
