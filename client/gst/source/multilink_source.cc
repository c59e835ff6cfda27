#include "gst/source/multilink_source.hh"

#include <exception>
#include <string>
#include <string_view>

#include "gst/source/source_body.hh"
#include "links/interfaces/network_name.hh"
#include "memory/network_memory.hh"

namespace tributary {
namespace {

constexpr std::string_view kPrefix = "multilink+";  // put before the scheme of the origin's URL
constexpr const char* kElementName = "multilinksrc";

struct MultilinkSource {
  GstBin parent;
  SourceBody* body;
};
struct MultilinkSourceClass {
  GstBinClass parent;
};

enum Property : guint { kUri = 1, kLow, kLinks, kCaFile, kQuality };

void implement_uri_handler(gpointer interface, gpointer data);

G_DEFINE_TYPE_WITH_CODE(MultilinkSource, multilink_source, GST_TYPE_BIN,
                        G_IMPLEMENT_INTERFACE(GST_TYPE_URI_HANDLER, implement_uri_handler))

MultilinkSource& self_of(gpointer object) { return *static_cast<MultilinkSource*>(object); }

bool is_stopped(MultilinkSource& self) { return GST_STATE(&self) <= GST_STATE_READY; }

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> names;
  while (!list.empty()) {
    const auto end = list.find(',');
    if (const auto name = list.substr(0, end); !name.empty()) names.emplace_back(name);
    list = end == std::string_view::npos ? "" : list.substr(end + 1);
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
  return list;
}

gboolean set_uri(GstURIHandler* handler, const gchar* uri, GError** error) {
  MultilinkSource& self = self_of(handler);
  const std::string_view text = uri == nullptr ? "" : uri;
  if (!is_stopped(self)) {
    g_set_error(error, GST_URI_ERROR, GST_URI_ERROR_BAD_STATE, "The URI cannot be changed while it plays");
    return FALSE;
  }
  if (!text.starts_with("multilink+http://") && !text.starts_with("multilink+https://")) {
    g_set_error(error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI, "Not a URI of multilink+http or multilink+https: %s", uri);
    return FALSE;
  }
  self.body->settings().url = text.substr(kPrefix.size());
  return TRUE;
}

gchar* get_uri(GstURIHandler* handler) {
  const std::string& url = self_of(handler).body->settings().url;
  return url.empty() ? nullptr : g_strdup((std::string{kPrefix} + url).c_str());
}

void implement_uri_handler(gpointer interface, gpointer /*data*/) {
  auto* const handler = static_cast<GstURIHandlerInterface*>(interface);
  handler->get_type = [](GType) { return GST_URI_SRC; };
  handler->get_protocols = [](GType) -> const gchar* const* {
    static const gchar* const protocols[] = {"multilink+http", "multilink+https", nullptr};
    return protocols;
  };
  handler->get_uri = get_uri;
  handler->set_uri = set_uri;
}

void set_property(GObject* object, guint id, const GValue* value, GParamSpec* spec) {
  MultilinkSource& self = self_of(object);
  SourceSettings& settings = self.body->settings();
  const auto text = [&] { return std::string{g_value_get_string(value) ? g_value_get_string(value) : ""}; };
  switch (id) {
    case kUri:
      set_uri(GST_URI_HANDLER(object), g_value_get_string(value), nullptr);
      return;
    case kLow:
      self.body->set_low(Duration{static_cast<Duration::rep>(g_value_get_uint64(value))});
      return;
    case kLinks:
      settings.stream.links = split(text());
      return;
    case kCaFile:
      settings.stream.rules.ca_file = text();
      return;
    case kQuality: {
      const int quality = g_value_get_int(value);
      self.body->choose_quality({quality < 0 ? std::nullopt : std::optional{static_cast<QualityIndex>(quality)}, {}});
      return;
    }
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

void get_property(GObject* object, guint id, GValue* value, GParamSpec* spec) {
  MultilinkSource& self = self_of(object);
  const SourceSettings& settings = self.body->settings();
  switch (id) {
    case kUri:
      g_value_take_string(value, get_uri(GST_URI_HANDLER(object)));
      return;
    case kLow:
      g_value_set_uint64(value, static_cast<guint64>(settings.low.count()));
      return;
    case kLinks:
      g_value_set_string(value, joined(settings.stream.links).c_str());
      return;
    case kCaFile:
      g_value_set_string(value, settings.stream.rules.ca_file.c_str());
      return;
    case kQuality: {
      const auto quality = self.body->quality();
      g_value_set_int(value, quality ? static_cast<int>(to_index(*quality)) : -1);
      return;
    }
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
  }
}

/// Posts exceptions as messages: none may pass through GStreamer's C code.
bool start(GstElement* element, SourceBody& body) {
  try {
    body.start();
    return true;
  } catch (const std::exception& error) {
    body.unblock();
    body.stop();
    GST_ELEMENT_ERROR(element, RESOURCE, OPEN_READ, ("The stream cannot be opened."), ("%s", error.what()));
    return false;
  }
}

GstStateChangeReturn change_state(GstElement* element, GstStateChange change) {
  SourceBody& body = source_body(element);
  if (change == GST_STATE_CHANGE_READY_TO_PAUSED && body.settings().url.empty()) {
    GST_ELEMENT_ERROR(element, RESOURCE, NOT_FOUND, ("No URI is set."), (nullptr));
    return GST_STATE_CHANGE_FAILURE;
  }
  if (change == GST_STATE_CHANGE_PAUSED_TO_READY) body.unblock();
  if (change == GST_STATE_CHANGE_PLAYING_TO_PAUSED) body.playout_paused();
  const GstStateChangeReturn result = GST_ELEMENT_CLASS(multilink_source_parent_class)->change_state(element, change);
  if (result == GST_STATE_CHANGE_FAILURE) return result;
  if (change == GST_STATE_CHANGE_READY_TO_PAUSED && !start(element, body)) return GST_STATE_CHANGE_FAILURE;
  if (change == GST_STATE_CHANGE_PAUSED_TO_PLAYING) body.playout_began();
  if (change == GST_STATE_CHANGE_PAUSED_TO_READY) body.stop();
  return result;
}

gboolean send_event(GstElement* element, GstEvent* event) {
  if (GST_EVENT_TYPE(event) != GST_EVENT_SEEK)
    return GST_ELEMENT_CLASS(multilink_source_parent_class)->send_event(element, event);
  const GstHandle<GstEvent> owned{event};
  return source_body(element).seek(event) ? TRUE : FALSE;
}

gboolean query(GstElement* element, GstQuery* asked) {
  return source_body(element).answer(asked) ||
                 GST_ELEMENT_CLASS(multilink_source_parent_class)->query(element, asked) != FALSE
             ? TRUE
             : FALSE;
}

void install_properties(GObjectClass* object) {
  const auto flags = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_property(
      object, kUri,
      g_param_spec_string("uri", "URI", "multilink+http://HOST/PATH of a manifest (MPEG-DASH, HLS) or an index.json",
                          nullptr, flags));
  g_object_class_install_property(
      object, kLow,
      g_param_spec_uint64("low", "Low", "Playout is paused when less than this is left, in nanoseconds", 0, G_MAXINT64,
                          500 * GST_MSECOND, flags));
  g_object_class_install_property(
      object, kLinks,
      g_param_spec_string("links", "Links", "Names of network interfaces, with commas; empty: all that can be used",
                          nullptr, flags));
  g_object_class_install_property(
      object, kCaFile,
      g_param_spec_string("ca-file", "CA file", "Certificates to trust instead of the system's", nullptr, flags));
  g_object_class_install_property(
      object, kQuality,
      g_param_spec_int("quality", "Quality",
                       "Set: what is streamed from now on, 0 is the lowest, -1: as the links can. Read: what is played",
                       -1, G_MAXINT, -1, flags));
}

void multilink_source_class_init(MultilinkSourceClass* type) {
  auto* const object = G_OBJECT_CLASS(type);
  auto* const element = GST_ELEMENT_CLASS(type);
  object->set_property = set_property;
  object->get_property = get_property;
  object->finalize = [](GObject* dying) {
    delete self_of(dying).body;
    G_OBJECT_CLASS(multilink_source_parent_class)->finalize(dying);
  };
  install_properties(object);
  element->change_state = change_state;
  element->send_event = send_event;
  element->query = query;
  gst_element_class_set_static_metadata(element, "Multilink source", "Source/Network",
                                        "Streams a presentation over several network links at once", "Tributary");
  static GstStaticPadTemplate video =
      GST_STATIC_PAD_TEMPLATE("video_%u", GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS_ANY);
  static GstStaticPadTemplate audio =
      GST_STATIC_PAD_TEMPLATE("audio_%u", GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS_ANY);
  gst_element_class_add_static_pad_template(element, &video);
  gst_element_class_add_static_pad_template(element, &audio);
}

void multilink_source_init(MultilinkSource* self) {
  self->body = new SourceBody{GST_ELEMENT(self)};
  // The element remembers links as our own programs do. A player sets another memory (PlayerPipeline::open).
  self->body->settings().stream.memory =
      link_memory(kAnywhere, [](const std::string& text) { GST_WARNING("%s", text.c_str()); });
  GST_OBJECT_FLAG_SET(self, GST_ELEMENT_FLAG_SOURCE);
  GST_OBJECT_FLAG_SET(self, GST_BIN_FLAG_STREAMS_AWARE);
}

}  // namespace

GType multilink_source_type() { return multilink_source_get_type(); }

SourceBody& source_body(GstElement* element) { return *self_of(element).body; }

bool register_multilink_source(GstPlugin* plugin) {
  return gst_element_register(plugin, kElementName, GST_RANK_PRIMARY, multilink_source_get_type()) != FALSE;
}

}  // namespace tributary
