#include "gst/plugin/multilink_demux.hh"

#include <string>
#include <string_view>

#include "gst/gst_handles.hh"
#include "gst/plugin/index_type.hh"
#include "gst/source/multilink_source.hh"

namespace tributary {
namespace {

constexpr const char* kElementName = "multilinkdemux";

struct MultilinkDemux {
  GstBin parent;
  GstElement* source;  // of the bin; its state is locked until the address is known
  GstPad* sink;        // of the element
};
struct MultilinkDemuxClass {
  GstBinClass parent;
};

G_DEFINE_TYPE(MultilinkDemux, multilink_demux, GST_TYPE_BIN)

MultilinkDemux& self_of(gpointer object) { return *static_cast<MultilinkDemux*>(object); }

/// The address of the manifest, as the elements before the pad know it; empty: they know none.
std::string asked_address(GstPad* sink) {
  const GstHandle<GstQuery> query{gst_query_new_uri()};
  gchar* uri = nullptr;
  if (gst_pad_peer_query(sink, query.get()) != FALSE) gst_query_parse_uri(query.get(), &uri);
  const GlibString owned{uri};
  return uri == nullptr ? "" : uri;
}

/// Begins to stream. False: a message says why not.
bool open(MultilinkDemux& self) {
  const std::string uri = asked_address(self.sink);
  GError* error = nullptr;
  gst_uri_handler_set_uri(GST_URI_HANDLER(self.source), ("multilink+" + uri).c_str(), &error);
  if (const GlibError refused{error}) {
    GST_ELEMENT_ERROR(&self, RESOURCE, OPEN_READ, ("Only addresses of http and https are played over several links."),
                      ("the address of the manifest is \"%s\"", uri.c_str()));
    return false;
  }
  gst_element_set_locked_state(self.source, FALSE);
  return gst_element_sync_state_with_parent(self.source) != FALSE;
}

/// The text itself is not read: a stream fetches it again over its own links, and so often as it changes.
GstFlowReturn take_text(GstPad* /*pad*/, GstObject* parent, GstBuffer* text) {
  const GstHandle<GstBuffer> dropped{text};
  MultilinkDemux& self = self_of(parent);
  if (gst_element_is_locked_state(self.source) == FALSE || open(self)) return GST_FLOW_OK;
  return GST_FLOW_ERROR;
}

/// Events of the text end here: picture and sound have their own.
gboolean take_event(GstPad* /*pad*/, GstObject* /*parent*/, GstEvent* event) {
  gst_event_unref(event);
  return TRUE;
}

void expose(GstElement* /*source*/, GstPad* pad, gpointer demux) {
  const GlibString name{gst_pad_get_name(pad)};
  GstPadTemplate* const templ = gst_element_class_get_pad_template(
      GST_ELEMENT_GET_CLASS(demux), std::string_view{name.get()}.starts_with("video") ? "video_%u" : "audio_%u");
  GstPad* const ghost = gst_ghost_pad_new_from_template(name.get(), pad, templ);
  gst_pad_set_active(ghost, TRUE);
  gst_element_add_pad(GST_ELEMENT(demux), ghost);
}

void withdraw(GstElement* /*source*/, GstPad* pad, gpointer demux) {
  const GlibString name{gst_pad_get_name(pad)};
  const GstHandle<GstPad> ghost{gst_element_get_static_pad(GST_ELEMENT(demux), name.get())};
  if (ghost) gst_element_remove_pad(GST_ELEMENT(demux), ghost.get());
}

GstStateChangeReturn change_state(GstElement* element, GstStateChange change) {
  const GstStateChangeReturn result = GST_ELEMENT_CLASS(multilink_demux_parent_class)->change_state(element, change);
  if (change == GST_STATE_CHANGE_PAUSED_TO_READY || change == GST_STATE_CHANGE_READY_TO_NULL) {
    // The pads are not active any more, so no text begins another stream.
    GstElement* const source = self_of(element).source;
    gst_element_set_locked_state(source, TRUE);
    gst_element_set_state(source, GST_STATE_TRANSITION_NEXT(change));
  }
  return result;
}

gboolean send_event(GstElement* element, GstEvent* event) {
  if (GST_EVENT_TYPE(event) == GST_EVENT_SEEK) return gst_element_send_event(self_of(element).source, event);
  return GST_ELEMENT_CLASS(multilink_demux_parent_class)->send_event(element, event);
}

gboolean query(GstElement* element, GstQuery* asked) {
  // Asked before there is a stream: whether the element buffers by itself.
  if (GST_QUERY_TYPE(asked) == GST_QUERY_BUFFERING) return TRUE;
  return gst_element_query(self_of(element).source, asked);
}

void multilink_demux_class_init(MultilinkDemuxClass* type) {
  auto* const element = GST_ELEMENT_CLASS(type);
  element->change_state = change_state;
  element->send_event = send_event;
  element->query = query;
  // Applications look for the words Demuxer and Adaptive.
  gst_element_class_set_static_metadata(element, "Multilink demuxer", "Codec/Demuxer/Adaptive",
                                        "Plays a manifest over several network links at once", "Tributary");
  static GstStaticPadTemplate sink = GST_STATIC_PAD_TEMPLATE(
      "sink", GST_PAD_SINK, GST_PAD_ALWAYS,
      GST_STATIC_CAPS("application/x-tributary-index; application/dash+xml; application/x-hls"));
  static GstStaticPadTemplate video =
      GST_STATIC_PAD_TEMPLATE("video_%u", GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS_ANY);
  static GstStaticPadTemplate audio =
      GST_STATIC_PAD_TEMPLATE("audio_%u", GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS_ANY);
  for (GstStaticPadTemplate* const templ : {&sink, &video, &audio})
    gst_element_class_add_static_pad_template(element, templ);
}

void multilink_demux_init(MultilinkDemux* self) {
  // It has a source within, and is none.
  gst_bin_set_suppressed_flags(GST_BIN(self), GST_ELEMENT_FLAG_SOURCE);
  GST_OBJECT_FLAG_SET(self, GST_BIN_FLAG_STREAMS_AWARE);
  self->source = GST_ELEMENT(g_object_new(multilink_source_type(), "name", "source", nullptr));
  gst_element_set_locked_state(self->source, TRUE);
  gst_bin_add(GST_BIN(self), self->source);
  g_signal_connect(self->source, "pad-added", G_CALLBACK(expose), self);
  g_signal_connect(self->source, "pad-removed", G_CALLBACK(withdraw), self);
  g_signal_connect_swapped(self->source, "no-more-pads", G_CALLBACK(gst_element_no_more_pads), self);
  const GstHandle<GstPadTemplate> templ{
      GST_PAD_TEMPLATE(gst_object_ref(gst_element_class_get_pad_template(GST_ELEMENT_GET_CLASS(self), "sink")))};
  self->sink = gst_pad_new_from_template(templ.get(), "sink");
  gst_pad_set_chain_function(self->sink, take_text);
  gst_pad_set_event_function(self->sink, take_event);
  gst_element_add_pad(GST_ELEMENT(self), self->sink);
}

}  // namespace

bool register_multilink_demux(GstPlugin* plugin) {
  return gst_element_register(plugin, kElementName, GST_RANK_SECONDARY, multilink_demux_get_type()) != FALSE;
}

}  // namespace tributary
