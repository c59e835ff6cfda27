#include "report/csv_files.hh"

#include <gtest/gtest.h>

#include <sstream>

#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TEST(CsvFiles, HaveALineForEachThingAndNothingForWhatIsNotKnown) {
  const SegmentTable table = testing::constant_table(2, {250_kB});
  SessionRecord record{table};
  record.on_event(event::LinkUp{LinkId{0}, "wifi"}, TimePoint{});
  record.on_action(action::StartSegment{SegmentIndex{0}, QualityIndex{0}, 250_kB, 0, {}, 0, ""}, TimePoint{});
  record.on_action(action::SendRequest{RequestId{1}, LinkId{0}, SegmentIndex{0}, 0, {0_B, 250_kB}, {}, ""},
                   TimePoint{});
  record.on_event(event::ResponseBegan{RequestId{1}}, TimePoint{250ms});
  record.on_event(event::BytesReceived{RequestId{1}, 100_kB}, TimePoint{400ms});
  record.on_event(event::RequestFailed{RequestId{1}, FailureReason::kReset, ""}, TimePoint{600ms});
  record.on_action(action::SkipSegment{SegmentIndex{1}, 3s, ""}, TimePoint{700ms});

  std::ostringstream segments;
  write_segments_csv(segments, record);
  EXPECT_EQ(segments.str(),
            "index,quality,bitrate_kbit_s,bytes,request_s,first_byte_s,complete_s,due_s,play_s,miss_s,skipped,"
            "buffer_segments,lag_s,est_kbit_s,lowered_from\n"
            "0,low,1000.0,250000,0.000000,0.250000,,,,0.000000,0,0,,,\n"
            "1,,,0,,,,,,0.000000,1,0,,,\n");
  std::ostringstream requests;
  write_requests_csv(requests, record);
  EXPECT_EQ(requests.str(),
            "id,segment,link,range_start,range_end,sent_s,first_byte_s,last_byte_s,bytes,status,outcome,"
            "estimate_kbit_s,takes_over\n"
            "1,0,wifi,0,249999,0.000000,0.250000,0.400000,100000,reset,aborted,,\n");
  std::ostringstream links;
  write_links_csv(links, record, [](LinkId, TimePoint) { return 2_Mbps; });
  EXPECT_EQ(links.str(),
            "time_s,link,state,capacity_kbit_s,goodput_kbit_s,rtt_ms,inflight_bytes\n"
            "0.5,wifi,up,2000.0,1600.0,,150000\n");
}

}  // namespace
}  // namespace tributary
