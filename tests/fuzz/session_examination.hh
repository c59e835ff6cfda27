#pragma once

#include <map>

#include "fuzz_target.hh"
#include "transport/http/file_versions.hh"
#include "transport/http/http_session.hh"

namespace tributary::fuzz {

using namespace tributary::transport;

/// A session that hears whatever an origin says: bytes only for what was asked, in order, and one end for each request. What
/// is said is cut into pieces where the first byte of the input says.
template <typename Session>
class SessionExamination {
 public:
  void run(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return;
    const std::size_t step = data[0] == 0 ? size : data[0];
    const std::span said{reinterpret_cast<const std::byte*>(data + 1), size - 1};
    for (std::size_t at = 0; at < said.size() && !session_.ended(); at += step) {
      for (int i = 0; i < 3; ++i) ask();
      hear(said.subspan(at, std::min(step, said.size() - at)));
    }
    end(size % 2 == 0 ? StreamStatus::kClosed : StreamStatus::kReset);
  }

 private:
  struct Asked {
    ByteRange range;
    DataSize next;
    bool ended = false;
  };

  void ask() {
    if (!session_.accepts_request()) return;
    const RequestId id{++last_};
    const ByteRange range{DataSize{100 * last_}, DataSize{100 * last_ + 100}};
    asked_[id] = {range, range.begin};
    session_.submit({id, "/low/00001.m4s", range, DataSize{1'000}});
    send();
  }
  void send() {
    while (!session_.output().empty()) session_.output_sent(session_.output().size());
  }
  void hear(std::span<const std::byte> bytes) {
    session_.on_bytes(bytes, TimePoint{});
    take_events();
    send();
  }
  void end(StreamStatus how) {
    session_.on_end(how);
    take_events();
    for (const RangeRequest& unanswered : session_.take_unanswered()) asked_.at(unanswered.id).ended = true;
    for (const auto& [id, asked] : asked_) require(asked.ended);
  }

  void take_events() {
    while (const auto event = session_.next_event()) {
      std::visit([this](const auto& e) { on(asked_.at(e.id), e); }, *event);
    }
  }
  void on(Asked& asked, const ResponseBegan&) { require(!asked.ended && asked.next == asked.range.begin); }
  void on(Asked& asked, const BodyReceived& body) {
    require(!asked.ended && body.offset == asked.next);
    asked.next += DataSize{std::ssize(body.bytes)};
    require(asked.next <= asked.range.end);
    for (const std::byte byte : body.bytes) sum_ += std::to_integer<unsigned>(byte);  // they can be read
  }
  void on(Asked& asked, const RequestDone&) {
    require(!asked.ended && asked.next == asked.range.end);
    asked.ended = true;
  }
  void on(Asked& asked, const RequestFailed&) {
    require(!asked.ended);
    asked.ended = true;
  }

  FileVersions versions_;
  Session session_{"origin.example", versions_, {}};
  std::map<RequestId, Asked> asked_;
  std::uint32_t last_ = 0;
  unsigned sum_ = 0;
};

}  // namespace tributary::fuzz
