#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>

#include "gst/gst_handles.hh"

namespace tributary {

/// The element of the pads, which answers their events and queries.
class TrackOutputOwner {
 public:
  virtual ~TrackOutputOwner() = default;
  /// Called for events from downstream, in any thread. Takes ownership of the event.
  virtual bool upstream_event(GstPad* pad, GstEvent* event) = 0;
  virtual bool query(GstPad* pad, GstQuery* query) = 0;
  /// Whether any pad of the element is linked. A track without a link goes on as long as another has one.
  virtual bool any_linked() = 0;
};

/// One track's way out of an element: a source pad, its queue, and the thread that pushes.
class TrackOutput {
 public:
  /// Announces `stream`, as one of the collection, before it pushes anything else.
  TrackOutput(GstElement* element, TrackOutputOwner& owner, const std::string& pad_name, GstHandle<GstStream> stream,
              GstStreamCollection* collection, guint group);
  ~TrackOutput();

  GstPad* pad() const { return pad_.get(); }
  GstStream* stream() const { return stream_.get(); }
  bool linked() const;

  /// Queues a buffer, or an event that is serialised with buffers. Never waits.
  void push(GstHandle<GstMiniObject> item);
  void push_event(GstEvent* event) { push(GstHandle<GstMiniObject>{GST_MINI_OBJECT_CAST(event)}); }

  /// Drops all that is queued, here and downstream. Pushes nothing until end_flush.
  void begin_flush(guint32 seqnum);
  void end_flush(guint32 seqnum);
  /// Drops the queue, and ends the wait of the pushing thread.
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
  bool announced_ = false;  // pad's thread only
  bool linked_ = true;
};

}  // namespace tributary
