#include "gst/pipeline/decoder_preload.hh"

#include "gst/pipeline/decoder_search.hh"
#include "gst/readers/media_caps.hh"

namespace tributary {
namespace {

void load(const std::string& factory) {
  if (const GstHandle<GstPluginFeature> feature{gst_registry_lookup_feature(gst_registry_get(), factory.c_str())}) {
    const GstHandle<GstPluginFeature> loaded{gst_plugin_feature_load(feature.get())};
  }
}

void load_decoder(const char* codec) {
  const GstHandle<GstCaps> caps = caps_of_codec(codec);
  if (!caps) return;
  try {
    const DecoderChain chain = find_decoder(*caps);
    load(chain.decoder);
    load(chain.parser);
  } catch (const MissingElement&) {  // find_decoder reports it again when a title needs it
  }
}

}  // namespace

DecoderPreload::DecoderPreload()
    : thread_{[] {
        load_decoder("avc1.64001f");
        load_decoder("mp4a.40.2");
        for (const char* const element :
             {"videoconvert", "appsink", "audioconvert", "audioresample", "volume", "scaletempo"})
          load(element);
      }} {}

}  // namespace tributary
