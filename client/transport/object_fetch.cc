#include "transport/object_fetch.hh"

#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <string_view>

#include "transport/curl_handle.hh"
#include "transport/curl_head.hh"
#include "transport/response_check.hh"
#include "units/redacted_url.hh"

namespace tributary::transport {
namespace {

constexpr int kRedirects = 50;  // as with curl
// What is said to be larger is probably not, and could not be divided into parts that are kept in memory.
constexpr DataSize kMostInRanges{4'000'000'000'000};
constexpr ByteRange kFirstByte{DataSize{0}, DataSize{1}};
// A server that brings less for so long is given up: no network is slower than 1 kbit/s.
constexpr long kLeastBytesPerSecond = 125, kInVainSeconds = 90;

}  // namespace

class ObjectFetch::Transfer final : public CurlLoop::Listener {
 public:
  Transfer(CurlLoop& loop, const std::string& url, const LinkRules& rules, Wanted wanted, TakeBody take)
      : loop_{loop},
        purpose_{fmt::format("fetch {}{}{}", redacted(url), rules.link.empty() ? "" : " over ", rules.link)},
        wanted_{wanted},
        take_{std::move(take)},
        handle_{url, rules} {
    if (wanted == Wanted::kFirstByte) handle_.set(CURLOPT_RANGE, "0-0");
    handle_.follow_redirects(kRedirects);
    // As a plain field: with CURLOPT_ACCEPT_ENCODING libcurl would decode what comes coded nevertheless.
    fields_.reset(curl_slist_append(nullptr, "Accept-Encoding: identity"));
    handle_.set(CURLOPT_HTTPHEADER, fields_.get());
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
    if (*code_ != CURLE_OK) {
      if (const auto unreadable = head_.unreadable()) refuse(*unreadable);
      throw FetchError{handle_.transfer_reason(*code_), purpose_ + ": " + handle_.explain(*code_)};
    }
    if (!object_) object_ = read_head();
    // libcurl goes by the chunks, if there are any.
    if (is_whole_ && object_->size && received_ != *object_->size) {
      refuse({FailureReason::kProtocol,
              fmt::format("{} bytes came, and Content-Length is {}", received_.bytes(), object_->size->bytes())});
    }
    return object_;
  }

  bool answered() const { return head_.has_come(); }
  std::optional<Duration> turnaround() const { return handle_.turnaround(); }

 private:
  [[noreturn]] void refuse(const Rejection& rejection) const {
    throw FetchError{rejection.reason, purpose_ + ": " + rejection.detail, rejection.retry_after};
  }

  static std::size_t on_body(char* bytes, std::size_t /*one*/, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->take(std::as_bytes(std::span{bytes, size})) ? size : 0;
  }
  /// False ends the transfer. An exception must not pass through libcurl.
  bool take(std::span<const std::byte> bytes) {
    try {
      if (!object_) object_ = read_head();
      received_ += DataSize{std::ssize(bytes)};
      if (is_whole_) {
        take_(*object_, bytes);
      } else if (received_ > kFirstByte.end) {
        refuse({FailureReason::kProtocol, "a body longer than its Content-Range"});
      }
      return true;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }

  /// Throws FetchError if the answer is of no use.
  ObjectHead read_head() {
    if (const auto defect = head_.defect()) refuse(*defect);
    const ResponseHead head = head_.fields();
    const std::optional<DataSize> size = stated_size(head);
    if (!brings_whole(head) && !brings_range(head))
      refuse({refusal_reason(head.status), fmt::format("status {}", head.status)});
    is_whole_ = brings_whole(head) || wanted_ == Wanted::kWhole;
    if (brings_range(head)) {
      const ByteRange range = is_whole_ ? ByteRange{DataSize{}, size.value_or(DataSize{})} : kFirstByte;
      const auto checked = check_response({.id = {}, .target = {}, .range = range, .file_size = {}}, head);
      if (const auto* rejection = std::get_if<Rejection>(&checked)) refuse(*rejection);
      if (std::get<ByteRange>(checked) != range)
        refuse({FailureReason::kRangeMismatch, fmt::format("206 with Content-Range {}", head.content_range)});
    }
    return {.url = handle_.info<const char*>(CURLINFO_EFFECTIVE_URL),
            .size = size,
            .ranges = !is_whole_,
            .etag = head.etag,
            .last_modified = head.last_modified,
            .content_type = head.content_type,
            .coding = has_coding(head) ? head.content_encoding : "",
            .date = head.date,
            .waited = handle_.waited(),
            .turnaround = turnaround().value_or(Duration{})};
  }

  void on_completed(int code) override { code_ = static_cast<CURLcode>(code); }

  CurlLoop& loop_;
  std::string purpose_;
  Wanted wanted_;
  TakeBody take_;
  CurlList fields_;  // outlives the handle
  CurlHandle handle_;
  CurlHead head_{handle_};
  std::optional<CURLcode> code_;      // once completed
  std::optional<ObjectHead> object_;  // once the head has been read
  bool is_whole_ = false;             // what comes is all of the object
  DataSize received_;
  std::exception_ptr thrown_;
};

ObjectFetch::ObjectFetch(CurlLoop& loop, const std::string& url, const LinkRules& rules, Wanted wanted, TakeBody take)
    : transfer_{std::make_unique<Transfer>(loop, url, rules, wanted, std::move(take))} {}
ObjectFetch::~ObjectFetch() = default;

FileVersion version_of(const ObjectHead& head) { return {head.etag, head.last_modified, head.size, head.coding}; }

bool can_be_put_together(const ObjectHead& head) {
  if (!head.ranges || !head.size || *head.size > kMostInRanges) return false;
  if (is_strong(head.etag) || head.last_modified.empty()) return true;
  const std::time_t modified = curl_getdate(head.last_modified.c_str(), nullptr);
  const std::time_t answered = curl_getdate(head.date.c_str(), nullptr);
  return modified < 0 || answered < 0 || modified < answered;
}

std::optional<ObjectHead> ObjectFetch::result() { return transfer_->result(); }
bool ObjectFetch::answered() const { return transfer_->answered(); }
std::optional<Duration> ObjectFetch::turnaround() const { return transfer_->turnaround(); }

}  // namespace tributary::transport
