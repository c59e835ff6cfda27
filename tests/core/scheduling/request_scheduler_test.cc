#include "core/scheduling/request_scheduler.hh"

#include <gtest/gtest.h>

#include "support/link_ids.hh"

namespace tributary {
namespace {

using testing::kA;
using testing::kB;
using testing::kC;
using namespace literals;

class Pipeline {
 public:
  void send(LinkId link) {
    OutstandingRequest request;
    request.id = next_;
    request.link = link;
    request.range = {0_B, 1_kB};
    outstanding.add(request);
    next_ = next(next_);
  }
  void begins(LinkId link) { outstanding.find(outstanding.head(link)->id)->began = true; }
  void ends(LinkId link) { outstanding.remove(outstanding.head(link)->id); }

  OutstandingRequests outstanding;

 private:
  RequestId next_{1};
};

TEST(RequestScheduler, TheStartIsInterleaved) {
  const RequestScheduler scheduler{3};
  const std::vector<LinkId> links{kA, kB, kC};
  Pipeline pipeline;
  std::vector<LinkId> order;
  for (auto next = scheduler.links_to_ask(links, pipeline.outstanding); !next.empty();
       next = scheduler.links_to_ask(links, pipeline.outstanding)) {
    order.push_back(next.front());
    pipeline.send(next.front());
  }
  // Thesis figure 4.6: three links, depth three; no two neighbours on the same link.
  EXPECT_EQ(order, (std::vector{kA, kB, kC, kA, kB, kC, kA, kB, kC}));
}

TEST(RequestScheduler, TheNextIsAskedForWhenTheResponseBeginsNotWhenTheOneBeforeEnds) {
  const RequestScheduler scheduler{2};
  const std::vector<LinkId> links{kA};
  Pipeline pipeline;
  pipeline.send(kA);
  pipeline.send(kA);
  EXPECT_TRUE(scheduler.links_to_ask(links, pipeline.outstanding).empty());
  pipeline.begins(kA);
  EXPECT_TRUE(scheduler.links_to_ask(links, pipeline.outstanding).empty());  // it has its pipelined request already
  pipeline.ends(kA);
  EXPECT_TRUE(scheduler.links_to_ask(links, pipeline.outstanding).empty());  // the second has not begun
  pipeline.begins(kA);
  EXPECT_EQ(scheduler.links_to_ask(links, pipeline.outstanding), LinkIds{kA});
}

TEST(RequestScheduler, WithoutPipeliningALinkIsAskedWhenItIsIdle) {
  const RequestScheduler scheduler{1};
  const std::vector<LinkId> links{kA};
  Pipeline pipeline;
  pipeline.send(kA);
  pipeline.begins(kA);
  EXPECT_TRUE(scheduler.links_to_ask(links, pipeline.outstanding).empty());
  pipeline.ends(kA);
  EXPECT_EQ(scheduler.links_to_ask(links, pipeline.outstanding), LinkIds{kA});
}

TEST(RequestScheduler, ALinkThatCannotBeUsedIsNotAsked) {
  const RequestScheduler scheduler{2};
  const std::vector<LinkId> only_b{kB};
  EXPECT_EQ(scheduler.links_to_ask(only_b, OutstandingRequests{}), LinkIds{kB});
}

}  // namespace
}  // namespace tributary
