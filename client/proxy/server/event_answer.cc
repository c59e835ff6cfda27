#include "proxy/server/event_answer.hh"

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "proxy/requests/response_head.hh"

namespace tributary::proxy {

namespace asio = boost::asio;

namespace {

using Clock = std::chrono::steady_clock;

/// Pieces of an event stream on their way from any thread to the connection.
class EventQueue {
 public:
  explicit EventQueue(std::size_t most) : most_{most} {}

  /// False if nobody takes them any more. Too many, and nobody will.
  bool put(std::string_view piece) {
    const std::lock_guard lock{mutex_};
    if (text_.size() + piece.size() > most_) ended_ = true;
    if (ended_) return false;
    text_ += piece;
    return true;
  }
  /// Nothing: it has ended.
  std::optional<std::string> take() {
    const std::lock_guard lock{mutex_};
    if (ended_) return {};
    return std::exchange(text_, {});
  }
  void end() {
    const std::lock_guard lock{mutex_};
    ended_ = true;
  }

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::string text_;
  bool ended_ = false;
};

}  // namespace

asio::awaitable<void> send_events(PlayerSocket& socket, const ServerParts& parts, AskedForm& form, Answer answer) {
  form.keep_alive = false;
  Fields fields = head_fields(form, std::move(answer.fields));
  add_if_missing(fields, "Content-Type", "text/event-stream");
  add_if_missing(fields, "Cache-Control", "no-store");
  const std::string head = response_head(answer.status, fields);
  bool sent = co_await socket.send(head);
  if (!sent || form.question.head_only) co_return;
  const auto queue = std::make_shared<EventQueue>(parts.limits.unread_events);
  std::get<EventStream>(answer.body).begin([queue, ring = socket.ringer(parts.thread)](const std::string& piece) {
    const bool goes_on = queue->put(piece);
    ring();
    return goes_on;
  });
  Clock::time_point heartbeat = Clock::now() + parts.limits.heartbeat;
  while (sent && !socket.ended()) {
    std::optional<std::string> text = queue->take();
    if (!text) break;
    if (text->empty() && Clock::now() >= heartbeat) text = ":\n\n";
    if (text->empty()) {
      co_await socket.news.wait(heartbeat);
      continue;
    }
    sent = co_await socket.send(*text);
    heartbeat = Clock::now() + parts.limits.heartbeat;
  }
  queue->end();
}

}  // namespace tributary::proxy
