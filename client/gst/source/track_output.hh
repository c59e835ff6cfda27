#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

#include "gst/gst_handles.hh"

namespace tributary {

/// Who answers for the pads of an element.
class TrackOutputOwner {
 public:
  virtual ~TrackOutputOwner() = default;
  /// From downstream, in any thread. Takes the event.
  virtual bool upstream_event(GstPad* pad, GstEvent* event) = 0;
  virtual bool query(GstPad* pad, GstQuery* query) = 0;
  /// Nobody wants what a track has: whether somebody wants what another one has.
  virtual bool any_linked() = 0;
};

/// One track's way out of an element: a source pad, what waits to leave by it, and the thread that pushes it.
class TrackOutput {
 public:
  /// `stream` is announced, as one of the collection, before anything else.
  TrackOutput(GstElement* element, TrackOutputOwner& owner, const std::string& pad_name, GstHandle<GstStream> stream,
              GstStreamCollection* collection, guint group);
  ~TrackOutput();

  GstPad* pad() const { return pad_.get(); }
  GstStream* stream() const { return stream_.get(); }
  bool linked() const;

  /// A buffer, or an event that is serialised with buffers. Never waits.
  void push(GstHandle<GstMiniObject> item);
  void push_event(GstEvent* event) { push(GstHandle<GstMiniObject>{GST_MINI_OBJECT_CAST(event)}); }

  /// Downstream drops what it has, and so does this; nothing leaves until the end of the flush.
  void begin_flush(guint32 seqnum);
  void end_flush(guint32 seqnum);
  /// Nothing leaves any more, and nobody waits.
  void stop();

 private:
  static gboolean activate(GstPad* pad, GstObject* parent, GstPadMode mode, gboolean active);
  static void run(void* self);
  bool start();
  GstHandle<GstMiniObject> next();  // null: stopped
  void push_out(GstHandle<GstMiniObject> item);
  void announce();
  void pause();

  GstElement* element_;
  TrackOutputOwner& owner_;
  GstHandle<GstStream> stream_;
  GstHandle<GstStreamCollection> collection_;
  guint group_;
  GstHandle<GstPad> pad_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<GstHandle<GstMiniObject>> items_;
  bool stopped_ = true;
  bool announced_ = false;  // of the pad's thread
  bool linked_ = true;
};

}  // namespace tributary
