#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "transport/http/response_parser.hh"

namespace tributary::transport {

/// Without the blanks and ends of lines around it.
std::string_view trimmed(std::string_view text);

/// The lines of one head, and their meaning. Reads as loosely as browsers and curl: names in any case, blanks around
/// them, folded lines, any version of HTTP. Ignores a line without a name.
class ResponseLines {
 public:
  /// The line may end in CR LF. False if a status line was due and the line is none.
  bool take(std::string_view line);
  void clear() { *this = {}; }

  bool empty() const { return status_ == 0; }
  int status() const { return status_; }
  ResponseHead head() const;
  /// The defect that hides where the body ends: a length that is no number, or differing lengths if `differing` refuses
  /// these. Empty if there is none.
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
