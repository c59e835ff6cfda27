#include "gst/source/title_contents.hh"

#include "gst/readers/media_caps.hh"
#include "gst/readers/segment_readers.hh"
#include "media/iso_box.hh"

namespace tributary {
namespace {

GstHandle<GstCaps> stated(const Track& track) {
  return track.init && !track.codec.empty() ? caps_of_codec(track.codec) : nullptr;
}

}  // namespace

std::optional<TitleContents> stated_contents(const StreamInfo& info) {
  const Presentation& presentation = info.presentation;
  const Track& leading = presentation.tracks.at(info.qualities.at(0));
  if (leading.kind != TrackKind::kVideo) return TitleContents{};  // plain bytes
  if (presentation.times_are_measured) return std::nullopt;
  TitleContents contents{stated(leading), info.sound ? stated(presentation.tracks.at(*info.sound)) : nullptr};
  const bool all = contents.picture && (contents.sound || !info.sound);
  return all ? std::optional{std::move(contents)} : std::nullopt;
}

FoundContents contents_of(const std::deque<MediaSegment>& segments, const StreamInfo& info) {
  const std::vector<Track>& tracks = info.presentation.tracks;
  SegmentReaders readers;
  FoundContents found;
  found.contents.exact = true;
  for (const MediaSegment& segment : segments) {
    for (const MediaSegment::Part& part : segment.parts) {
      if (part.track >= tracks.size() || !part.init) continue;
      try {
        readers.take_init(part, tracks[part.track]);
      } catch (const BoxError& error) {
        found.fault = error.what();
      }
    }
    for (const MediaSegment::Part& part : segment.parts) {
      if (part.track >= tracks.size() || part.init || (info.live && part.bytes->empty())) continue;
      ReadPart read = readers.read(part);
      if (read.content.damage && found.fault.empty()) found.fault = *read.content.damage;
      const bool of_sound = part.kind == TrackKind::kAudio;
      for (ReadStream& stream : read.content.streams) {
        if (!of_sound) found.ladder_is_readable = true;
        const bool wanted = stream.kind == TrackKind::kVideo ? !of_sound : of_sound == info.sound.has_value();
        if (!wanted) continue;
        GstHandle<GstCaps>& caps = stream.kind == TrackKind::kVideo ? found.contents.picture : found.contents.sound;
        if (!caps) caps = std::move(stream.caps);
      }
    }
    found.complete = found.ladder_is_readable && (found.contents.sound || !info.sound);
    if (found.complete) break;
  }
  return found;
}

}  // namespace tributary
