#include "transport/entity_tags.hh"

#include <gtest/gtest.h>

#include "canned_responses.hh"
#include "session_run.hh"

namespace tributary::transport {
namespace {

TEST(Http1Session, NoticesAnotherEntityTagThanTheOneExpected) {
  for (const auto& [tag, last_line] :
       {std::pair{"\"a\"", "done 1"}, {"W/\"b\"", "done 1"}, {"\"b\"", "failed 1: entity-changed"}}) {
    SessionRun run;
    run.ask({.id = RequestId{1},
             .target = "/object",
             .range = {DataSize{0}, DataSize{10}},
             .file_size = {},
             .etag = "\"a\""});
    run.receive(partial_content(0, 10, std::string{"ETag: "} + tag + "\r\n"));
    EXPECT_EQ(run.lines().back(), last_line) << tag;
  }
}

}  // namespace
}  // namespace tributary::transport
