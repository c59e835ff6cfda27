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

}  // namespace tributary
