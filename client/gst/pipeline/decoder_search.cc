#include "gst/pipeline/decoder_search.hh"

#include <gst/pbutils/pbutils.h>

#include <algorithm>
#include <array>
#include <memory>

namespace tributary {
namespace {

struct KnownFormat {
  const char* caps;
  const char* parser;
  const char* package;  // of the usual decoder
};
constexpr std::array kFormats{
    KnownFormat{"video/x-h264", "h264parse", "gstreamer1.0-libav"},
    KnownFormat{"video/x-h265", "h265parse", "gstreamer1.0-libav"},
    KnownFormat{"video/x-av1", "av1parse", "gstreamer1.0-plugins-bad"},
    KnownFormat{"video/x-vp9", "vp9parse", "gstreamer1.0-plugins-good"},
    KnownFormat{"video/mpeg", "mpegvideoparse", "gstreamer1.0-libav"},
    KnownFormat{"audio/mpeg, mpegversion=(int)1", "mpegaudioparse", "gstreamer1.0-plugins-good"},
    KnownFormat{"audio/mpeg", "aacparse", "gstreamer1.0-libav"},
    KnownFormat{"audio/x-ac3", "ac3parse", "gstreamer1.0-libav"},
    KnownFormat{"audio/x-eac3", "ac3parse", "gstreamer1.0-libav"},
    KnownFormat{"audio/x-opus", "opusparse", "gstreamer1.0-plugins-base"},
};

/// Packages of elements that are not decoders.
constexpr std::array<std::pair<const char*, const char*>, 7> kPackages{
    {{"appsink", "gstreamer1.0-plugins-base"},
     {"videoconvert", "gstreamer1.0-plugins-base"},
     {"videoscale", "gstreamer1.0-plugins-base"},
     {"audioconvert", "gstreamer1.0-plugins-base"},
     {"volume", "gstreamer1.0-plugins-base"},
     {"scaletempo", "gstreamer1.0-plugins-good"},
     {"autoaudiosink", "gstreamer1.0-plugins-good"}}};

struct FreeFeatures {
  void operator()(GList* features) const { gst_plugin_feature_list_free(features); }
};
using Features = std::unique_ptr<GList, FreeFeatures>;

bool in_hardware(GstElementFactory* factory) {
  const gchar* const type = gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS);
  return type != nullptr && std::string_view{type}.find("Hardware") != std::string_view::npos;
}

/// Whether the decoder gets its device.
bool opens(GstElementFactory* factory) {
  const GstHandle<GstElement> element{gst_element_factory_create(factory, nullptr)};
  if (!element) return false;
  gst_object_ref_sink(element.get());
  const bool opened = gst_element_set_state(element.get(), GST_STATE_READY) != GST_STATE_CHANGE_FAILURE;
  gst_element_set_state(element.get(), GST_STATE_NULL);
  return opened;
}

bool fits(GstElementFactory* factory, Decoders which) {
  if (which == Decoders::kInHardwareFirst) return in_hardware(factory) && opens(factory);
  return !in_hardware(factory) && gst_plugin_feature_get_rank(GST_PLUGIN_FEATURE(factory)) >= GST_RANK_MARGINAL;
}

/// Null: there is none.
GstElementFactory* best_decoder(GList* by_rank, Decoders which) {
  for (GList* next = by_rank; next != nullptr; next = next->next) {
    auto* const factory = static_cast<GstElementFactory*>(next->data);
    if (fits(factory, which)) return factory;
  }
  return nullptr;
}

bool exists(const char* factory) { return GstHandle<GstElementFactory>{gst_element_factory_find(factory)} != nullptr; }

Sentence advice(const std::string& package) { return sentence("Install it with: sudo apt install {}", package); }

std::string name_of(const GstCaps& caps) {
  const GlibString name{gst_pb_utils_get_codec_description(&caps)};
  return name ? name.get() : "an unknown format";
}

/// The format without what a parser makes fit.
GstHandle<GstCaps> bare(const GstCaps& caps) {
  const GstStructure* const all = gst_caps_get_structure(&caps, 0);
  GstHandle<GstCaps> made{gst_caps_new_empty_simple(gst_structure_get_name(all))};
  for (const char* const field : {"mpegversion", "layer", "systemstream", "codec-alpha"}) {
    const GValue* const value = gst_structure_get_value(all, field);
    if (value != nullptr) gst_caps_set_value(made.get(), field, value);
  }
  return made;
}

bool is_of(const KnownFormat& format, const GstCaps& caps) {
  const GstHandle<GstCaps> known{gst_caps_from_string(format.caps)};
  return gst_caps_can_intersect(known.get(), &caps) != FALSE;
}

}  // namespace

DecoderChain find_decoder(const GstCaps& wanted, Decoders which) {
  gst_pb_utils_init();
  const GstHandle<GstCaps> caps = bare(wanted);
  const auto* const format =
      std::find_if(kFormats.begin(), kFormats.end(), [&](const KnownFormat& known) { return is_of(known, *caps); });
  const Features all{gst_element_factory_list_get_elements(GST_ELEMENT_FACTORY_TYPE_DECODER, GST_RANK_NONE)};
  Features decoders{gst_element_factory_list_filter(all.get(), caps.get(), GST_PAD_SINK, FALSE)};
  decoders.reset(g_list_sort(decoders.release(), gst_plugin_feature_rank_compare_func));
  GstElementFactory* best = best_decoder(decoders.get(), which);
  const bool in_hardware = best != nullptr && which == Decoders::kInHardwareFirst;
  if (best == nullptr) best = best_decoder(decoders.get(), Decoders::kInSoftware);
  if (best == nullptr) {
    throw MissingElement{sentence("There is no decoder for {}.", name_of(*caps)),
                         format != kFormats.end() ? advice(format->package) : Sentence{}};
  }
  const bool marginal = gst_plugin_feature_get_rank(GST_PLUGIN_FEATURE(best)) <= GST_RANK_MARGINAL;
  DecoderChain chain{"", GST_OBJECT_NAME(best), marginal && !in_hardware, in_hardware};
  if (format != kFormats.end() && exists(format->parser)) chain.parser = format->parser;
  return chain;
}

GstElement* make_element(const std::string& factory) {
  if (GstElement* const element = gst_element_factory_make(factory.c_str(), nullptr)) return element;
  const auto* const known =
      std::find_if(kPackages.begin(), kPackages.end(), [&](const auto& package) { return package.first == factory; });
  throw MissingElement{sentence("GStreamer has no element \"{}\".", factory),
                       known != kPackages.end() ? advice(known->second) : Sentence{}};
}

}  // namespace tributary
