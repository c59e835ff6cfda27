#include "proxy/server/connection.hh"

#include <unistd.h>

#include <array>
#include <cassert>
#include <chrono>
#include <utility>

#include "proxy/requests/response_head.hh"
#include "proxy/server/event_answer.hh"
#include "proxy/server/file_answer.hh"

namespace tributary::proxy {

namespace asio = boost::asio;

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t kReadSize = 8'192;
constexpr auto kLinger = 1s;  // for a refused sender to read why
constexpr std::size_t kMostDiscarded = 1'000'000;

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, const ServerParts& parts)
    : socket_{std::make_shared<PlayerSocket>(std::move(socket), parts.limits.unread)}, parts_{parts} {}

asio::awaitable<void> Connection::read() {
  const auto self = shared_from_this();
  std::array<char, kReadSize> buffer;
  std::size_t discarded = 0;
  while (!socket_->ended()) {
    if (reader_.is_full() && !discards_) {
      co_await socket_->room.wait();
      continue;
    }
    const std::size_t count = co_await socket_->read(buffer);
    if (!discards_) reader_.put({buffer.data(), count});
    if (discards_) discarded += count;
    if (discarded > kMostDiscarded) close();
    socket_->news.ring();
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
    socket_->room.ring();
    if (next) co_return next;
    const Clock::time_point now = Clock::now();
    if (!whole_by && reader_.has_begun()) whole_by = now + parts_.limits.head;
    if (whole_by && now >= *whole_by) co_return Refusal{408, "a request that does not end"};
    if (socket_->ended() || now >= idle_until) co_return std::nullopt;
    co_await socket_->news.wait(whole_by.value_or(idle_until));
  }
}

std::variant<Admission, Refusal> Connection::admitted(const ReceivedRequest& request) const {
  std::variant<Admission, Refusal> decided = admit(request, parts_.rules);
  if (!is_let_in_ && std::holds_alternative<Admission>(decided) && !is_of_user_who_may())
    return Refusal{403, "a program of another user"};
  return decided;
}

/// The token stands in command lines of players and in histories of shells, where others may read it. Root may read it all.
bool Connection::is_of_user_who_may() const {
  if (parts_.rules.any_user) return true;
  const std::optional<uid_t> user = socket_->user();
  return user && (*user == ::geteuid() || *user == 0);
}

asio::awaitable<Connection::Then> Connection::answer(std::variant<ReceivedRequest, Refusal> received) {
  const auto* refusal = std::get_if<Refusal>(&received);
  std::variant<Admission, Refusal> decided;
  if (refusal == nullptr) {
    decided = admitted(std::get<ReceivedRequest>(received));
    refusal = std::get_if<Refusal>(&decided);
  }
  is_let_in_ = is_let_in_ || refusal == nullptr;
  Then then = Then::kCut;
  if (refusal != nullptr) {
    then = co_await refuse(refusal->status);
  } else {
    then = co_await answer_admitted(std::get<ReceivedRequest>(std::move(received)),
                                    std::get<Admission>(std::move(decided)));
  }
  co_return then;
}

asio::awaitable<Connection::Then> Connection::answer_admitted(ReceivedRequest request, Admission admission) {
  AskedForm form{.question = {.head_only = request.method == "HEAD", .http_1_0 = request.http_1_0},
                 .page = admission.page,
                 .if_none_match = field(request.fields, "If-None-Match"),
                 .if_range = field(request.fields, "If-Range"),
                 .keep_alive = request.keep_alive};
  Then then = Then::kCut;
  if (request.method == "OPTIONS") {
    const bool asks_for_local = field(request.fields, "Access-Control-Request-Private-Network") == "true";
    then = co_await send_preflight(std::move(form), asks_for_local);
    co_return then;
  }
  if (request.method == "GET" && count_fields(request.fields, "Range") == 1) {
    form.question.range = field(request.fields, "Range");
  }
  Request asked{.method = std::move(request.method),
                .target = std::move(admission.target),
                .fields = std::move(request.fields),
                .body = std::move(request.body)};
  std::optional<Answer> answer = co_await handled(std::move(asked));
  if (!answer) co_return Then::kCut;
  std::erase_if(answer->fields, [](const auto& own) { return is_of_server(own.first); });
  if (std::holds_alternative<std::string>(answer->body)) {
    then = co_await send_text(std::move(form), std::move(*answer));
  } else if (std::holds_alternative<FileBody>(answer->body)) {
    FileAnswer file{*socket_, parts_, form, std::move(*answer)};
    const bool sent = co_await file.send();
    then = then_of(form, sent);
  } else {
    co_await send_events(*socket_, parts_, form, std::move(*answer));
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
  auto done = [pending, socket = std::weak_ptr{socket_}, thread = parts_.thread,
               handler = &parts_.handler](Answer answer) {
    thread->post([pending, socket, handler, answer = std::move(answer)]() mutable {
      assert(!pending->answer && "a request is answered once");
      pending->answer = std::move(answer);
      const auto* body = std::get_if<FileBody>(&pending->answer->body);
      if (pending->unwanted && body != nullptr && body->file) handler->left(body->file);
      if (const auto there = socket.lock()) there->news.ring();
    });
  };
  std::stop_source left;
  request.left = left.get_token();
  parts_.handler.handle(std::move(request), std::move(done));
  while (!pending->answer && !socket_->ended()) co_await socket_->news.wait();
  if (pending->answer) co_return std::move(pending->answer);
  pending->unwanted = true;
  left.request_stop();
  co_return std::nullopt;
}

Connection::Then Connection::then_of(const AskedForm& form, bool sent) {
  if (!sent) return Then::kCut;
  return form.keep_alive ? Then::kNext : Then::kEnd;
}

asio::awaitable<Connection::Then> Connection::send_preflight(AskedForm form, bool asks_for_local) {
  Fields fields = preflight_fields(form.page, asks_for_local);
  add_connection(fields, form);
  const std::string head = response_head(204, fields);
  const bool sent = co_await socket_->send(head);
  co_return then_of(form, sent);
}

asio::awaitable<Connection::Then> Connection::send_text(AskedForm form, Answer answer) {
  std::string& text = std::get<std::string>(answer.body);
  const std::optional<std::string> etag = field(answer.fields, "ETag");
  const bool is_known = etag && answer.status == 200 && form.if_none_match && has_etag(*form.if_none_match, *etag);
  Fields fields = head_fields(form, std::move(answer.fields));
  add_if_missing(fields, "Cache-Control", etag ? "no-cache" : "no-store");
  add_if_missing(fields, "X-Content-Type-Options", "nosniff");  // of media a player may find out what it is
  const bool has_length = !is_known && answer.status != 204 && answer.status != 304;
  if (has_length) fields.emplace_back("Content-Length", std::to_string(text.size()));
  std::string bytes = response_head(is_known ? 304 : answer.status, fields);
  if (has_length && !form.question.head_only) bytes += text;
  const bool sent = co_await socket_->send(bytes);
  co_return then_of(form, sent);
}

/// A stranger learns nothing but the status.
asio::awaitable<Connection::Then> Connection::refuse(unsigned status) {
  const Fields fields{{"Date", date_now()}, {"Content-Length", "0"}, {"Connection", "close"}};
  const std::string head = response_head(status, fields);
  const bool sent = co_await socket_->send(head);
  co_return sent ? Then::kEnd : Then::kCut;
}

/// Bytes that come after the last answer are read and dropped for a while: a socket that is closed before its bytes are read
/// takes back what it has sent (RFC 9112 section 9.6).
asio::awaitable<void> Connection::wait_for_the_end() {
  discards_ = true;
  socket_->room.ring();
  socket_->shut_down();
  const Clock::time_point until = Clock::now() + kLinger;
  while (!socket_->ended() && Clock::now() < until) co_await socket_->news.wait(until);
}

}  // namespace tributary::proxy
