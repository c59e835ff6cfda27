#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "dash/bounds.hh"
#include "dash/mpd_error.hh"
#include "units/byte_range.hh"
#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary::dash {

/// The text of an XML document: which line a byte is in. Counts the lines once.
class XmlLines {
 public:
  explicit XmlLines(std::string_view text);

  std::size_t line_of(std::size_t offset) const;  // from 1
  std::size_t column_of(std::size_t offset) const;

 private:
  std::vector<std::size_t> ends_;
};

/// Without the blanks at both ends, which count for nothing in attributes and content.
std::string_view trimmed(std::string_view text);

/// A number, or the whole one that is nearest to a decimal ("2000.0"). Nothing: it is none.
std::optional<std::int64_t> nearest_whole(std::string_view text);
/// The value of an attribute `bandwidth`, in bit/s: what $Bandwidth$ stands for. Nothing: the text states none.
std::optional<std::int64_t> bandwidth_from(std::string_view text);

/// The name without its namespace's prefix: elements are known by it, whichever prefix a document binds.
std::string_view local_name(pugi::xml_node node);

/// An element and its place in the document. Accessors of attributes give nothing if there is no such attribute, and
/// throw MpdError with the place if its value is not of that kind. Refers to the document, the lines and the parent,
/// which must live longer.
class XmlElement {
 public:
  /// The root.
  XmlElement(pugi::xml_node node, const XmlLines& lines) : node_{node}, lines_{&lines} {}

  /// Calls `act` with each child of that name, in order; messages name it with its index.
  template <typename Act>
  void each(std::string_view name, Act act) const {
    std::size_t index = 0;
    for (const pugi::xml_node child : node_) {
      if (local_name(child) == name) act(XmlElement{child, *lines_, this, index++});
    }
  }
  /// The first child of that name.
  std::optional<XmlElement> child(std::string_view name) const;
  bool has_children() const;

  std::optional<std::string> text(const char* attribute, std::size_t longest = kLongestName) const;
  /// Some packagers write "2000.0", or a number with decimals: the nearest whole one counts.
  std::optional<std::int64_t> whole(const char* attribute, std::int64_t minimum, std::int64_t maximum) const;
  std::optional<bool> truth(const char* attribute) const;
  std::optional<Duration> duration(const char* attribute) const;
  /// Seconds as a decimal number, or "INF"; kLongestOffset at the most.
  std::optional<Duration> seconds(const char* attribute) const;
  std::optional<UtcTime> date_time(const char* attribute) const;
  /// "0-999", or "1000-" to the end of the file.
  std::optional<ByteRange> bytes(const char* attribute) const;
  /// The value of xlink:href, with whichever prefix.
  std::optional<std::string> link() const;
  /// The text between the tags, without blanks around it.
  std::string content(std::size_t longest) const;

  /// "line 14, Period[0]/AdaptationSet[1]".
  std::string place() const;
  [[noreturn]] void refuse(std::string_view why) const;

 private:
  static constexpr std::size_t kOnly = std::numeric_limits<std::size_t>::max();

  XmlElement(pugi::xml_node node, const XmlLines& lines, const XmlElement* parent, std::size_t index)
      : node_{node}, lines_{&lines}, parent_{parent}, index_{index} {}
  std::optional<std::string_view> value(const char* attribute) const;
  [[noreturn]] void refuse_value(const char* attribute, std::string_view what) const;

  pugi::xml_node node_;
  const XmlLines* lines_;
  const XmlElement* parent_ = nullptr;
  std::size_t index_ = kOnly;
};

/// What `read` gives; nothing, where it refuses a value that only helps.
template <typename Read>
auto hint(Read read) -> decltype(read()) {
  try {
    return read();
  } catch (const MpdError&) {
    return std::nullopt;
  }
}

}  // namespace tributary::dash
