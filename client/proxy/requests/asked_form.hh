#pragma once

#include <optional>
#include <string>

#include "proxy/requests/fields.hh"
#include "proxy/requests/file_head.hh"

namespace tributary::proxy {

/// In which form a request wants its answer.
struct AskedForm {
  FileQuestion question = {};
  std::optional<std::string> page = {};  // Admission::page
  std::optional<std::string> if_none_match = {};
  std::optional<std::string> if_range = {};
  bool keep_alive = true;
};

/// The handler's fields, and those that the server sets beside them.
Fields head_fields(const AskedForm& form, Fields own);
void add_connection(Fields& fields, const AskedForm& form);
void add_if_missing(Fields& fields, std::string_view name, std::string value);
std::string date_now();

}  // namespace tributary::proxy
