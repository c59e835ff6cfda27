#pragma once

#include <string>
#include <vector>

#include "gst/source/title_contents.hh"

namespace tributary {

/// The streams of a title, as GStreamer announces them: each with its pad.
class TitleStreams {
 public:
  struct Stream {
    TrackKind kind;
    const char* pad;
    GstHandle<GstStream> stream;  // with the capabilities that the title's contents have
  };

  /// `id`: of the title.
  TitleStreams(const std::string& id, const TitleContents& contents);

  const std::vector<Stream>& streams() const { return streams_; }
  /// As its first samples will have them; null: not known yet.
  GstHandle<GstCaps> caps_of(const Stream& stream) const {
    return GstHandle<GstCaps>{exact_ ? gst_stream_get_caps(stream.stream.get()) : nullptr};
  }
  GstStreamCollection* collection() const { return collection_.get(); }

 private:
  void add(const std::string& id, TrackKind kind, const char* pad, GstStreamType type, GstCaps* caps);

  bool exact_;
  std::vector<Stream> streams_;
  GstHandle<GstStreamCollection> collection_;
};

/// The contents that a message of such a collection tells.
TitleContents contents_in(GstMessage* stream_collection);

}  // namespace tributary
