#include "lending/borrowing/status_stream.hh"

#include <curl/curl.h>
#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "transport/sockets/free_with.hh"

namespace tributary::lending {
namespace {

using transport::FreeWith;
using Easy = std::unique_ptr<CURL, FreeWith<curl_easy_cleanup>>;
using Multi = std::unique_ptr<CURLM, FreeWith<curl_multi_cleanup>>;
using Fields = std::unique_ptr<curl_slist, FreeWith<curl_slist_free_all>>;

constexpr long kSilence_s = 4, kConnect_s = 5;
constexpr int kLongestWait_ms = 1000;
constexpr std::size_t kMostLine = 4'096;
constexpr long kOk = 200, kForbidden = 403, kTooMany = 429;

/// Lines as they come.
struct Lines {
  const std::function<void(const LenderStatus&)>& tell;
  std::string begun{};

  static std::size_t take(const char* bytes, std::size_t /*one*/, std::size_t size, void* self) {
    auto& lines = *static_cast<Lines*>(self);
    lines.begun.append(bytes, size);
    for (std::size_t end = 0; (end = lines.begun.find('\n')) != std::string::npos;) {
      const auto status = read_status_line(std::string_view{lines.begun}.substr(0, end));
      if (!status) return 0;
      lines.tell(*status);
      lines.begun.erase(0, end + 1);
    }
    return lines.begun.size() > kMostLine ? 0 : size;
  }
};

curl_blob blob(const std::string& text) { return {const_cast<char*>(text.data()), text.size(), CURL_BLOB_COPY}; }

void set_keys(CURL* handle, const MemberKey& lender, const Identity& own) {
  const curl_blob certificate = blob(own.certificate), key = blob(own.private_key);
  curl_easy_setopt(handle, CURLOPT_SSLCERT_BLOB, &certificate);
  curl_easy_setopt(handle, CURLOPT_SSLKEY_BLOB, &key);
  curl_easy_setopt(handle, CURLOPT_PINNEDPUBLICKEY, pinned_key(lender).c_str());
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 0L);
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 0L);
}

std::string why_ended(CURL* handle, CURLcode code, const char* text) {
  long answer = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &answer);
  if (answer == kForbidden) return "it does not know us any more: pair again";
  if (answer == kTooMany) return "too many of our programs ask it at once";
  if (answer != 0 && answer != kOk) return fmt::format("it answers {}", answer);
  switch (code) {
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      return "somebody else answers at its address";
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_COULDNT_CONNECT:
      return "it does not answer";
    case CURLE_WRITE_ERROR:
      return "what it answers is no status";
    default:
      return code == CURLE_OK || *text == '\0' ? "it has gone" : text;
  }
}

}  // namespace

std::string stream_status(const std::string& address, const MemberKey& lender, const Identity& own,
                          const std::string& gateways, const std::stop_token& stop,
                          const std::function<void(const LenderStatus&)>& tell) {
  const Easy easy{curl_easy_init()};
  const Multi multi{curl_multi_init()};
  if (!easy || !multi) return "libcurl cannot be used";
  Lines lines{tell};
  char error[CURL_ERROR_SIZE] = "";
  const Fields fields{curl_slist_append(nullptr, fmt::format("{}: {}", kGatewaysField, gateways).c_str())};
  const std::string url = fmt::format("https://{}{}", address, kStatusPath);
  CURL* const handle = easy.get();
  curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "https");
  curl_easy_setopt(handle, CURLOPT_PROXY, "");
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, error);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, fields.get());
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, kConnect_s);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, kSilence_s);
  curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, &Lines::take);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &lines);
  set_keys(handle, lender, own);
  curl_multi_add_handle(multi.get(), handle);
  const std::stop_callback wake{stop, [&multi] { curl_multi_wakeup(multi.get()); }};
  int running = 1;
  while (running > 0 && !stop.stop_requested()) {
    curl_multi_perform(multi.get(), &running);
    if (running > 0) curl_multi_poll(multi.get(), nullptr, 0, kLongestWait_ms, nullptr);
  }
  int left = 0;
  const CURLMsg* const message = curl_multi_info_read(multi.get(), &left);
  std::string why = message == nullptr ? "nobody asks any more" : why_ended(handle, message->data.result, error);
  curl_multi_remove_handle(multi.get(), handle);
  return why;
}

}  // namespace tributary::lending
