#include "session_examination.hh"
#include "transport/http/http2_session.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tributary::fuzz::SessionExamination<tributary::transport::Http2Session>{}.run(data, size);
  return 0;
}
