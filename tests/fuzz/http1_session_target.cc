#include "session_examination.hh"
#include "transport/http/http1_session.hh"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tributary::fuzz::SessionExamination<tributary::transport::Http1Session>{}.run(data, size);
  return 0;
}
