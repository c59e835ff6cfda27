#pragma once

#include <deque>
#include <optional>
#include <string>

#include "gst/gst_handles.hh"
#include "playback/stream.hh"

namespace tributary {

/// What a title holds, and decoders have to be found for.
struct TitleContents {
  GstHandle<GstCaps> picture, sound;  // null: it holds none
  bool exact = false;                 // capabilities as samples have them; else no more than their codecs
};

/// What the manifest states. Nothing if only the segments tell: a manifest of HLS does not say whether pictures' segments
/// hold sound, too, and need not name codecs.
std::optional<TitleContents> stated_contents(const StreamInfo& info);

/// What segments hold. They are looked at in their order, until all is known that they should hold.
struct FoundContents {
  TitleContents contents;
  bool ladder_is_readable = false;  // something of the tracks between which qualities are switched
  bool complete = false;            // further segments can add nothing
  std::string fault{};              // of these segments; empty: none
};
FoundContents contents_of(const std::deque<MediaSegment>& segments, const StreamInfo& info);

}  // namespace tributary
