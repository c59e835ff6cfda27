#include "http2_origin.hh"

#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "canned_responses.hh"

namespace tributary::transport {
namespace {

void check(std::int64_t code) {
  if (code < 0) throw std::runtime_error{nghttp2_strerror(static_cast<int>(code))};
}

nghttp2_nv field(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

}  // namespace

class Http2Origin::Impl {
 public:
  explicit Impl(Options options) : padding_{options.padding} {
    nghttp2_session_callbacks* callbacks = nullptr;
    check(nghttp2_session_callbacks_new(&callbacks));
    nghttp2_session_callbacks_set_on_header_callback(
        callbacks, [](nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
                      const std::uint8_t* value, std::size_t value_size, std::uint8_t, void* user) {
          const auto text = [](const std::uint8_t* bytes, std::size_t size) {
            return std::string{reinterpret_cast<const char*>(bytes), size};
          };
          self(user).arriving[frame->hd.stream_id][text(name, name_size)] = text(value, value_size);
          return 0;
        });
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks,
                                                         [](nghttp2_session*, const nghttp2_frame* frame, void* user) {
                                                           self(user).on_frame(*frame);
                                                           return 0;
                                                         });
    nghttp2_session_callbacks_set_select_padding_callback(
        callbacks, [](nghttp2_session*, const nghttp2_frame* frame, std::size_t most, void* user) -> ssize_t {
          const std::size_t padding = frame->hd.type == NGHTTP2_DATA ? self(user).padding_ : 0;
          return static_cast<ssize_t>(std::min(most, frame->hd.length + padding));
        });
    check(nghttp2_session_server_new(&session, callbacks, this));
    nghttp2_session_callbacks_del(callbacks);
    allow(options.streams);
  }
  ~Impl() { nghttp2_session_del(session); }

  void allow(std::uint32_t streams) {
    const nghttp2_settings_entry entry{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, streams};
    check(nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, &entry, 1));
  }

  void answer(std::int32_t stream, const std::string& status, const Fields& fields, const std::string& body, End end) {
    std::vector<nghttp2_nv> all{field(":status", status)};
    for (const auto& [name, value] : fields) all.push_back(field(name, value));
    bodies[stream] = {body, end};
    nghttp2_data_provider provider{};
    provider.source.ptr = &bodies[stream];
    provider.read_callback = [](nghttp2_session*, std::int32_t, std::uint8_t* buffer, std::size_t size,
                                std::uint32_t* flags, nghttp2_data_source* source, void*) -> ssize_t {
      auto& [left, end_shows] = *static_cast<Body*>(source->ptr);
      const std::size_t given = std::min(size, left.size());
      std::memcpy(buffer, left.data(), given);
      left.erase(0, given);
      if (left.empty() && (end_shows == End::kWithTheLastByte || given == 0)) *flags |= NGHTTP2_DATA_FLAG_EOF;
      return static_cast<ssize_t>(given);
    };
    check(nghttp2_submit_response(session, stream, all.data(), all.size(), &provider));
  }

  void on_frame(const nghttp2_frame& frame) {
    if (frame.hd.type == NGHTTP2_HEADERS) requests.push_back({frame.hd.stream_id, arriving[frame.hd.stream_id]});
    if (frame.hd.type == NGHTTP2_RST_STREAM) resets[frame.hd.stream_id] = frame.rst_stream.error_code;
    if (frame.hd.type == NGHTTP2_PING && (frame.hd.flags & NGHTTP2_FLAG_ACK) == 0) ++pings;
    if (frame.hd.type == NGHTTP2_SETTINGS) {
      for (std::size_t i = 0; i < frame.settings.niv; ++i)
        settings[frame.settings.iv[i].settings_id] = frame.settings.iv[i].value;
    }
  }

  using Body = std::pair<std::string, End>;  // what is left of it

  static Impl& self(void* user) { return *static_cast<Impl*>(user); }

  std::size_t padding_;
  nghttp2_session* session = nullptr;
  std::map<std::int32_t, std::map<std::string, std::string>> arriving;
  std::map<std::int32_t, Body> bodies;
  std::vector<Request> requests;
  std::size_t answered = 0;  // of the requests, by answer_all()
  std::map<std::int32_t, std::uint32_t> resets, settings;
  int pings = 0;
};

Http2Origin::Http2Origin(Options options) : impl_{std::make_unique<Impl>(options)} {}
Http2Origin::~Http2Origin() = default;

void Http2Origin::receive(std::string_view bytes) {
  check(nghttp2_session_mem_recv(impl_->session, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
}

std::string Http2Origin::send() {
  std::string all;
  const std::uint8_t* bytes = nullptr;
  while (const auto size = nghttp2_session_mem_send(impl_->session, &bytes)) {
    check(size);
    all.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
  }
  return all;
}

const std::vector<Http2Origin::Request>& Http2Origin::requests() const { return impl_->requests; }
const std::map<std::int32_t, std::uint32_t>& Http2Origin::resets() const { return impl_->resets; }
const std::map<std::int32_t, std::uint32_t>& Http2Origin::settings() const { return impl_->settings; }
int Http2Origin::pings() const { return impl_->pings; }

void Http2Origin::answer(std::int32_t stream, const std::string& status, const Fields& fields, const std::string& body,
                         End end) {
  impl_->answer(stream, status, fields, body, end);
}

void Http2Origin::answer(const Request& request, End end) {
  const std::string& range = request.fields.at("range");  // "bytes=0-9"
  const std::size_t dash = range.find('-');
  const std::int64_t first = std::stoll(range.substr(6, dash - 6));
  const std::int64_t last = std::stoll(range.substr(dash + 1));
  answer(request.stream, "206",
         {{"content-range", fmt::format("bytes {}-{}/1000000", first, last)},
          {"content-length", fmt::format("{}", last - first + 1)}},
         content({DataSize{first}, DataSize{last + 1}}), end);
}

void Http2Origin::answer_all(End end) {
  while (impl_->answered < impl_->requests.size()) answer(impl_->requests[impl_->answered++], end);
}

void Http2Origin::reset(std::int32_t stream, std::uint32_t error) {
  check(nghttp2_submit_rst_stream(impl_->session, NGHTTP2_FLAG_NONE, stream, error));
}
void Http2Origin::go_away(std::int32_t last_stream) {
  check(nghttp2_submit_goaway(impl_->session, NGHTTP2_FLAG_NONE, last_stream, NGHTTP2_NO_ERROR, nullptr, 0));
}
void Http2Origin::allow(std::uint32_t streams) { impl_->allow(streams); }

}  // namespace tributary::transport
