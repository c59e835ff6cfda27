#include "gst/source/track_output.hh"

#include <utility>

namespace tributary {
namespace {

TrackOutputOwner& owner_of(GstPad* pad) { return *static_cast<TrackOutputOwner*>(gst_pad_get_element_private(pad)); }

}  // namespace

TrackOutput::TrackOutput(GstElement* element, TrackOutputOwner& owner, const std::string& pad_name,
                         GstHandle<GstStream> stream, GstStreamCollection* collection, guint group)
    : element_{element},
      owner_{owner},
      stream_{std::move(stream)},
      collection_{static_cast<GstStreamCollection*>(gst_object_ref(collection))},
      group_{group} {
  GstPadTemplate* const any = gst_pad_template_new(pad_name.c_str(), GST_PAD_SRC, GST_PAD_SOMETIMES, GST_CAPS_ANY);
  pad_.reset(GST_PAD(gst_object_ref_sink(gst_pad_new_from_template(any, pad_name.c_str()))));
  gst_object_unref(any);
  gst_pad_set_element_private(pad_.get(), &owner_);
  g_object_set_data(G_OBJECT(pad_.get()), "tributary-output", this);
  gst_pad_set_activatemode_function(pad_.get(), &TrackOutput::activate);
  gst_pad_set_event_function(pad_.get(), [](GstPad* pad, GstObject*, GstEvent* event) -> gboolean {
    return owner_of(pad).upstream_event(pad, event) ? TRUE : FALSE;
  });
  gst_pad_set_query_function(pad_.get(), [](GstPad* pad, GstObject*, GstQuery* query) -> gboolean {
    return owner_of(pad).query(pad, query) ? TRUE : FALSE;
  });
  gst_pad_use_fixed_caps(pad_.get());
}

TrackOutput::~TrackOutput() { gst_pad_set_active(pad_.get(), FALSE); }

gboolean TrackOutput::activate(GstPad* pad, GstObject* /*parent*/, GstPadMode mode, gboolean active) {
  if (mode != GST_PAD_MODE_PUSH) return FALSE;
  auto& self = *static_cast<TrackOutput*>(g_object_get_data(G_OBJECT(pad), "tributary-output"));
  if (active != FALSE) return self.start() ? TRUE : FALSE;
  self.stop();
  return gst_pad_stop_task(pad);
}

bool TrackOutput::start() {
  {
    const std::lock_guard lock{mutex_};
    stopped_ = false;
    linked_ = true;
  }
  return gst_pad_start_task(pad_.get(), &TrackOutput::run, this, nullptr) != FALSE;
}

void TrackOutput::stop() {
  const std::lock_guard lock{mutex_};
  stopped_ = true;
  items_.clear();
  changed_.notify_all();
}

bool TrackOutput::linked() const {
  const std::lock_guard lock{mutex_};
  return linked_;
}

void TrackOutput::push(GstHandle<GstMiniObject> item) {
  const std::lock_guard lock{mutex_};
  if (stopped_) return;
  items_.push_back(std::move(item));
  changed_.notify_one();
}

void TrackOutput::begin_flush(guint32 seqnum) {
  GstEvent* const event = gst_event_new_flush_start();
  gst_event_set_seqnum(event, seqnum);
  stop();
  gst_pad_push_event(pad_.get(), event);
  gst_pad_pause_task(pad_.get());  // returns after the thread has left the push
}

void TrackOutput::end_flush(guint32 seqnum) {
  GstEvent* const event = gst_event_new_flush_stop(TRUE);
  gst_event_set_seqnum(event, seqnum);
  gst_pad_push_event(pad_.get(), event);
  start();
}

GstHandle<GstMiniObject> TrackOutput::next() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [&] { return stopped_ || !items_.empty(); });
  if (stopped_) return nullptr;
  GstHandle<GstMiniObject> item = std::move(items_.front());
  items_.pop_front();
  return item;
}

void TrackOutput::run(void* self) {
  auto& output = *static_cast<TrackOutput*>(self);
  if (auto item = output.next()) return output.push_out(std::move(item));
  output.pause();
}

void TrackOutput::pause() {
  stop();
  gst_pad_pause_task(pad_.get());
}

void TrackOutput::announce() {
  announced_ = true;
  GstEvent* const start = gst_event_new_stream_start(gst_stream_get_stream_id(stream_.get()));
  gst_event_set_stream(start, stream_.get());
  gst_event_set_group_id(start, group_);
  gst_pad_push_event(pad_.get(), start);
  gst_pad_push_event(pad_.get(), gst_event_new_stream_collection(collection_.get()));
}

void TrackOutput::push_out(GstHandle<GstMiniObject> item) {
  if (!announced_) announce();
  if (GST_IS_EVENT(item.get())) {
    gst_pad_push_event(pad_.get(), GST_EVENT_CAST(item.release()));
    return;
  }
  const GstFlowReturn flow = gst_pad_push(pad_.get(), GST_BUFFER_CAST(item.release()));
  {
    const std::lock_guard lock{mutex_};
    linked_ = flow != GST_FLOW_NOT_LINKED;
  }
  if (flow == GST_FLOW_OK || (flow == GST_FLOW_NOT_LINKED && owner_.any_linked())) return;
  if (flow == GST_FLOW_EOS) {  // the end of the requested stretch is reached
    gst_pad_push_event(pad_.get(), gst_event_new_eos());
  } else if (flow == GST_FLOW_NOT_LINKED || flow < GST_FLOW_EOS) {
    // The pad tells a player which track it is. Elements behind it have told why, if they know.
    const GlibString name{gst_pad_get_name(pad_.get())};
    GST_ELEMENT_ERROR_WITH_DETAILS(element_, STREAM, FAILED, ("Nothing takes what pad %s brings.", name.get()),
                                   ("streaming stopped, reason %s (%d)", gst_flow_get_name(flow), flow),
                                   ("flow-return", G_TYPE_INT, flow, "pad", G_TYPE_STRING, name.get(), nullptr));
    gst_pad_push_event(pad_.get(), gst_event_new_eos());
  }
  pause();
}

}  // namespace tributary
