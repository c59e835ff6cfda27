#pragma once

#include <gst/gst.h>

namespace tributary {

/// Registers an element that takes the text of a manifest, and gives picture and sound over all links. Applications put
/// it behind their own source of HTTP. It asks that source for the address, and opens that by a multilinksrc within it;
/// nothing else of that source counts (cookies, fields, proxies).
/// Its rank is below those of GStreamer's own elements for HLS and MPEG-DASH.
bool register_multilink_demux(GstPlugin* plugin);

}  // namespace tributary
