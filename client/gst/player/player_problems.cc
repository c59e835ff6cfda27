#include "gst/player/player_problems.hh"

#include "gst/gst_handles.hh"

namespace tributary {
namespace {

std::string advice_for(StreamFailure::Kind kind) {
  using Kind = StreamFailure::Kind;
  switch (kind) {
    case Kind::kNoLink:
      return "Connect to a network, or allow one of the links to be used.";
    case Kind::kNoAddress:
      return "Look whether the address is right, and whether there is a network.";
    case Kind::kCertificate:
      return "Whoever answers may not be who it should be. A certificate of your own can be named with "
             "--cacert.";
    case Kind::kNotFound:
      return "Look whether the address is that of a manifest (DASH, HLS) or an index.json.";
    case Kind::kPart:
      return "Parts before and behind it may be there. Whoever made the title can look for what is missing with "
             "tributary-segment check.";
    case Kind::kNoRanges:
      return "The web server must answer requests for ranges of bytes.";
    case Kind::kIndex:
      return "Look whether the address is that of a manifest (DASH, HLS) or an index.json; whoever made it can check it with "
             "tributary-segment check.";
    case Kind::kLiveEnded:
    case Kind::kOther:
      break;
  }
  return "";
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
  return {owned ? owned->message : "", text ? text.get() : ""};
}

}  // namespace tributary
