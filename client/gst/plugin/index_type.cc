#include "gst/plugin/index_type.hh"

#include <fmt/format.h>

#include <string_view>

#include "gst/gst_handles.hh"
#include "presentation/json/json_index.hh"

namespace tributary {
namespace {

// The writer puts the format first. An index of another writer may have it elsewhere, so much is looked through.
constexpr guint kLooked = 4096;
constexpr guint kLeast = 64;

void find_index(GstTypeFind* found, gpointer /*data*/) {
  guint size = kLooked;
  const guint8* bytes = gst_type_find_peek(found, 0, size);
  while (bytes == nullptr && size > kLeast) bytes = gst_type_find_peek(found, 0, size /= 2);  // it is shorter
  if (bytes == nullptr) return;
  const std::string_view text{reinterpret_cast<const char*>(bytes), size};
  const std::size_t first = text.find_first_not_of("\xef\xbb\xbf \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') return;
  if (text.find(fmt::format("\"{}\"", kIndexFormat)) == std::string_view::npos) return;
  gst_type_find_suggest_simple(found, GST_TYPE_FIND_MAXIMUM, kIndexType, nullptr, nullptr);
}

}  // namespace

bool register_index_type(GstPlugin* plugin) {
  const GstHandle<GstCaps> caps{gst_caps_new_empty_simple(kIndexType)};
  return gst_type_find_register(plugin, kIndexType, GST_RANK_MARGINAL, find_index, "json", caps.get(), nullptr,
                                nullptr) != FALSE;
}

}  // namespace tributary
