#include "gst/pipeline/chain_bin.hh"

#include <fmt/format.h>

#include <stdexcept>

namespace tributary {

GstHandle<GstElement> chain_bin(const std::string& name, const std::vector<GstElement*>& elements) {
  GstHandle<GstElement> bin{GST_ELEMENT(gst_object_ref_sink(gst_bin_new(name.c_str())))};
  for (GstElement* const element : elements) gst_bin_add(GST_BIN(bin.get()), element);
  for (std::size_t i = 1; i < elements.size(); ++i) {
    if (gst_element_link(elements[i - 1], elements[i]) == FALSE) {
      throw std::runtime_error{
          fmt::format("{} cannot be linked to {}", GST_OBJECT_NAME(elements[i - 1]), GST_OBJECT_NAME(elements[i]))};
    }
  }
  const GstHandle<GstPad> first{gst_element_get_static_pad(elements.front(), "sink")};
  gst_element_add_pad(bin.get(), gst_ghost_pad_new("sink", first.get()));
  return bin;
}

void replace(GstElement* element, GstElement* with) {
  const GstHandle<GstElement> bin{GST_ELEMENT(gst_element_get_parent(element))};
  const GstHandle<GstPad> sink{gst_element_get_static_pad(element, "sink")};
  const GstHandle<GstPad> source{gst_element_get_static_pad(element, "src")};
  const GstHandle<GstPad> before{gst_pad_get_peer(sink.get())};
  const GstHandle<GstPad> behind{source ? gst_pad_get_peer(source.get()) : nullptr};
  if (behind) gst_pad_send_event(behind.get(), gst_event_new_flush_start());  // or a thread waits there for room
  gst_element_set_locked_state(element, TRUE);
  gst_element_set_state(element, GST_STATE_NULL);
  gst_bin_remove(GST_BIN(bin.get()), element);
  gst_bin_add(GST_BIN(bin.get()), with);
  const GstHandle<GstPad> fresh_sink{gst_element_get_static_pad(with, "sink")};
  gst_pad_link(before.get(), fresh_sink.get());
  if (behind) {
    const GstHandle<GstPad> fresh_source{gst_element_get_static_pad(with, "src")};
    gst_pad_link(fresh_source.get(), behind.get());
  }
  gst_element_sync_state_with_parent(with);
}

}  // namespace tributary
