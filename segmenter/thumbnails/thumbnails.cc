#include "segmenter/thumbnails/thumbnails.hh"

extern "C" {
#include <libavutil/rational.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "segmenter/filters/filter_chain.hh"
#include "segmenter/filters/picture_scaler.hh"
#include "segmenter/libav/init_segment.hh"
#include "segmenter/thumbnails/first_pictures.hh"

namespace tributary::segmenter {
namespace {

constexpr int kTilesPerSide = 5;  // of a sheet, in pictures
constexpr int kLonger = 160;      // the longer side of a picture, in pixels
constexpr double kLeastSeconds = 5;
constexpr std::size_t kMostPictures = 1'000;  // some 5 MB
constexpr int kQuantizer = 4;                 // of JPEG, from 2 to 31; the lower the better

/// The smallest pictures that need not be enlarged, or else the largest; of one size the best.
const Track* shown_track(const std::vector<Track>& tracks) {
  const auto rank = [](const Track& track) {
    const int longer = std::max(track.width, track.height);
    return std::tuple{longer < kLonger, longer < kLonger ? -longer : longer, -track.bitrate.average.bits_per_second()};
  };
  const Track* best = nullptr;
  for (const Track& track : tracks) {
    if (track.kind == TrackKind::kVideo && (best == nullptr || rank(track) < rank(*best))) best = &track;
  }
  return best;
}

/// How many segments one picture stands for.
std::size_t segments_per_picture(const Track& track) {
  const double seconds = static_cast<double>(track.durations.front()) / track.timescale;
  const auto apart = static_cast<std::size_t>(std::ceil(kLeastSeconds / seconds));
  return std::max(apart, (track.sizes.size() + kMostPictures - 1) / kMostPictures);
}

/// In square pixels, upright.
PictureSize thumbnail_size(const AVFrame& picture, int quarter_turns) {
  const AVRational aspect = picture.sample_aspect_ratio;
  double width = picture.width * (aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1), height = picture.height;
  if (quarter_turns % 2 == 1) std::swap(width, height);
  const double scale = kLonger / std::max(width, height);
  return {even_side(width * scale), even_side(height * scale)};
}

/// Puts pictures into sheets, and publishes them as JPEG.
class Sheets {
 public:
  Sheets(const Publication& publication, ThumbnailSheets& made, const PictureFormat& source)
      : publication_{publication},
        made_{made},
        source_{source},
        scaler_{source_, {{made.width, made.height}}},
        // JPEG has the full range of numbers, and BT.601 (JFIF, ITU-T T.871).
        tiles_{fmt::format("buffer@in=video_size={}x{}:pix_fmt={}:time_base=1/1:pixel_aspect=1/1,tile={}x{},"
                           "scale=in_range=tv:out_range=pc:out_color_matrix=bt601,format=yuvj420p,buffersink@0",
                           made.width, made.height, static_cast<int>(AV_PIX_FMT_YUV420P), made.columns, made.rows),
               "buffer", "buffersink", 1} {
    const AVCodec* const codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG);
    if (codec == nullptr) throw Failure{ExitCode::kCodec, "this libavcodec was built without an encoder for JPEG"};
    encoder_.reset(avcodec_alloc_context3(codec));
    if (!encoder_) throw std::bad_alloc{};
    encoder_->width = made.width * made.columns;
    encoder_->height = made.height * made.rows;
    encoder_->pix_fmt = AV_PIX_FMT_YUVJ420P;
    encoder_->color_range = AVCOL_RANGE_JPEG;
    encoder_->time_base = {1, 1};
    encoder_->thread_count = 1;
    encoder_->flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT;
    encoder_->global_quality = FF_QP2LAMBDA * kQuantizer;
    check(avcodec_open2(encoder_.get(), codec, nullptr), ExitCode::kCodec, kWriting);
  }

  /// Where a picture is missing, the one before it stands.
  void add(AVFrame* picture) {
    if (picture != nullptr && picture->width == source_.stored.width && picture->height == source_.stored.height &&
        picture->format == source_.pixels) {
      scaler_.scale(*picture);
      if (FrameHandle scaled = scaler_.pull(0)) last_ = std::move(scaled);
    }
    last_->pts = static_cast<std::int64_t>(made_.pictures++);
    tiles_.push(*last_);
    take();
  }
  void end() {
    tiles_.end(static_cast<std::int64_t>(made_.pictures));
    take();
  }

 private:
  static constexpr const char* kWriting = "cannot write thumbnails";

  void take() {
    while (const FrameHandle sheet = tiles_.pull(0)) {
      sheet->quality = encoder_->global_quality;
      encode_frame(*encoder_, sheet.get(), kWriting, [&](const AVPacket& packet) {
        const auto* const begin = reinterpret_cast<const std::byte*>(packet.data);
        publication_.publish(made_.sheet_uri(made_.sizes.size()), {begin, static_cast<std::size_t>(packet.size)});
        made_.sizes.emplace_back(packet.size);
      });
    }
  }

  const Publication& publication_;
  ThumbnailSheets& made_;
  const PictureFormat source_;
  PictureScaler scaler_;
  FilterChain tiles_;
  CodecHandle encoder_;
  FrameHandle last_;
};

}  // namespace

std::optional<ThumbnailSheets> publish_thumbnails(const Publication& publication, const std::vector<Track>& tracks,
                                                  const std::atomic<bool>& interrupted) {
  const Track* const track = shown_track(tracks);
  if (track == nullptr || track->sizes.empty()) return std::nullopt;
  FirstPictures pictures{publication.directory(), *track};
  const std::size_t apart = segments_per_picture(*track);
  ThumbnailSheets made{.uri = fmt::format("{}/{{n:05}}.jpg", kThumbnailsName),
                       .columns = kTilesPerSide,
                       .rows = kTilesPerSide,
                       .timescale = track->timescale,
                       .ticks = track->durations.front() * apart,
                       .sizes = {}};
  std::optional<Sheets> sheets;
  for (std::size_t segment = 0; segment < track->sizes.size(); segment += apart) {
    if (interrupted) throw Failure{ExitCode::kInterrupted, "interrupted"};
    AVFrame* const picture = pictures.of(static_cast<SegmentIndex>(segment));
    if (!sheets) {
      if (picture == nullptr) return std::nullopt;
      const PictureFormat format = format_of(pictures.stream(), *picture, {1, static_cast<int>(track->timescale)});
      const PictureSize size = thumbnail_size(*picture, format.quarter_turns);
      made.width = size.width;
      made.height = size.height;
      sheets.emplace(publication, made, format);
    }
    sheets->add(picture);
  }
  sheets->end();
  return made;
}

}  // namespace tributary::segmenter
