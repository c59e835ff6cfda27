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

TEST(EntityTags, TheOldestOfManyAreForgotten) {
  EntityTags tags;
  for (std::size_t i = 0; i < EntityTags::kTargets; ++i) EXPECT_TRUE(tags.agree("/" + std::to_string(i), "\"a\""));
  EXPECT_FALSE(tags.agree("/0", "\"b\""));
  EXPECT_TRUE(tags.agree("/more", "\"a\""));
  EXPECT_TRUE(tags.agree("/0", "\"b\""));
  EXPECT_FALSE(tags.agree("/9", "\"b\""));
}

}  // namespace
}  // namespace tributary::transport
