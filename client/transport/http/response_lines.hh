#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transport/http/response_parser.hh"

namespace tributary::transport {

/// The lines of one head, and what they say. Reads what browsers and curl read: names in any case, blanks around them, lines
/// that are folded, any version of HTTP. A line without a name says nothing.
class ResponseLines {
 public:
  /// The line may end in CR LF. False if it should be a status line and is none.
  bool take(std::string_view line);
  void clear() { *this = {}; }

  bool empty() const { return status_ == 0; }
  int status() const { return status_; }
  ResponseHead head() const;
  /// Why nobody can say where the body ends: a length that is none, or lengths that differ where these are refused. Empty if there
  /// is nothing of the kind.
  std::string length_defect(DifferingLengths differing) const;

 private:
  bool take_status(std::string_view line);
  std::string value_of(std::string_view name) const;

  std::vector<std::pair<std::string, std::string>> fields_;  // names in lower case
  int status_ = 0;
  bool http_1_0_ = false;
  std::string reason_;
};

}  // namespace tributary::transport
