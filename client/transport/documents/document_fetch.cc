#include "transport/documents/document_fetch.hh"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "transport/connections/curl_handle.hh"
#include "transport/http/curl_head.hh"
#include "transport/http/response_check.hh"
#include "transport/http/retry_after.hh"
#include "units/text/quantity_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary::transport {
namespace {

std::string range_text(ByteRange range) { return fmt::format("{}-{}", range.begin.bytes(), range.end.bytes() - 1); }

}  // namespace

class DocumentFetch::Transfer final : public CurlLoop::Listener {
 public:
  Transfer(CurlLoop& loop, const std::string& url, const LinkRules& rules, const FetchLimits& limits,
           const std::string& known_etag)
      : loop_{loop},
        purpose_{fmt::format("fetch {}{}{}", redacted(url), rules.link.empty() ? "" : " over ", rules.link)},
        limits_{limits},
        is_known_{!known_etag.empty()},
        handle_{url, rules} {
    handle_.follow_redirects(limits.redirects);
    if (limits.range) handle_.set(CURLOPT_RANGE, range_text(*limits.range).c_str());  // which libcurl copies
    // An index is text: every coding that libcurl can decode ("") will do, but for ranges, which are of the coded form.
    // In both cases libcurl decodes what comes.
    handle_.set(CURLOPT_ACCEPT_ENCODING, limits.range ? "identity" : "");
    handle_.set(CURLOPT_USERAGENT, "tributary");
    handle_.set(CURLOPT_TIMEOUT_MS,
                static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(limits.time).count()));
    if (!known_etag.empty()) handle_.send_field("If-None-Match: " + known_etag);
    handle_.set(CURLOPT_WRITEDATA, this);
    handle_.set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    loop_.add(handle_, *this);
  }
  ~Transfer() override { loop_.remove(handle_); }

  std::optional<Document> result() {
    if (!code_) return std::nullopt;
    const bool complete = *code_ == CURLE_OK || left_;
    const auto defect = complete ? head_.defect(DifferingLengths::kRefused) : head_.unreadable();
    if (!defect) refuse_coded_range();
    if (!defect && !complete) throw FetchError{reason(), purpose_ + ": " + explain()};
    if (defect) throw FetchError{defect->reason, purpose_ + ": " + defect->detail};
    const ResponseHead head = head_.fields();
    const auto status = handle_.info<long>(CURLINFO_RESPONSE_CODE);
    if (!left_ && !head.content_length && !head.delimited && !text_.empty() && handle_.may_be_cut_off())
      throw FetchError{cut_off().reason, purpose_ + ": " + cut_off().detail};
    const bool unchanged = status == 304 && is_known_;
    if (!unchanged && !brings_whole(head) && !brings_range(head))
      throw FetchError{refusal_reason(status), fmt::format("{}: status {}", purpose_, status),
                       retry_after(head.retry_after, head.date)};
    if (limits_.range) take_range(head);
    const auto checked = limits_.range ? std::optional<DataSize>{} : check_unranged(head);
    if (const auto* rejection = std::get_if<Rejection>(&checked); rejection != nullptr && !unchanged)
      throw FetchError{rejection->reason, purpose_ + ": " + rejection->detail};
    return Document{.url = handle_.info<const char*>(CURLINFO_EFFECTIVE_URL),
                    .text = std::move(text_),
                    .etag = head.etag,
                    .waited = handle_.waited(),
                    .date = sys_seconds_of(head.date),
                    .content_type = head.content_type,
                    .left = left_,
                    .unchanged = unchanged};
  }

  /// Throws FetchError if the answer is not the range.
  void take_range(const ResponseHead& head) {
    const ByteRange wanted = *limits_.range;
    if (brings_range(head)) {
      RangeRequest asked;
      asked.range = wanted;
      asked.open = true;
      const auto answer = check_response(asked, head);
      if (const auto* rejection = std::get_if<Rejection>(&answer))
        throw FetchError{rejection->reason, purpose_ + ": " + rejection->detail};
      return;
    }
    const auto begin = std::min(static_cast<std::size_t>(wanted.begin.bytes()), text_.size());
    text_ = text_.substr(begin, static_cast<std::size_t>(wanted.size().bytes()));
  }

  /// What libcurl makes of a part of a coded form says nothing.
  void refuse_coded_range() const {
    if (!limits_.range || !head_.has_come() || !brings_range(head_.fields())) return;
    if (const auto coded = check_unasked_coding(head_.fields()))
      throw FetchError{coded->reason, purpose_ + ": " + coded->detail};
  }

  bool asked() const { return handle_.turnaround().has_value(); }
  bool answered() const { return head_.has_come(); }

 private:
  static std::size_t on_body(char* bytes, std::size_t /*one*/, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->append({bytes, size});
  }
  std::size_t append(std::string_view bytes) {
    if (text_.size() + bytes.size() > static_cast<std::size_t>(limits_.size.bytes())) {
      too_large_ = true;
      return 0;  // makes libcurl end the transfer
    }
    text_ += bytes;
    left_ = limits_.goes_on && is_success() && !limits_.goes_on(text_);
    return left_ ? 0 : bytes.size();
  }
  bool is_success() const { return handle_.info<long>(CURLINFO_RESPONSE_CODE) / 100 == 2; }

  static std::optional<std::chrono::sys_seconds> sys_seconds_of(const std::string& date) {
    const std::time_t time = curl_getdate(date.c_str(), nullptr);
    if (time < 0) return std::nullopt;
    return std::chrono::sys_seconds{std::chrono::seconds{time}};
  }

  void on_completed(int code) override { code_ = static_cast<CURLcode>(code); }

  std::string explain() const {
    if (too_large_) return "the document is larger than " + format_size(limits_.size);
    if (*code_ == CURLE_BAD_CONTENT_ENCODING)
      return fmt::format("Content-Encoding {}: {}", head_.fields().content_encoding, handle_.explain(*code_));
    return handle_.explain(*code_);
  }
  FailureReason reason() const {
    if (too_large_) return FailureReason::kProtocol;
    if (*code_ == CURLE_BAD_CONTENT_ENCODING) return FailureReason::kEncoding;
    return handle_.transfer_reason(*code_);
  }
  CurlLoop& loop_;
  std::string purpose_;
  FetchLimits limits_;
  bool is_known_;
  CurlHandle handle_;
  CurlHead head_{handle_};
  std::string text_;
  std::optional<CURLcode> code_;  // once completed
  bool too_large_ = false, left_ = false;
};

DocumentFetch::DocumentFetch(CurlLoop& loop, const std::string& url, const LinkRules& rules, const FetchLimits& limits,
                             const std::string& known_etag)
    : transfer_{std::make_unique<Transfer>(loop, url, rules, limits, known_etag)} {}
DocumentFetch::~DocumentFetch() = default;

std::optional<Document> DocumentFetch::result() { return transfer_->result(); }
bool DocumentFetch::asked() const { return transfer_->asked(); }
bool DocumentFetch::answered() const { return transfer_->answered(); }

bool may_be_too_large(const FetchError& refused) {
  using enum FailureReason;
  const FailureReason why = refused.reason;
  return !refused.retry_after && (is_refusal(why) || why == kServerBusy || why == kClosedUnanswered || why == kReset);
}

Document fetch_document(const std::string& url, const LinkRules& rules, const FetchLimits& limits) {
  CurlLoop loop;
  DocumentFetch fetch{loop, url, rules, limits};
  while (true) {
    if (auto document = fetch.result()) return *std::move(document);
    loop.wait(std::nullopt);
  }
}

}  // namespace tributary::transport
