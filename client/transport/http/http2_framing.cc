#include "transport/http/http2_framing.hh"

#include <nghttp2/nghttp2.h>

#include <array>
#include <charconv>
#include <map>
#include <new>
#include <vector>

#include "transport/connections/own_fields.hh"
#include "transport/sockets/free_with.hh"

namespace tributary::transport {
namespace {

constexpr std::size_t kOutputAtOnce = 16 * 1024;
constexpr std::size_t kFieldOverhead = 32;    // RFC 9113 section 6.5.2, SETTINGS_MAX_HEADER_LIST_SIZE
constexpr std::uint32_t kSilentOrigin = 100;  // streams at a time, until the origin states a number
constexpr int kHeaviest = NGHTTP2_MAX_WEIGHT;

using Session = std::unique_ptr<nghttp2_session, FreeWith<nghttp2_session_del>>;
using Callbacks = std::unique_ptr<nghttp2_session_callbacks, FreeWith<nghttp2_session_callbacks_del>>;
using Option = std::unique_ptr<nghttp2_option, FreeWith<nghttp2_option_del>>;

template <typename T, int (*New)(T**)>
T* made() {
  T* handle = nullptr;
  if (New(&handle) != 0) throw std::bad_alloc{};
  return handle;
}

std::string_view text(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

nghttp2_nv field(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view of) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(of.data()));  // nghttp2 only reads it
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

/// Nothing if the digits are no number, or too large for the type.
template <typename Number>
std::optional<Number> number(std::string_view digits) {
  Number value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

void add_value(std::string& joined, std::string_view value) {
  if (!joined.empty()) joined += ", ";
  joined += value;
}

}  // namespace

class Http2Framing::Impl {
 public:
  Impl(Listener& listener, Limits limits) : listener_{listener}, limits_{limits} {
    const Callbacks callbacks{made<nghttp2_session_callbacks, nghttp2_session_callbacks_new>()};
    set_callbacks(callbacks.get());
    const Option option{made<nghttp2_option, nghttp2_option_new>()};
    nghttp2_option_set_no_auto_window_update(option.get(), 1);
    nghttp2_option_set_no_closed_streams(option.get(), 1);
    nghttp2_option_set_peer_max_concurrent_streams(option.get(), kSilentOrigin);
    nghttp2_session* session = nullptr;
    if (nghttp2_session_client_new2(&session, callbacks.get(), this, option.get()) != 0) throw std::bad_alloc{};
    session_.reset(session);
    const std::array<nghttp2_settings_entry, 3> settings{
        {{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
         {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, 0},
         {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<std::uint32_t>(limits.head.bytes())}}};
    check(nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings.data(), settings.size()));
    check(nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0,
                                                static_cast<std::int32_t>(limits.connection_window.bytes())));
  }

  std::optional<std::int32_t> open(const Request& request) {
    std::vector<nghttp2_nv> fields{field(":method", "GET"), field(":scheme", "https"),
                                   field(":authority", request.authority), field(":path", request.target),
                                   field("accept-encoding", "identity")};
    if (!has_field(request.more, "Accept")) fields.push_back(field("accept", "*/*"));
    if (!has_field(request.more, "User-Agent")) fields.push_back(field("user-agent", "tributary"));
    if (!request.range.empty()) fields.push_back(field("range", request.range));
    if (!request.if_range.empty()) fields.push_back(field("if-range", request.if_range));
    if (!request.cookies.empty()) fields.push_back(field("cookie", request.cookies));
    RequestFields more = request.more;  // HTTP/2 has their names in lower case (RFC 9113 section 8.2)
    for (auto& [name, value] : more) {
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
      fields.push_back(field(name, value));
    }
    nghttp2_priority_spec priority{};
    nghttp2_priority_spec_init(&priority, request.after, kHeaviest, 0);
    const std::int32_t stream =
        nghttp2_submit_request(session_.get(), &priority, fields.data(), fields.size(), nullptr, nullptr);
    if (stream < 0) return std::nullopt;
    return stream;
  }

  void grant(std::int32_t stream, DataSize size) {
    check(nghttp2_submit_window_update(session_.get(), NGHTTP2_FLAG_NONE, stream,
                                       static_cast<std::int32_t>(size.bytes())));
  }
  void cancel(std::int32_t stream) {
    heads_.erase(stream);
    check(nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, stream, NGHTTP2_CANCEL));
  }
  void ping() { check(nghttp2_submit_ping(session_.get(), NGHTTP2_FLAG_NONE, nullptr)); }

  std::string_view output() {
    if (sent_ == output_.size()) {
      output_.clear();
      sent_ = 0;
    }
    while (!broken_ && output_.size() < kOutputAtOnce) {
      const std::uint8_t* bytes = nullptr;
      const auto size = nghttp2_session_mem_send(session_.get(), &bytes);
      if (size < 0) break_off(nghttp2_strerror(static_cast<int>(size)));
      if (size <= 0) break;
      output_ += text(bytes, static_cast<std::size_t>(size));
    }
    return std::string_view{output_}.substr(sent_);
  }
  void output_sent(std::size_t size) { sent_ += size; }

  void on_bytes(std::span<const std::byte> bytes) {
    if (broken_) return;
    const auto window = nghttp2_session_get_local_window_size(session_.get());
    const auto taken =
        nghttp2_session_mem_recv(session_.get(), reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    if (taken < 0) break_off(nghttp2_strerror(static_cast<int>(taken)));
    // Bytes of cancelled streams show only in the connection's window.
    if (nghttp2_session_get_local_window_size(session_.get()) != window) listener_.on_body_bytes();
  }

  std::uint32_t most_streams() const {
    return nghttp2_session_get_remote_settings(session_.get(), NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
  }
  bool broken() const { return broken_; }
  const std::string& error() const { return error_; }

 private:
  struct Head {
    ResponseHead fields;
    std::size_t size = 0;
  };

  static void check(int code) {
    if (code == NGHTTP2_ERR_NOMEM) throw std::bad_alloc{};
  }
  void break_off(std::string_view why) {
    broken_ = true;
    if (error_.empty()) error_ = why;
  }

  static Impl& self(void* user) { return *static_cast<Impl*>(user); }

  static void set_callbacks(nghttp2_session_callbacks* callbacks) {
    nghttp2_session_callbacks_set_on_begin_headers_callback(
        callbacks, [](nghttp2_session*, const nghttp2_frame* frame, void* user) {
          self(user).heads_[frame->hd.stream_id] = {};
          return 0;
        });
    nghttp2_session_callbacks_set_on_header_callback(
        callbacks, [](nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
                      const std::uint8_t* value, std::size_t value_size, std::uint8_t, void* user) {
          return self(user).on_field(frame->hd.stream_id, text(name, name_size), text(value, value_size));
        });
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks,
                                                         [](nghttp2_session*, const nghttp2_frame* frame, void* user) {
                                                           self(user).on_frame(*frame);
                                                           return 0;
                                                         });
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks,
                                                         [](nghttp2_session*, const nghttp2_frame* frame, void* user) {
                                                           if (frame->hd.type == NGHTTP2_HEADERS)
                                                             self(user).listener_.on_opened(frame->hd.stream_id);
                                                           if (frame->hd.type == NGHTTP2_GOAWAY)
                                                             self(user).break_off("it broke the protocol's rules");
                                                           return 0;
                                                         });
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
        callbacks, [](nghttp2_session* session, std::uint8_t, std::int32_t stream, const std::uint8_t* bytes,
                      std::size_t size, void* user) {
          nghttp2_session_consume_connection(session, size);
          self(user).listener_.on_body(stream, std::as_bytes(std::span{bytes, size}));
          return 0;
        });
    nghttp2_session_callbacks_set_on_stream_close_callback(
        callbacks, [](nghttp2_session*, std::int32_t stream, std::uint32_t error, void* user) {
          self(user).on_stream_closed(stream, error);
          return 0;
        });
    nghttp2_session_callbacks_set_error_callback2(
        callbacks, [](nghttp2_session*, int, const char* message, std::size_t size, void* user) {
          self(user).error_.assign(message, size);
          return 0;
        });
  }

  int on_field(std::int32_t stream, std::string_view name, std::string_view value) {
    Head& head = heads_[stream];
    head.size += name.size() + value.size() + kFieldOverhead;
    // The origin was told the limit. Only the stream fails: nghttp2 keeps the connection's header compression in step.
    if (head.size > static_cast<std::size_t>(limits_.head.bytes())) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    ResponseHead& fields = head.fields;
    if (name == ":status") fields.status = number<int>(value).value_or(0);
    if (name == "content-length" && !fields.content_length) {
      if (const auto size = number<std::int64_t>(value)) fields.content_length = DataSize{*size};
    }
    if (name == "content-range") add_value(fields.content_range, value);
    if (name == "content-type") add_value(fields.content_type, value);
    if (name == "content-encoding") add_value(fields.content_encoding, value);
    if (name == "etag") add_value(fields.etag, value);
    if (name == "last-modified") add_value(fields.last_modified, value);
    if (name == "location") add_value(fields.location, value);
    if (name == "retry-after") add_value(fields.retry_after, value);
    if (name == "date") add_value(fields.date, value);
    return 0;
  }

  void on_frame(const nghttp2_frame& frame) {
    if (frame.hd.type == NGHTTP2_HEADERS) {
      const auto found = heads_.find(frame.hd.stream_id);
      if (found == heads_.end()) return;
      ResponseHead head = std::move(found->second.fields);
      heads_.erase(found);
      head.delimited = head.keep_alive = true;
      if (head.status >= 200) listener_.on_head(frame.hd.stream_id, head);  // others are interim responses, or trailers
    } else if (frame.hd.type == NGHTTP2_DATA) {
      listener_.on_padding(frame.hd.stream_id, DataSize{static_cast<std::int64_t>(frame.data.padlen)});
    } else if (frame.hd.type == NGHTTP2_RST_STREAM) {
      reset_by_origin_ = frame.hd.stream_id;
    } else if (frame.hd.type == NGHTTP2_GOAWAY) {
      listener_.on_going_away();
    } else if (frame.hd.type == NGHTTP2_PING && (frame.hd.flags & NGHTTP2_FLAG_ACK) != 0) {
      listener_.on_pong();
    }
  }

  void on_stream_closed(std::int32_t stream, std::uint32_t error) {
    heads_.erase(stream);
    listener_.on_closed(stream, static_cast<Error>(error), reset_by_origin_ == stream);
  }

  Listener& listener_;
  Limits limits_;
  std::map<std::int32_t, Head> heads_;  // arriving heads, by stream
  std::int32_t reset_by_origin_ = 0;    // the last stream that the origin has reset
  std::string output_;
  std::size_t sent_ = 0;
  bool broken_ = false;
  std::string error_;
  Session session_;
};

Http2Framing::Http2Framing(Listener& listener, Limits limits) : impl_{std::make_unique<Impl>(listener, limits)} {}
Http2Framing::~Http2Framing() = default;

std::optional<std::int32_t> Http2Framing::open(const Request& request) { return impl_->open(request); }
void Http2Framing::grant(std::int32_t stream, DataSize size) { impl_->grant(stream, size); }
void Http2Framing::cancel(std::int32_t stream) { impl_->cancel(stream); }
void Http2Framing::ping() { impl_->ping(); }
std::string_view Http2Framing::output() { return impl_->output(); }
void Http2Framing::output_sent(std::size_t size) { impl_->output_sent(size); }
void Http2Framing::on_bytes(std::span<const std::byte> bytes) { impl_->on_bytes(bytes); }
std::uint32_t Http2Framing::most_streams() const { return impl_->most_streams(); }
bool Http2Framing::broken() const { return impl_->broken(); }
const std::string& Http2Framing::error() const { return impl_->error(); }

}  // namespace tributary::transport
