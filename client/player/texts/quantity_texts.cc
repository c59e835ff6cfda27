#include "player/texts/quantity_texts.hh"

#include <algorithm>
#include <cmath>

#include "player/texts/translation.hh"
#include "system/glib_handles.hh"

namespace tributary::play {

std::string number_text(double number, int decimals) {
  return GlibString{g_strdup_printf("%.*f", decimals, number)}.get();
}

std::string clock_text(Duration time) {
  const auto seconds = std::max<std::int64_t>(0, std::chrono::floor<std::chrono::seconds>(time).count());
  if (seconds < 3600) return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
  return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string span_text(Duration span) {
  const double seconds = to_seconds(span);
  if (seconds < 9.95) return say(_("{} s"), number_text(seconds, 1));
  if (seconds < 119.5) return say(_("{} s"), number_text(seconds, 0));
  return say(_("{} min"), number_text(seconds / 60, 0));
}

std::string rate_text(DataRate rate) {
  const double kilobits = rate.kilobits_per_second();
  if (kilobits < 999.5) return say(_("{} kbit/s"), number_text(kilobits, 0));
  return say(_("{} Mbit/s"), number_text(kilobits / 1e3, kilobits < 99'950 ? 1 : 0));
}

std::string size_text(DataSize size) {
  return GlibString{g_format_size(static_cast<guint64>(std::max<std::int64_t>(0, size.bytes())))}.get();
}

std::string percent_text(double fraction) {
  // Translators: a share of a whole.
  return say(_("{} %"), number_text(fraction * 100, 0));
}

std::string speed_text(double speed) {
  const bool two = std::abs(speed * 10 - std::round(speed * 10)) > 0.01;
  return number_text(speed, two ? 2 : 1) + "×";
}

std::string chapter_text(const Chapter& chapter, std::size_t number) {
  return chapter.name.empty() ? say(_("Chapter {}"), number + 1) : chapter.name;
}

}  // namespace tributary::play
