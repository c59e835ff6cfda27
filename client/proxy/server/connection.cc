#include "proxy/server/connection.hh"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cassert>
#include <chrono>
#include <deque>
#include <mutex>
#include <span>
#include <utility>

#include "proxy/server/response_head.hh"

namespace tributary::proxy {

namespace asio = boost::asio;

namespace {

using asio::redirect_error;
using asio::use_awaitable;
using boost::system::error_code;
using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kReadSize = 8'192;
constexpr std::size_t kWriteSize = 65'536;
constexpr DataSize kMostOfAWrite{kWriteSize};
constexpr auto kLinger = 1s;  // for a refused sender to read why
constexpr std::size_t kMostDiscarded = 1'000'000;

TimePoint time_of(Clock::time_point time) {
  return TimePoint{std::chrono::duration_cast<Duration>(time.time_since_epoch())};
}
Clock::time_point time_of(TimePoint time) {
  return Clock::time_point{std::chrono::duration_cast<Clock::duration>(time.time_since_epoch())};
}

std::string date_now() {
  return http_date(
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

void add_if_missing(Fields& fields, std::string_view name, std::string value) {
  if (!field(fields, name)) fields.emplace_back(std::string{name}, std::move(value));
}

std::string chunk_head(std::size_t size) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%zx\r\n", size);
  return text.data();
}

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

/// A file that this connection sends: rings the bell when it changes.
class Connection::FileReader {
 public:
  FileReader(std::shared_ptr<IncomingFile> file, const std::shared_ptr<ServerThread>& thread,
             const std::weak_ptr<Connection>& connection)
      : file_{std::move(file)} {
    listener_ = file_->tell([told = told_, thread, connection] {
      if (told->exchange(true)) return;  // one call on its way is enough
      thread->post([told, connection] {
        told->store(false);
        if (const auto there = connection.lock()) there->news_.ring();
      });
    });
  }
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  ~FileReader() { file_->stop_telling(listener_); }

  const IncomingFile& file() const { return *file_; }

 private:
  std::shared_ptr<IncomingFile> file_;
  std::shared_ptr<std::atomic<bool>> told_ = std::make_shared<std::atomic<bool>>(false);
  int listener_ = 0;
};

Connection::Connection(asio::ip::tcp::socket socket, const ServerParts& parts)
    : socket_{std::move(socket)},
      parts_{parts},
      write_guard_{socket_.get_executor()},
      news_{socket_.get_executor()},
      room_{socket_.get_executor()} {}

void Connection::close() {
  ended_ = true;
  error_code ignored;
  socket_.close(ignored);
  news_.ring();
  room_.ring();
}

asio::awaitable<void> Connection::read() {
  const auto self = shared_from_this();
  std::array<char, kReadSize> buffer;
  std::size_t discarded = 0;
  while (!ended_) {
    if (reader_.is_full() && !discards_) {
      co_await room_.wait();
      continue;
    }
    error_code error;
    const std::size_t count =
        co_await socket_.async_read_some(asio::buffer(buffer), redirect_error(use_awaitable, error));
    if (error == asio::error::eof) ended_ = true;  // whoever still reads is sent what is there
    if (error && !ended_) close();
    if (!discards_) reader_.put({buffer.data(), count});
    if (discards_) discarded += count;
    if (discarded > kMostDiscarded) close();
    news_.ring();
  }
}

asio::awaitable<void> Connection::answer() {
  const auto self = shared_from_this();
  Then then = Then::kNext;
  while (then == Then::kNext) {
    auto next = co_await next_request();
    if (!next) break;
    then = co_await answer(std::move(*next));
  }
  if (then == Then::kEnd) co_await wait_for_the_end();
  close();
}

/// Nothing: the connection has ended, or nothing came for too long.
asio::awaitable<std::optional<std::variant<ReceivedRequest, Refusal>>> Connection::next_request() {
  const Clock::time_point idle_until = Clock::now() + parts_.limits.idle;
  std::optional<Clock::time_point> whole_by;
  while (true) {
    auto next = reader_.next();
    room_.ring();
    if (next) co_return next;
    const Clock::time_point now = Clock::now();
    if (!whole_by && reader_.has_begun()) whole_by = now + parts_.limits.head;
    if (whole_by && now >= *whole_by) co_return Refusal{408, "a request that does not end"};
    if (ended_ || now >= idle_until) co_return std::nullopt;
    co_await news_.wait(whole_by.value_or(idle_until));
  }
}

asio::awaitable<Connection::Then> Connection::answer(std::variant<ReceivedRequest, Refusal> received) {
  const auto* refusal = std::get_if<Refusal>(&received);
  std::variant<Admission, Refusal> admitted;
  if (refusal == nullptr) {
    admitted = admit(std::get<ReceivedRequest>(received), parts_.rules);
    refusal = std::get_if<Refusal>(&admitted);
  }
  Then then = Then::kCut;
  if (refusal != nullptr) {
    then = co_await refuse(refusal->status);
  } else {
    then = co_await answer_admitted(std::get<ReceivedRequest>(std::move(received)),
                                    std::get<Admission>(std::move(admitted)));
  }
  co_return then;
}

asio::awaitable<Connection::Then> Connection::answer_admitted(ReceivedRequest request, Admission admission) {
  Exchange exchange{.question = {.head_only = request.method == "HEAD", .http_1_0 = request.http_1_0},
                    .page = admission.page,
                    .if_none_match = field(request.fields, "If-None-Match"),
                    .if_range = field(request.fields, "If-Range"),
                    .keep_alive = request.keep_alive};
  Then then = Then::kCut;
  if (request.method == "OPTIONS") {
    const bool asks_for_local = field(request.fields, "Access-Control-Request-Private-Network") == "true";
    then = co_await send_preflight(std::move(exchange), asks_for_local);
    co_return then;
  }
  if (request.method == "GET" && count_fields(request.fields, "Range") == 1) {
    exchange.question.range = field(request.fields, "Range");
  }
  Request asked{.method = std::move(request.method),
                .target = std::move(admission.target),
                .fields = std::move(request.fields),
                .body = std::move(request.body)};
  std::optional<Answer> answer = co_await handled(std::move(asked));
  if (!answer) co_return Then::kCut;
  std::erase_if(answer->fields, [](const auto& own) { return is_of_server(own.first); });
  if (std::holds_alternative<std::string>(answer->body)) {
    then = co_await send_text(std::move(exchange), std::move(*answer));
  } else if (std::holds_alternative<FileBody>(answer->body)) {
    then = co_await send_file(std::move(exchange), std::move(*answer));
  } else {
    then = co_await send_events(std::move(exchange), std::move(*answer));
  }
  co_return then;
}

/// The answer of the handler; nothing if the player goes away before.
asio::awaitable<std::optional<Answer>> Connection::handled(Request request) {
  struct Pending {
    std::optional<Answer> answer;
    bool unwanted = false;
  };
  const auto pending = std::make_shared<Pending>();  // only the server's thread looks into it
  auto done = [pending, connection = weak_from_this(), thread = parts_.thread,
               handler = &parts_.handler](Answer answer) {
    thread->post([pending, connection, handler, answer = std::move(answer)]() mutable {
      assert(!pending->answer && "a request is answered once");
      pending->answer = std::move(answer);
      const auto* body = std::get_if<FileBody>(&pending->answer->body);
      if (pending->unwanted && body != nullptr) handler->left(body->file);
      if (const auto there = connection.lock()) there->news_.ring();
    });
  };
  parts_.handler.handle(std::move(request), std::move(done));
  while (!pending->answer && !ended_) co_await news_.wait();
  if (pending->answer) co_return std::move(pending->answer);
  pending->unwanted = true;
  co_return std::nullopt;
}

/// What the server sets beside the handler's fields.
Fields Connection::head_fields(const Exchange& exchange, Fields own) {
  add_if_missing(own, "Date", date_now());
  add_if_missing(own, "Referrer-Policy", "same-origin");  // addresses have the token in them
  add_sharing(own, exchange.page);
  add_connection(own, exchange);
  return own;
}

void Connection::add_connection(Fields& fields, const Exchange& exchange) {
  if (!exchange.keep_alive) fields.emplace_back("Connection", "close");
  if (exchange.keep_alive && exchange.question.http_1_0) fields.emplace_back("Connection", "keep-alive");
}

Connection::Then Connection::then_of(const Exchange& exchange, bool sent) {
  if (!sent) return Then::kCut;
  return exchange.keep_alive ? Then::kNext : Then::kEnd;
}

asio::awaitable<Connection::Then> Connection::send_preflight(Exchange exchange, bool asks_for_local) {
  Fields fields = preflight_fields(exchange.page, asks_for_local);
  add_connection(fields, exchange);
  const std::string head = response_head(204, fields);
  const bool sent = co_await send(head);
  co_return then_of(exchange, sent);
}

asio::awaitable<Connection::Then> Connection::send_text(Exchange exchange, Answer answer) {
  std::string& text = std::get<std::string>(answer.body);
  const std::optional<std::string> etag = field(answer.fields, "ETag");
  const bool is_known =
      etag && answer.status == 200 && exchange.if_none_match && has_etag(*exchange.if_none_match, *etag);
  Fields fields = head_fields(exchange, std::move(answer.fields));
  add_if_missing(fields, "Cache-Control", etag ? "no-cache" : "no-store");
  add_if_missing(fields, "X-Content-Type-Options", "nosniff");  // of media a player may find out what it is
  const bool has_length = !is_known && answer.status != 204 && answer.status != 304;
  if (has_length) fields.emplace_back("Content-Length", std::to_string(text.size()));
  std::string bytes = response_head(is_known ? 304 : answer.status, fields);
  if (has_length && !exchange.question.head_only) bytes += text;
  const bool sent = co_await send(bytes);
  co_return then_of(exchange, sent);
}

asio::awaitable<Connection::Then> Connection::send_file(Exchange exchange, Answer answer) {
  const FileBody body = std::get<FileBody>(std::move(answer.body));
  assert(body.file);
  const FileReader reader{body.file, parts_.thread, weak_from_this()};
  exchange.question.part = body.part;
  // What If-Range names may be another version, unless it is the ETag that is sent (RFC 9110 section 13.1.5).
  const std::optional<std::string> etag = field(answer.fields, "ETag");
  if (exchange.if_range && (exchange.if_range != etag || !etag->starts_with('"'))) exchange.question.range.reset();
  std::optional<FileHead> head;
  while (!(head = file_head(reader.file().progress(), exchange.question)) && !ended_) co_await news_.wait();
  bool sent = false;
  if (head) {
    if (head->framing == Framing::kClose) exchange.keep_alive = false;
    Fields fields = head_fields(exchange, std::move(answer.fields));
    if (head->status < 300 && !body.content_type.empty()) add_if_missing(fields, "Content-Type", body.content_type);
    add_if_missing(fields, "Cache-Control", "no-store");
    add_if_missing(fields, "Accept-Ranges", "bytes");
    fields.insert(fields.end(), head->fields.begin(), head->fields.end());
    // The handler's status tells more of a whole file.
    const unsigned status = head->status == 200 && answer.status != 206 ? answer.status : head->status;
    const std::string text = response_head(status, fields);
    sent = co_await send(text);
    if (sent && head->has_body() && !exchange.question.head_only) {
      sent = co_await send_file_body(reader, *head, body.pace);
      if (!sent && head->framing == Framing::kClose) reset();
    }
  }
  // A file that failed is nobody's any more; who asked for its head wants no more of it.
  if ((!sent || exchange.question.head_only) && reader.file().progress().phase != IncomingFile::Phase::kFailed)
    parts_.handler.left(body.file);
  co_return then_of(exchange, sent);
}

/// False if not all could be sent; the connection must end then, since its length or last chunk is missing.
asio::awaitable<bool> Connection::send_file_body(const FileReader& reader, FileHead head,
                                                 std::optional<DataRate> rate) {
  const auto size = head.end ? std::optional<DataSize>{*head.end - head.begin} : std::nullopt;
  const bool in_chunks = head.framing == Framing::kChunks;
  std::optional<Pace> pace;
  std::vector<std::byte> buffer(kWriteSize);
  DataSize next = head.begin;
  while (next != head.end) {
    const IncomingFile::Progress progress = reader.file().progress();
    if (progress.phase == IncomingFile::Phase::kComplete && !head.end) {
      head.end = progress.size;
      continue;
    }
    DataSize ready = std::min({progress.there, head.end.value_or(progress.there), next + kMostOfAWrite}) - next;
    Bell::Time until = Bell::Time::max();
    if (ready > DataSize{} && rate) {
      const Clock::time_point now = Clock::now();
      if (!pace) pace.emplace(*rate, size, time_of(now));
      const DataSize behind = next - head.begin;
      const DataSize wanted = std::min(ready, behind == DataSize{} ? DataSize{1} : pace->worth_a_write());
      ready = std::min(ready, pace->allowed(time_of(now)) - behind);
      if (ready < wanted) {
        until = time_of(pace->due(behind + wanted));
        ready = DataSize{};
      }
    }
    if (ready <= DataSize{}) {
      // What is there is sent even of a file that has failed.
      const bool is_last = progress.phase == IncomingFile::Phase::kFailed && next >= progress.there;
      if (is_last || ended_) co_return false;
      co_await news_.wait(until);
      continue;
    }
    const std::size_t count =
        reader.file().read(next, std::span{buffer}.first(static_cast<std::size_t>(ready.bytes())));
    std::string_view bytes{reinterpret_cast<const char*>(buffer.data()), count};
    bool sent = true;
    if (in_chunks) {
      const std::string chunk = chunk_head(count).append(bytes).append("\r\n");
      sent = co_await send(chunk);
    } else {
      sent = co_await send(bytes);
    }
    if (!sent) co_return false;
    next += DataSize{static_cast<std::int64_t>(count)};
  }
  if (in_chunks) {
    const bool sent = co_await send("0\r\n\r\n");
    co_return sent;
  }
  co_return true;
}

/// The stream ends with the connection.
asio::awaitable<Connection::Then> Connection::send_events(Exchange exchange, Answer answer) {
  exchange.keep_alive = false;
  Fields fields = head_fields(exchange, std::move(answer.fields));
  add_if_missing(fields, "Content-Type", "text/event-stream");
  add_if_missing(fields, "Cache-Control", "no-store");
  const std::string head = response_head(answer.status, fields);
  bool sent = co_await send(head);
  if (!sent || exchange.question.head_only) co_return then_of(exchange, sent);
  const auto queue = std::make_shared<EventQueue>(parts_.limits.unread_events);
  std::get<EventStream>(answer.body)
      .begin([queue, thread = parts_.thread, connection = weak_from_this()](const std::string& piece) {
        const bool goes_on = queue->put(piece);
        thread->post([connection] {
          if (const auto there = connection.lock()) there->news_.ring();
        });
        return goes_on;
      });
  Clock::time_point heartbeat = Clock::now() + parts_.limits.heartbeat;
  while (sent && !ended_) {
    std::optional<std::string> text = queue->take();
    if (!text) break;
    if (text->empty() && Clock::now() >= heartbeat) text = ":\n\n";
    if (text->empty()) {
      co_await news_.wait(heartbeat);
      continue;
    }
    sent = co_await send(*text);
    heartbeat = Clock::now() + parts_.limits.heartbeat;
  }
  queue->end();
  co_return Then::kCut;
}

/// A stranger learns nothing but the status.
asio::awaitable<Connection::Then> Connection::refuse(unsigned status) {
  const Fields fields{{"Date", date_now()}, {"Content-Length", "0"}, {"Connection", "close"}};
  const std::string head = response_head(status, fields);
  const bool sent = co_await send(head);
  co_return sent ? Then::kEnd : Then::kCut;
}

/// Bytes that come after the last answer are read and dropped for a while: a socket that is closed before its bytes are read
/// takes back what it has sent (RFC 9112 section 9.6).
asio::awaitable<void> Connection::wait_for_the_end() {
  discards_ = true;
  room_.ring();
  error_code ignored;
  socket_.shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  const Clock::time_point until = Clock::now() + kLinger;
  while (!ended_ && Clock::now() < until) co_await news_.wait(until);
}

/// False if the connection has ended.
asio::awaitable<bool> Connection::send(std::string_view bytes) {
  close_unless_written_by(Clock::now() + parts_.limits.unread);
  error_code error;
  co_await asio::async_write(socket_, asio::buffer(bytes), redirect_error(use_awaitable, error));
  write_guard_.cancel();
  if (error) close();
  co_return !error;
}

/// The player sees no end that could be taken for that of the file.
void Connection::reset() {
  error_code ignored;
  socket_.set_option(asio::socket_base::linger{true, 0}, ignored);
  close();
}

void Connection::close_unless_written_by(Clock::time_point time) {
  write_guard_.expires_at(time);
  write_guard_.async_wait([this, connection = weak_from_this()](error_code error) {
    const auto there = connection.lock();
    if (!error && there && Clock::now() >= write_guard_.expiry()) close();
  });
}

}  // namespace tributary::proxy
