#include "segmenter/check/deep_check.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "segmenter/check/sound_spectrum.hh"
#include "segmenter/check/track_decoder.hh"
#include "segmenter/filters/picture_scaler.hh"
#include "segmenter/libav/init_segment.hh"
#include "segmenter/libav/input_decoder.hh"

namespace tributary::segmenter {
namespace {

/// A picture without details that an encoder could lose: 16x16, and half of that in colour.
constexpr PictureSize kTiny{16, 16};
using TinyPicture = std::array<std::uint8_t, 16 * 16 + 2 * 8 * 8>;

/// Of 255, on average over a segment. Encoders at the lowest rates stay below 3. Pictures that are black, turned, or of
/// another second are beyond 20, unless all pictures are alike.
constexpr double kMostDifference = 10;

TinyPicture tiny(const AVFrame& picture) {
  TinyPicture all{};
  auto at = all.begin();
  for (int plane = 0; plane < 3; ++plane) {
    const int side = plane == 0 ? kTiny.width : kTiny.width / 2;
    for (int y = 0; y < side; ++y)
      at = std::copy_n(picture.data[plane] + static_cast<std::ptrdiff_t>(y) * picture.linesize[plane], side, at);
  }
  return all;
}

double picture_difference(const TinyPicture& a, const TinyPicture& b) {
  int sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return static_cast<double>(sum) / static_cast<double>(a.size());
}

/// Calls use(const TinyPicture&) for each picture at the constant rate.
class TinyPictures {
 public:
  TinyPictures(PictureFormat format, FrameRate rate) : scaler_{with_rate(format, rate), {kTiny}} {}

  template <typename Use>
  void add(AVFrame& picture, Use use) {
    scaler_.push(picture);
    take(use);
  }
  template <typename Use>
  void end(Use use) {
    scaler_.end();
    take(use);
  }

 private:
  static PictureFormat with_rate(PictureFormat format, FrameRate rate) {
    format.rate = rate;
    return format;
  }
  template <typename Use>
  void take(Use use) {
    while (const FrameHandle picture = scaler_.next()) {
      scaler_.scale(*picture);
      while (const FrameHandle scaled = scaler_.pull(0)) use(tiny(*scaled));
    }
  }

  PictureScaler scaler_;
};

SoundFormat sound_format_of(const TrackDecoder& decoder, const AVFrame& sound) {
  SoundFormat format;
  format.samples = static_cast<AVSampleFormat>(sound.format);
  format.sample_rate = sound.sample_rate;
  format.layout = layout_name(sound.ch_layout);
  format.channels = sound.ch_layout.nb_channels;
  format.time_base = decoder.time_base();
  return format;
}

/// The ends of a track's segments, in seconds from the track's start.
std::vector<double> segment_ends(const Track& track) {
  std::vector<double> ends;
  std::uint64_t end = 0;
  for (const std::uint64_t ticks : track.durations) {
    end += ticks;
    ends.push_back(static_cast<double>(end) / track.timescale);
  }
  return ends;
}

FrameRate rate_of(const Track& track) { return {track.frame_rate_num, track.frame_rate_den}; }

/// The source, decoded once, in the forms with which tracks are compared.
class DecodedSource {
 public:
  DecodedSource(const std::string& path, const std::vector<const Track*>& sounds, const Track* picture,
                const std::atomic<bool>& interrupted) {
    InputDecoder input{path, SoundChoice::kAll, interrupted};
    std::optional<TinyPictures> pictures;
    if (picture != nullptr) pictures.emplace(input.picture(), rate_of(*picture));
    std::vector<SoundSpectrum> spectra;
    for (std::size_t i = 0; i < std::min(sounds.size(), input.sounds().size()); ++i) {
      spectra.emplace_back(input.sounds()[i], sounds[i]->sample_rate, sounds[i]->channels, segment_ends(*sounds[i]));
    }
    const auto keep = [this](const TinyPicture& tiny_picture) { pictures_.push_back(tiny_picture); };
    while (const auto decoded = input.next()) {
      if (interrupted) throw Failure{ExitCode::kInterrupted, "interrupted"};
      if (decoded->kind == Decoded::Kind::kSound) {
        if (decoded->sound < spectra.size()) spectra[decoded->sound].add(*decoded->frame);
      } else if (pictures) {
        pictures->add(*decoded->frame, keep);
      }
    }
    if (pictures) pictures->end(keep);
    for (SoundSpectrum& spectrum : spectra) sounds_.push_back(spectrum.finish());
  }

  const std::vector<TinyPicture>& pictures() const { return pictures_; }
  std::size_t sounds() const { return sounds_.size(); }
  /// Levels of each segment, of each channel.
  const std::vector<std::vector<OctaveLevels>>& sound(std::size_t index) const { return sounds_[index]; }

 private:
  std::vector<TinyPicture> pictures_;
  std::vector<std::vector<std::vector<OctaveLevels>>> sounds_;
};

class DecodingCheck {
 public:
  DecodingCheck(const std::filesystem::path& directory, const std::atomic<bool>& interrupted, Findings& findings)
      : directory_{directory}, interrupted_{interrupted}, findings_{findings} {}

  void check_picture(const Track& track, const DecodedSource* source) {
    std::optional<TinyPictures> pictures;
    std::size_t count = 0;
    std::vector<double> sums(track.sizes.size()), counts(track.sizes.size());
    const std::vector<double> ends = segment_ends(track);
    const auto compare = [&](const TinyPicture& picture) {
      const std::size_t number = count++;
      const auto segment =
          static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(),
                                                    (static_cast<double>(number) + 0.5) / rate_of(track).per_second()) -
                                   ends.begin());
      if (number >= source->pictures().size() || segment == ends.size()) return;
      sums[segment] += picture_difference(picture, source->pictures()[number]);
      ++counts[segment];
    };
    decode(track, [&](const TrackDecoder& decoder, AVFrame& picture) {
      if (source == nullptr) return;
      if (!pictures) pictures.emplace(format_of(decoder.stream(), picture, decoder.time_base()), rate_of(track));
      pictures->add(picture, compare);
    });
    if (!pictures) return;
    pictures->end(compare);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (sums[i] <= kMostDifference * counts[i]) continue;
      findings_.add(track.segment(static_cast<SegmentIndex>(i)).uri,
                    "its pictures are not those of the source: they differ by {:.0f} of 255", sums[i] / counts[i]);
    }
    check_length(track, count, source->pictures().size());
  }

  /// `source`: levels of each segment; null: there is no source.
  void check_sound(const Track& track, const std::vector<std::vector<OctaveLevels>>* source) {
    std::optional<SoundSpectrum> spectrum;
    decode(track, [&](const TrackDecoder& decoder, AVFrame& sound) {
      if (source == nullptr) return;
      if (!spectrum)
        spectrum.emplace(sound_format_of(decoder, sound), track.sample_rate, track.channels, segment_ends(track));
      spectrum->add(sound);
    });
    if (!spectrum) return;
    const auto levels = spectrum->finish();
    for (std::size_t i = 0; i < levels.size(); ++i) {
      for (std::size_t c = 0; c < levels[i].size(); ++c) {
        const auto difference = levels[i][c].difference_from((*source)[i][c]);
        if (!difference) continue;
        findings_.add(track.segment(static_cast<SegmentIndex>(i)).uri, "channel {} {}", c + 1, *difference);
        break;
      }
    }
  }

 private:
  template <typename Use>
  void decode(const Track& track, Use use) {
    TrackDecoder decoder{directory_, track, findings_};
    while (AVFrame* const frame = decoder.next()) {
      if (interrupted_) throw Failure{ExitCode::kInterrupted, "interrupted"};
      use(decoder, *frame);
    }
    decoder.check_complete();
  }

  void check_length(const Track& track, std::size_t pictures, std::size_t of_source) {
    const double seconds =
        (static_cast<double>(of_source) - static_cast<double>(pictures)) / rate_of(track).per_second();
    if (std::abs(seconds) > 1)
      findings_.add(track.id, "lasts {:.1f} s {} than the source", std::abs(seconds), seconds > 0 ? "less" : "more");
  }

  const std::filesystem::path& directory_;
  const std::atomic<bool>& interrupted_;
  Findings& findings_;
};

std::vector<const Track*> tracks_of(const Presentation& index, TrackKind kind) {
  std::vector<const Track*> tracks;
  for (const Track& track : index.tracks) {
    if (track.kind == kind) tracks.push_back(&track);
  }
  return tracks;
}

}  // namespace

void check_decoding(const std::filesystem::path& directory, const Presentation& index,
                    const std::optional<std::string>& source, const std::atomic<bool>& interrupted,
                    Findings& findings) {
  const std::vector<const Track*> pictures = tracks_of(index, TrackKind::kVideo);
  const std::vector<const Track*> sounds = tracks_of(index, TrackKind::kAudio);
  if (source && index.live) throw Failure{ExitCode::kUsage, "--source: a live presentation has a timeline of its own"};
  std::optional<DecodedSource> decoded;
  if (source) decoded.emplace(*source, sounds, pictures.empty() ? nullptr : pictures[0], interrupted);
  DecodingCheck check{directory, interrupted, findings};
  for (const Track* const track : pictures) check.check_picture(*track, decoded ? &*decoded : nullptr);
  for (std::size_t i = 0; i < sounds.size(); ++i)
    check.check_sound(*sounds[i], decoded && i < decoded->sounds() ? &decoded->sound(i) : nullptr);
}

}  // namespace tributary::segmenter
