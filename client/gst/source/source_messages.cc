#include "gst/source/source_messages.hh"

#include "units/printed_text.hh"

namespace tributary {

void post_buffering(GstElement* element, int percent) {
  gst_element_post_message(element, gst_message_new_buffering(GST_OBJECT(element), percent));
}

void post_flushed(GstElement* element, guint32 seqnum) {
  GstMessage* const message = gst_message_new_element(GST_OBJECT(element), gst_structure_new_empty("flushed"));
  gst_message_set_seqnum(message, seqnum);
  gst_element_post_message(element, message);
}

void post_failure(GstElement* element, const StreamFailure& failure) {
  GST_ELEMENT_ERROR(element, RESOURCE, READ, ("%s", printable(failure.what).c_str()),
                    ("%s", printable(failure.detail).c_str()));
}

void post_complaints(GstElement* element, const std::vector<std::string>& complaints) {
  for (const std::string& what : complaints)
    GST_ELEMENT_WARNING(element, STREAM, DEMUX, ("A part of a segment cannot be played."),
                        ("%s", printable(what).c_str()));
}

}  // namespace tributary
