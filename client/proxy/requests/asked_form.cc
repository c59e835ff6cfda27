#include "proxy/requests/asked_form.hh"

#include <chrono>
#include <utility>

#include "proxy/requests/response_head.hh"

namespace tributary::proxy {

std::string date_now() {
  return http_date(
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count());
}

void add_if_missing(Fields& fields, std::string_view name, std::string value) {
  if (!field(fields, name)) fields.emplace_back(std::string{name}, std::move(value));
}

Fields head_fields(const AskedForm& form, Fields own) {
  add_if_missing(own, "Date", date_now());
  add_if_missing(own, "Referrer-Policy", "same-origin");  // addresses have the token in them
  add_sharing(own, form.page);
  add_connection(own, form);
  return own;
}

void add_connection(Fields& fields, const AskedForm& form) {
  if (!form.keep_alive) fields.emplace_back("Connection", "close");
  if (form.keep_alive && form.question.http_1_0) fields.emplace_back("Connection", "keep-alive");
}

}  // namespace tributary::proxy
