#include "event_log.hh"

#include <gtest/gtest.h>

#include <algorithm>

#include "units/overloaded.hh"

namespace tributary::transport {

void EventLog::submitted(const RangeRequest& request) {
  const bool is_new =
      requests_.emplace(request.id, Request{.range = request.range, .bytes = {}, .open = request.open}).second;
  ASSERT_TRUE(is_new) << "request " << to_index(request.id) << " submitted twice";
}

EventLog::Request& EventLog::alive(RequestId id, const std::string& what) {
  Request& request = requests_.at(id);
  EXPECT_FALSE(request.ended) << what << " of request " << to_index(id) << " after its last event";
  return request;
}

void EventLog::end(RequestId id, const std::string& what) { alive(id, what).ended = true; }

void EventLog::add(const Event& event) {
  std::visit(Overloaded{
                 [this](const ResponseBegan& began) {
                   Request& request = alive(began.id, "beginning");
                   EXPECT_FALSE(request.began) << "a second beginning of request " << to_index(began.id);
                   request.began = true;
                   lines_.push_back({.what = "began", .id = began.id, .size = 0, .reason = {}});
                 },
                 [this](const BodyReceived& body) {
                   Request& request = alive(body.id, "bytes");
                   EXPECT_TRUE(request.began) << "bytes before the beginning";
                   const DataSize given{static_cast<std::int64_t>(request.bytes.size())};
                   EXPECT_EQ(body.offset.bytes(), (request.range.begin + given).bytes()) << "bytes out of order";
                   request.bytes.append(reinterpret_cast<const char*>(body.bytes.data()), body.bytes.size());
                   if (lines_.back().what != "bytes" || lines_.back().id != body.id) {
                     lines_.push_back({.what = "bytes", .id = body.id, .size = 0, .reason = {}});
                   }
                   lines_.back().size += body.bytes.size();
                 },
                 [this](const RequestDone& done) {
                   end(done.id, "end");
                   const Request& request = requests_.at(done.id);
                   const auto size = static_cast<std::int64_t>(request.bytes.size());
                   EXPECT_TRUE(request.open || size == request.range.size().bytes())
                       << "request " << to_index(done.id) << " is done without all its bytes";
                   done_.push_back(done.id);
                   lines_.push_back({.what = "done", .id = done.id, .size = 0, .reason = {}});
                 },
                 [this](const RequestFailed& failed) {
                   end(failed.id, "failure");
                   failed_.push_back(failed);
                   lines_.push_back(
                       {.what = "failed", .id = failed.id, .size = 0, .reason = std::string{to_string(failed.reason)}});
                 },
             },
             event);
}

int EventLog::open_requests() const {
  return static_cast<int>(std::ranges::count_if(requests_, [](const auto& entry) { return !entry.second.ended; }));
}

std::vector<std::string> EventLog::lines() const {
  std::vector<std::string> texts;
  for (const Line& line : lines_) {
    std::string text = line.what + " " + std::to_string(to_index(line.id));
    if (line.what == "bytes") text += ": " + std::to_string(line.size);
    if (line.what == "failed") text += ": " + line.reason;
    texts.push_back(text);
  }
  return texts;
}

}  // namespace tributary::transport
