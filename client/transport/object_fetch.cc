#include "transport/object_fetch.hh"

#include <fmt/format.h>

#include <charconv>
#include <exception>
#include <string_view>

#include "transport/curl_handle.hh"
#include "transport/response_check.hh"
#include "units/redacted_url.hh"

namespace tributary::transport {
namespace {

constexpr int kRedirects = 5;
// A server that brings less for so long is given up: no network is slower than 1 kbit/s.
constexpr long kLeastBytesPerSecond = 125, kInVainSeconds = 90;

/// What stands behind the slash of "bytes 0-0/1000" or "bytes */0" (RFC 9110 section 14.4).
std::optional<DataSize> total_of(std::string_view content_range) {
  const auto slash = content_range.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view text = content_range.substr(slash + 1);
  std::int64_t total = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), total);
  if (error != std::errc{} || end != text.data() + text.size() || total < 0) return std::nullopt;
  return DataSize{total};
}

}  // namespace

class ObjectFetch::Transfer final : public CurlLoop::Listener {
 public:
  Transfer(CurlLoop& loop, const std::string& url, const LinkRules& rules, Wanted wanted, TakeBody take)
      : loop_{loop},
        purpose_{fmt::format("fetch {}{}{}", redacted(url), rules.link.empty() ? "" : " over ", rules.link)},
        take_{std::move(take)},
        handle_{url, rules} {
    if (wanted == Wanted::kFirstByte) handle_.set(CURLOPT_RANGE, "0-0");
    handle_.follow_redirects(kRedirects);
    handle_.set(CURLOPT_ACCEPT_ENCODING, "identity");  // the bytes as they are stored
    handle_.set(CURLOPT_USERAGENT, "tributary");
    handle_.set(CURLOPT_LOW_SPEED_LIMIT, kLeastBytesPerSecond);
    handle_.set(CURLOPT_LOW_SPEED_TIME, kInVainSeconds);
    handle_.set(CURLOPT_WRITEDATA, this);
    handle_.set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    loop_.add(handle_, *this);
  }
  ~Transfer() override { loop_.remove(handle_); }

  std::optional<ObjectHead> result() {
    if (thrown_) std::rethrow_exception(thrown_);
    if (!code_) return std::nullopt;
    if (*code_ != CURLE_OK)
      throw FetchError{handle_.transfer_reason(*code_), purpose_ + ": " + handle_.explain(*code_)};
    ObjectHead head = read_head();
    const auto status = handle_.info<long>(CURLINFO_RESPONSE_CODE);
    const bool empty = status == 416 && head.size == DataSize{};  // it has no first byte
    if (status != 200 && status != 206 && !empty)
      throw FetchError{refusal_reason(status), fmt::format("{}: status {}", purpose_, status)};
    return head;
  }

 private:
  static std::size_t on_body(char* bytes, std::size_t /*one*/, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->take(std::as_bytes(std::span{bytes, size})) ? size : 0;
  }
  /// False ends the transfer. An exception must not pass through libcurl.
  bool take(std::span<const std::byte> bytes) {
    if (handle_.info<long>(CURLINFO_RESPONSE_CODE) != 200) return true;
    try {
      if (!whole_) whole_ = read_head();
      take_(*whole_, bytes);
      return true;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }

  ObjectHead read_head() const {
    ObjectHead head;
    head.url = handle_.info<const char*>(CURLINFO_EFFECTIVE_URL);
    head.ranges = handle_.info<long>(CURLINFO_RESPONSE_CODE) == 206;
    if (const std::string range = field("Content-Range"); !range.empty()) {
      head.size = total_of(range);
    } else if (const auto length = handle_.info<curl_off_t>(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T); length >= 0) {
      head.size = DataSize{length};
    }
    head.waited = handle_.waited();
    head.etag = field("ETag");
    head.last_modified = field("Last-Modified");
    head.content_type = field("Content-Type");
    return head;
  }
  /// Of the last response; those of redirects are others.
  std::string field(const char* name) const {
    curl_header* found = nullptr;
    if (curl_easy_header(handle_.get(), name, 0, CURLH_HEADER, -1, &found) != CURLHE_OK) return {};
    return found->value;
  }

  void on_completed(int code) override { code_ = static_cast<CURLcode>(code); }

  CurlLoop& loop_;
  std::string purpose_;
  TakeBody take_;
  CurlHandle handle_;
  std::optional<CURLcode> code_;     // once completed
  std::optional<ObjectHead> whole_;  // of an answer with the whole object
  std::exception_ptr thrown_;
};

ObjectFetch::ObjectFetch(CurlLoop& loop, const std::string& url, const LinkRules& rules, Wanted wanted, TakeBody take)
    : transfer_{std::make_unique<Transfer>(loop, url, rules, wanted, std::move(take))} {}
ObjectFetch::~ObjectFetch() = default;

std::optional<ObjectHead> ObjectFetch::result() { return transfer_->result(); }

}  // namespace tributary::transport
