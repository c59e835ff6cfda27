#include "gst/player/player_problems.hh"

#include <optional>

#include "gst/gst_handles.hh"
#include "gst/source/source_messages.hh"

namespace tributary {
namespace {

Sentence advice_for(StreamFailure::Kind kind) {
  using Kind = StreamFailure::Kind;
  switch (kind) {
    case Kind::kNoLink:
      return sentence("Connect to a network, or allow one of the links to be used.");
    case Kind::kNoAddress:
      return sentence("Look whether the address is right, and whether there is a network.");
    case Kind::kCertificate:
      return sentence(
          "Whoever answers may not be who it should be. A certificate of your own can be named with "
          "--cacert.");
    case Kind::kNotFound:
      return sentence("Look whether the address is that of a manifest (DASH, HLS) or an index.json.");
    case Kind::kPart:
      return sentence(
          "Parts before and behind it may be there. Whoever made the title can look for what is missing with "
          "tributary-segment check.");
    case Kind::kNoRanges:
      return sentence("The web server must answer requests for ranges of bytes.");
    case Kind::kIndex:
      return sentence(
          "Look whether the address is that of a manifest (DASH, HLS) or an index.json; whoever made it can check it with "
          "tributary-segment check.");
    case Kind::kLiveEnded:
    case Kind::kOther:
      break;
  }
  return {};
}

}  // namespace

PlayerProblem problem_of(const StreamFailure& failure) {
  return {true, failure.what, advice_for(failure.kind), failure.detail};
}

MessageText text_of(GstMessage* message) {
  GError* error = nullptr;
  gchar* detail = nullptr;
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error(message, &error, &detail);
  } else {
    gst_message_parse_warning(message, &error, &detail);
  }
  const GlibError owned{error};
  const GlibString text{detail};
  return {what_of(message).value_or(verbatim(owned ? owned->message : "")), text ? text.get() : ""};
}

}  // namespace tributary
