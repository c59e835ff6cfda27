#include "gst/source/title_streams.hh"

namespace tributary {

TitleStreams::TitleStreams(const std::string& id, const TitleContents& contents)
    : exact_{contents.exact}, collection_{gst_stream_collection_new(id.c_str())} {
  add(id, TrackKind::kVideo, "video_0", GST_STREAM_TYPE_VIDEO, contents.picture.get());
  add(id, TrackKind::kAudio, "audio_0", GST_STREAM_TYPE_AUDIO, contents.sound.get());
}

void TitleStreams::add(const std::string& id, TrackKind kind, const char* pad, GstStreamType type, GstCaps* caps) {
  if (caps == nullptr) return;
  const std::string stream_id = id + "/" + pad;
  GstHandle<GstStream> stream{gst_stream_new(stream_id.c_str(), caps, type, GST_STREAM_FLAG_SELECT)};
  gst_stream_collection_add_stream(collection_.get(), GST_STREAM(gst_object_ref(stream.get())));
  streams_.push_back({kind, pad, std::move(stream)});
}

TitleContents contents_in(GstMessage* stream_collection) {
  TitleContents contents;
  GstStreamCollection* told = nullptr;
  gst_message_parse_stream_collection(stream_collection, &told);
  const GstHandle<GstStreamCollection> collection{told};
  for (guint i = 0; collection && i < gst_stream_collection_get_size(collection.get()); ++i) {
    GstStream* const stream = gst_stream_collection_get_stream(collection.get(), i);
    const bool picture = (gst_stream_get_stream_type(stream) & GST_STREAM_TYPE_VIDEO) != 0;
    (picture ? contents.picture : contents.sound).reset(gst_stream_get_caps(stream));
  }
  return contents;
}

}  // namespace tributary
