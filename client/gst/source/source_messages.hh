#pragma once

#include <gst/gst.h>

#include <optional>
#include <string>
#include <vector>

#include "playback/stream.hh"

namespace tributary {

// The messages of a source element to its application. None may be posted with a lock held that the application's
// answer needs: handlers run in the same thread.

/// 0: playout has to pause; 100: it may go on.
void post_buffering(GstElement* element, int percent);
/// Posted after a flushing seek, when no sink has anything to show, and before one can again. Messages of sinks before
/// it are older than the seek.
void post_flushed(GstElement* element, guint32 seqnum);
void post_failure(GstElement* element, const StreamFailure& failure);
/// A warning for each part of a segment that cannot be played.
void post_complaints(GstElement* element, const std::vector<std::string>& complaints);
/// An error: nothing of the title can be played. `what` has no values.
void post_unplayable(GstElement* element, const Sentence& what, const std::string& detail);

/// What a warning or an error of ours says; nothing if it is another element's.
std::optional<Sentence> what_of(GstMessage* message);

}  // namespace tributary
