#include "gst/source/source_messages.hh"

#include "units/text/printed_text.hh"

namespace tributary {
namespace {

constexpr const char* kForm = "form";  // of a sentence without values, in the details of a message

}  // namespace

void post_buffering(GstElement* element, int percent) {
  gst_element_post_message(element, gst_message_new_buffering(GST_OBJECT(element), percent));
}

void post_flushed(GstElement* element, guint32 seqnum) {
  GstMessage* const message = gst_message_new_element(GST_OBJECT(element), gst_structure_new_empty("flushed"));
  gst_message_set_seqnum(message, seqnum);
  gst_element_post_message(element, message);
}

void post_failure(GstElement* element, const StreamFailure& failure) {
  GST_ELEMENT_ERROR(element, RESOURCE, READ, ("%s", printable(failure.what.english()).c_str()),
                    ("%s", printable(failure.detail).c_str()));
}

void post_complaints(GstElement* element, const std::vector<std::string>& complaints) {
  const Sentence what = sentence("A part of a segment cannot be played.");
  for (const std::string& detail : complaints)
    GST_ELEMENT_WARNING_WITH_DETAILS(element, STREAM, DEMUX, ("%s", what.english().c_str()),
                                     ("%s", printable(detail).c_str()),
                                     (kForm, G_TYPE_STRING, what.form.c_str(), nullptr));
}

void post_unplayable(GstElement* element, const Sentence& what, const std::string& detail) {
  GST_ELEMENT_ERROR_WITH_DETAILS(element, STREAM, WRONG_TYPE, ("%s", what.english().c_str()),
                                 ("%s", printable(detail).c_str()), (kForm, G_TYPE_STRING, what.form.c_str(), nullptr));
}

std::optional<Sentence> what_of(GstMessage* message) {
  const GstStructure* details = nullptr;
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error_details(message, &details);
  } else {
    gst_message_parse_warning_details(message, &details);
  }
  const char* const form = details != nullptr ? gst_structure_get_string(details, kForm) : nullptr;
  return form != nullptr ? std::optional{Sentence{form}} : std::nullopt;
}

}  // namespace tributary
