#include "transport/document_fetch.hh"

#include <fmt/format.h>

#include "transport/curl_handle.hh"
#include "transport/response_check.hh"
#include "units/quantity_text.hh"

namespace tributary::transport {

class DocumentFetch::Transfer final : public CurlLoop::Listener {
 public:
  Transfer(CurlLoop& loop, const std::string& url, const LinkRules& rules, const FetchLimits& limits)
      : loop_{loop},
        purpose_{fmt::format("fetch {}{}{}", url, rules.link.empty() ? "" : " over ", rules.link)},
        limits_{limits},
        handle_{url, rules} {
    handle_.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    handle_.set(CURLOPT_FOLLOWLOCATION, 1L);
    handle_.set(CURLOPT_MAXREDIRS, static_cast<long>(limits.redirects));
    handle_.set(CURLOPT_ACCEPT_ENCODING, "");  // all that libcurl can decode: an index is text
    handle_.set(CURLOPT_USERAGENT, "tributary");
    handle_.set(CURLOPT_TIMEOUT_MS,
                static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(limits.time).count()));
    handle_.set(CURLOPT_WRITEDATA, this);
    handle_.set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    loop_.add(handle_, *this);
  }
  ~Transfer() override { loop_.remove(handle_); }

  std::optional<Document> result() {
    if (!code_) return std::nullopt;
    if (*code_ != CURLE_OK) throw FetchError{reason(), purpose_ + ": " + explain()};
    const auto status = handle_.info<long>(CURLINFO_RESPONSE_CODE);
    if (status != 200)
      throw FetchError{refusal_reason(status), fmt::format("{}: status {}", purpose_, status)};
    return Document{.url = handle_.info<const char*>(CURLINFO_EFFECTIVE_URL), .text = std::move(text_)};
  }

 private:
  static std::size_t on_body(char* bytes, std::size_t /*one*/, std::size_t size, void* self) {
    return static_cast<Transfer*>(self)->append({bytes, size});
  }
  std::size_t append(std::string_view bytes) {
    if (text_.size() + bytes.size() > static_cast<std::size_t>(limits_.size.bytes())) {
      too_large_ = true;
      return 0;  // libcurl ends the transfer
    }
    text_ += bytes;
    return bytes.size();
  }

  void on_completed(int code) override { code_ = static_cast<CURLcode>(code); }

  std::string explain() const {
    if (too_large_) return "the document is larger than " + format_size(limits_.size);
    return handle_.explain(*code_);
  }
  FailureReason reason() const {
    if (too_large_) return FailureReason::kProtocol;
    return handle_.transfer_reason(*code_);
  }
  CurlLoop& loop_;
  std::string purpose_;
  FetchLimits limits_;
  CurlHandle handle_;
  std::string text_;
  std::optional<CURLcode> code_;  // once completed
  bool too_large_ = false;
};

DocumentFetch::DocumentFetch(CurlLoop& loop, const std::string& url, const LinkRules& rules,
                             const FetchLimits& limits)
    : transfer_{std::make_unique<Transfer>(loop, url, rules, limits)} {}
DocumentFetch::~DocumentFetch() = default;

std::optional<Document> DocumentFetch::result() { return transfer_->result(); }

Document fetch_document(const std::string& url, const LinkRules& rules, const FetchLimits& limits) {
  CurlLoop loop;
  DocumentFetch fetch{loop, url, rules, limits};
  while (true) {
    if (auto document = fetch.result()) return *std::move(document);
    loop.wait(std::nullopt);
  }
}

}  // namespace tributary::transport
