#include "transport/documents/object_fetch.hh"

#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <string_view>

#include "system/tcp_connection.hh"
#include "transport/connections/curl_handle.hh"
#include "transport/http/content_disposition.hh"
#include "transport/http/curl_head.hh"
#include "transport/http/response_check.hh"
#include "units/text/redacted_url.hh"

namespace tributary::transport {
namespace {

constexpr int kRedirects = 50;  // the default of curl
// A larger stated size is probably wrong, and the list of its parts would not fit into memory.
constexpr DataSize kMostInRanges{4'000'000'000'000};
constexpr ByteRange kFirstByte{DataSize{0}, DataSize{1}};
constexpr DataSize kBeyondAnyEnd{std::int64_t{1} << 60};  // an answer is as long as there are bytes
constexpr long kObjectBuffer = 256 * 1024;                // as PipelinedTransport: libcurl's 16 kB make many wake-ups
constexpr DataSize kLongestRecord{16'500};                // of TLS: a part of one cannot be read
// The fetch ends if less than 1 kbit/s comes for 90 s: no network is slower.
constexpr long kLeastBytesPerSecond = 125, kInVainSeconds = 90;

}  // namespace

class ObjectFetch::Transfer final : public CurlLoop::Listener {
 public:
  Transfer(CurlLoop& loop, const std::string& url, const LinkRules& rules, Wanted wanted, TakeBody take, DataSize from)
      : loop_{loop},
        purpose_{fmt::format("fetch {}{}{}", redacted(url), rules.link.empty() ? "" : " over ", rules.link)},
        wanted_{wanted},
        asked_{wanted == Wanted::kFirstByte ? kFirstByte : ByteRange{from, kBeyondAnyEnd}},
        take_{std::move(take)},
        handle_{url, rules} {
    if (wanted == Wanted::kFirstByte) handle_.set(CURLOPT_RANGE, "0-0");
    if (wanted == Wanted::kRest) handle_.set(CURLOPT_RANGE, fmt::format("{}-", from.bytes()).c_str());
    handle_.follow_redirects(kRedirects);
    if (wanted != Wanted::kWhole) {
      // As a plain field: with CURLOPT_ACCEPT_ENCODING libcurl would decode an answer that is coded nevertheless. A
      // request without a range leaves the field out, as curl does, because some origins answer 406 or 403 to it.
      handle_.send_field("Accept-Encoding: identity");
    }
    handle_.set(CURLOPT_USERAGENT, "tributary");
    handle_.set(CURLOPT_HTTP_TRANSFER_DECODING, 0L);  // parser_ reads chunks
    handle_.set(CURLOPT_LOW_SPEED_LIMIT, kLeastBytesPerSecond);
    handle_.set(CURLOPT_LOW_SPEED_TIME, kInVainSeconds);
    handle_.set(CURLOPT_BUFFERSIZE, kObjectBuffer);
    handle_.set(CURLOPT_WRITEDATA, this);
    handle_.set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    loop_.add(handle_, *this);
  }
  ~Transfer() override { loop_.remove(handle_); }

  std::optional<ObjectHead> result() {
    if (thrown_) std::rethrow_exception(thrown_);
    const bool succeeded = code_ == CURLE_OK;
    if (!object_ && (succeeded || (!code_ && head_.has_come()))) begin();
    if (!ended_ && succeeded) end();
    if (!ended_ && code_) {
      if (const auto unreadable = head_.unreadable()) refuse(*unreadable);
      throw FetchError{handle_.transfer_reason(*code_), purpose_ + ": " + handle_.explain(*code_)};
    }
    return ended_ ? object_ : std::nullopt;
  }

  std::optional<ObjectHead> head() {
    if (object_) return object_;
    if (thrown_) std::rethrow_exception(thrown_);
    if (!head_.has_come()) return result();
    begin();
    return object_;
  }

  bool answered() const { return head_.has_come(); }
  std::optional<Duration> turnaround() const { return handle_.turnaround(); }

  std::optional<Duration> round_trip() const { return TcpConnection{handle_.socket()}.round_trip_of_receiver(); }
  bool out_of_order() const { return TcpConnection{handle_.socket()}.out_of_order(); }

  void accept_at_most(DataSize size) {
    const bool encrypted = handle_.info<char*>(CURLINFO_SCHEME) == std::string_view{"https"};
    TcpConnection{handle_.socket()}.accept_at_most(encrypted ? size + kLongestRecord : size);
  }

  void pause() { curl_easy_pause(handle_.get(), CURLPAUSE_RECV); }
  void resume() { curl_easy_pause(handle_.get(), CURLPAUSE_CONT); }

 private:
  [[noreturn]] void refuse(const Rejection& rejection) const {
    throw FetchError{rejection.reason, purpose_ + ": " + rejection.detail, rejection.retry_after};
  }

  static std::size_t on_body(char* bytes, std::size_t /*one*/, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->take(std::as_bytes(std::span{bytes, size})) ? size : 0;
  }
  /// False ends the transfer. Keeps exceptions for later, because none may pass through libcurl.
  bool take(std::span<const std::byte> bytes) {
    try {
      if (!object_) begin();
      parse(bytes);
      return true;
    } catch (...) {
      thrown_ = std::current_exception();
      return false;
    }
  }

  /// To be called when the head has come. Throws FetchError if the answer is of no use.
  void begin() {
    object_ = read_head();
    parse(head_.bytes());
  }

  /// Where the body ends is decided here: libcurl does not know a length with a blank before its colon, and waits for
  /// the end of the connection.
  void parse(std::span<const std::byte> bytes) {
    while (!ended_) {
      switch (parser_.parse(bytes)) {
        case ResponseParser::Found::kNothing:
          return;
        case ResponseParser::Found::kHead:
          break;
        case ResponseParser::Found::kBody:
          take_body(parser_.body());
          break;
        case ResponseParser::Found::kEnd:
          end_body();
          break;
        case ResponseParser::Found::kError:
          refuse({FailureReason::kProtocol, parser_.error()});
      }
    }
  }

  void take_body(std::span<const std::byte> bytes) {
    received_ += size_of(bytes);
    if (!is_whole_ && received_ > object_->brings.size())
      refuse({FailureReason::kProtocol, "a body longer than its Content-Range"});
    if (is_whole_ || wanted_ == Wanted::kRest) take_(*object_, bytes);
  }

  /// To be called when the connection has ended.
  void end() {
    const ResponseHead& head = parser_.head();
    if (head.delimited || head.content_length)
      refuse({FailureReason::kClosedMidBody, "the origin closed within the body of its answer"});
    if (handle_.may_be_cut_off()) refuse(cut_off());
    end_body();
  }

  void end_body() {
    // A chunked body, too, may have fewer bytes than stated.
    if (is_whole_ && object_->size && received_ < *object_->size) {
      refuse({FailureReason::kProtocol,
              fmt::format("{} bytes came, and Content-Length is {}", received_.bytes(), object_->size->bytes())});
    }
    if (wanted_ == Wanted::kRest && !is_whole_ && received_ < object_->brings.size()) {
      refuse({FailureReason::kRangeMismatch,
              fmt::format("the answer ended at byte {} of {}", received_.bytes(), object_->brings.size().bytes())});
    }
    ended_ = true;
  }

  /// Throws FetchError if the answer is of no use.
  ObjectHead read_head() {
    if (const auto defect = head_.defect(DifferingLengths::kLongest)) refuse(*defect);
    const ResponseHead head = head_.fields();
    std::optional<DataSize> size = stated_size(head);
    if (!brings_whole(head) && !brings_range(head))
      refuse({refusal_reason(head.status), fmt::format("status {}", head.status)});
    is_whole_ = brings_whole(head) || wanted_ == Wanted::kWhole;
    ByteRange brings;
    if (wanted_ == Wanted::kWhole) {
      const auto checked = check_unranged(head);
      if (const auto* rejection = std::get_if<Rejection>(&checked)) refuse(*rejection);
      size = std::get<std::optional<DataSize>>(checked);
    } else if (!is_whole_) {
      const auto checked = check_response({.id = {}, .target = {}, .range = asked_, .file_size = {}}, head);
      if (const auto* rejection = std::get_if<Rejection>(&checked)) refuse(*rejection);
      brings = std::get<ByteRange>(checked);
    }
    ObjectHead object{.url = handle_.info<const char*>(CURLINFO_EFFECTIVE_URL),
                      .size = size,
                      .ranges = !is_whole_,
                      .etag = head.etag,
                      .last_modified = head.last_modified,
                      .content_type = head.content_type,
                      .coding = has_coding(head) ? head.content_encoding : "",
                      .date = head.date,
                      .waited = handle_.waited(),
                      .turnaround = turnaround().value_or(Duration{}),
                      .round_trip = handle_.round_trip(),
                      .brings = brings,
                      .file_name = disposition_file_name(head.content_disposition)};
    if (wanted_ == Wanted::kRest && size && brings == ByteRange{DataSize{}, *size} && !can_be_put_together(object)) {
      is_whole_ = true;
      object.ranges = false;
    }
    return object;
  }

  void on_completed(int code) override { code_ = static_cast<CURLcode>(code); }

  CurlLoop& loop_;
  std::string purpose_;
  Wanted wanted_;
  ByteRange asked_;
  TakeBody take_;
  CurlHandle handle_;
  CurlHead head_{handle_};
  ResponseParser parser_{kLongestHead, DifferingLengths::kLongest};
  std::optional<CURLcode> code_;      // once completed
  std::optional<ObjectHead> object_;  // once the head has been read
  bool is_whole_ = false;             // the body is the whole object
  bool ended_ = false;                // all of the answer has come
  DataSize received_;
  std::exception_ptr thrown_;
};

ObjectFetch::ObjectFetch(CurlLoop& loop, const std::string& url, const LinkRules& rules, Wanted wanted, TakeBody take,
                         DataSize from)
    : transfer_{std::make_unique<Transfer>(loop, url, rules, wanted, std::move(take), from)} {}
ObjectFetch::~ObjectFetch() = default;

std::optional<Duration> ObjectFetch::round_trip() const { return transfer_->round_trip(); }

bool ObjectFetch::out_of_order() const { return transfer_->out_of_order(); }
void ObjectFetch::accept_at_most(DataSize size) { transfer_->accept_at_most(size); }
void ObjectFetch::pause() { transfer_->pause(); }
void ObjectFetch::resume() { transfer_->resume(); }

FileVersion version_of(const ObjectHead& head) { return {head.etag, head.last_modified, head.size, head.coding}; }

bool can_be_put_together(const ObjectHead& head) {
  if (!head.ranges || !head.size || *head.size > kMostInRanges) return false;
  if (is_strong(head.etag) || head.last_modified.empty()) return true;
  const std::time_t modified = curl_getdate(head.last_modified.c_str(), nullptr);
  const std::time_t answered = curl_getdate(head.date.c_str(), nullptr);
  return modified < 0 || answered < 0 || modified < answered;
}

bool falls_short(DataSize received, const ObjectHead& whole, const ObjectHead& in_range) {
  if (!in_range.size || *in_range.size > kMostInRanges || received >= *in_range.size) return false;
  FileVersion before = version_of(in_range), now = version_of(whole);
  before.size = now.size = std::nullopt;
  auto versions = FileVersions{}.over("");
  versions.begin_anew("", before);
  return !versions.contradiction("", now);
}

std::optional<ObjectHead> ObjectFetch::result() { return transfer_->result(); }
std::optional<ObjectHead> ObjectFetch::head() { return transfer_->head(); }
bool ObjectFetch::answered() const { return transfer_->answered(); }
std::optional<Duration> ObjectFetch::turnaround() const { return transfer_->turnaround(); }

}  // namespace tributary::transport
