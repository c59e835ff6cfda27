#include <gst/gst.h>

#include "gst/plugin/index_type.hh"
#include "gst/plugin/multilink_demux.hh"
#include "gst/source/multilink_source.hh"

#define PACKAGE "tributary"

static gboolean register_elements(GstPlugin* plugin) {
  return tributary::register_multilink_source(plugin) && tributary::register_multilink_demux(plugin) &&
                 tributary::register_index_type(plugin)
             ? TRUE
             : FALSE;
}

GST_PLUGIN_DEFINE(GST_VERSION_MAJOR, GST_VERSION_MINOR, tributary, "Streams over several network links at once",
                  register_elements, TRIBUTARY_VERSION, "MIT/X11", "Tributary", "Tributary")
