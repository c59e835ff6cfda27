#include "player/picture/video_view.hh"

#include <fmt/format.h>

#include <algorithm>

#include "player/texts/translation.hh"
#include "player/widgets/widget_makers.hh"

namespace tributary::play {
namespace {

GtkWidget* revealer_of(GtkWidget* child, GtkAlign horizontal, GtkAlign vertical) {
  GtkWidget* revealer = gtk_revealer_new();
  gtk_revealer_set_transition_type(GTK_REVEALER(revealer), GTK_REVEALER_TRANSITION_TYPE_CROSSFADE);
  gtk_revealer_set_child(GTK_REVEALER(revealer), child);
  gtk_widget_set_halign(revealer, horizontal);
  gtk_widget_set_valign(revealer, vertical);
  gtk_widget_set_can_target(revealer, FALSE);
  return revealer;
}

}  // namespace

VideoView::VideoView()
    : mailbox_{[this] { paintable_.show(mailbox_.take()); }},
      overlay_{gtk_overlay_new()},
      subtitle_{gtk_label_new(nullptr)},
      spinner_{gtk_spinner_new()},
      why_{gtk_label_new(nullptr)},
      cancel_{gtk_button_new_with_label(_("Cancel"))},
      subtitle_style_{Ref<GtkCssProvider>::take(gtk_css_provider_new())} {
  GtkWidget* picture = gtk_picture_new_for_paintable(paintable_.paintable());
  gtk_picture_set_content_fit(GTK_PICTURE(picture), GTK_CONTENT_FIT_CONTAIN);
  gtk_picture_set_can_shrink(GTK_PICTURE(picture), TRUE);
  gtk_accessible_update_property(GTK_ACCESSIBLE(picture), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Picture"), -1);
  // Draws nothing, but reports its size, which is the picture's.
  GtkWidget* size = gtk_drawing_area_new();
  gtk_widget_set_can_target(size, FALSE);
  signals_.on<void(GtkDrawingArea*, int, int)>(
      size, "resize", [this](GtkDrawingArea*, int width, int height) { resized(width, height); });
  signals_.on<void(GtkWidget*)>(picture, "realize", [this](GtkWidget* widget) { look_at_renderer(widget); });

  gtk_widget_add_css_class(subtitle_, "video-text");
  gtk_label_set_wrap(GTK_LABEL(subtitle_), TRUE);
  gtk_label_set_justify(GTK_LABEL(subtitle_), GTK_JUSTIFY_CENTER);
  gtk_widget_set_valign(subtitle_, GTK_ALIGN_END);
  gtk_widget_set_halign(subtitle_, GTK_ALIGN_CENTER);
  gtk_widget_set_can_target(subtitle_, FALSE);
  gtk_widget_set_visible(subtitle_, FALSE);
  gtk_style_context_add_provider(gtk_widget_get_style_context(subtitle_), GTK_STYLE_PROVIDER(subtitle_style_.get()),
                                 GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  leave_room_below(0);

  constexpr int kSpinner = 36;
  gtk_widget_set_size_request(spinner_, kSpinner, kSpinner);
  gtk_label_set_wrap(GTK_LABEL(why_), TRUE);
  gtk_label_set_justify(GTK_LABEL(why_), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars(GTK_LABEL(why_), 44);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(cancel_), "win.cancel");
  gtk_widget_set_halign(cancel_, GTK_ALIGN_CENTER);
  gtk_widget_set_focus_on_click(cancel_, FALSE);
  GtkWidget* bubble = column_of(10, {spinner_, why_, cancel_});
  gtk_widget_add_css_class(bubble, "bubble");
  waiting_ = revealer_of(bubble, GTK_ALIGN_CENTER, GTK_ALIGN_CENTER);

  told_ = gtk_label_new(nullptr);
  gtk_widget_add_css_class(told_, "bubble");
  gtk_widget_add_css_class(told_, "told");
  GtkWidget* told = revealer_of(told_, GTK_ALIGN_START, GTK_ALIGN_START);
  set_margins(told, 18);
  gtk_widget_set_margin_top(told, 60);

  gtk_overlay_set_child(GTK_OVERLAY(overlay_), picture);
  for (GtkWidget* over : {size, subtitle_, waiting_, told}) gtk_overlay_add_overlay(GTK_OVERLAY(overlay_), over);
  gtk_widget_add_css_class(overlay_, "video");
  gtk_accessible_update_property(GTK_ACCESSIBLE(overlay_), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Video"), -1);
  told_ = told;
}

void VideoView::clear() {
  mailbox_.take();
  paintable_.clear();
  show_subtitle("");
  show_waiting("");
}

void VideoView::show_subtitle(const std::string& markup) {
  if (pango_parse_markup(markup.c_str(), -1, 0, nullptr, nullptr, nullptr, nullptr)) {
    gtk_label_set_markup(GTK_LABEL(subtitle_), markup.c_str());
  } else {
    gtk_label_set_text(GTK_LABEL(subtitle_), markup.c_str());
  }
  gtk_widget_set_visible(subtitle_, !markup.empty());
}

void VideoView::show_waiting(const std::string& why, bool may_cancel) {
  gtk_widget_set_visible(cancel_, may_cancel);
  gtk_widget_set_can_target(waiting_, may_cancel);  // otherwise the pointer is for the picture
  gtk_revealer_set_reveal_child(GTK_REVEALER(waiting_), !why.empty());
  gtk_spinner_set_spinning(GTK_SPINNER(spinner_), !why.empty());
  if (!why.empty()) set_text(why_, why);
}

void VideoView::tell(const std::string& text) {
  constexpr guint kMilliseconds = 1200;
  set_text(gtk_revealer_get_child(GTK_REVEALER(told_)), text);
  gtk_revealer_set_reveal_child(GTK_REVEALER(told_), TRUE);
  untell_.once(kMilliseconds, [this] { gtk_revealer_set_reveal_child(GTK_REVEALER(told_), FALSE); });
}

void VideoView::leave_room_below(int pixels) {
  constexpr int kMargin = 20;
  gtk_widget_set_margin_bottom(subtitle_, std::max(pixels, kMargin));
}

void VideoView::look_at_renderer(GtkWidget* picture) {
  painted_by_processor_ = GSK_IS_CAIRO_RENDERER(gtk_native_get_renderer(gtk_widget_get_native(picture)));
  paintable_.set_painted_by_processor(painted_by_processor_);
}

/// Subtitles are a twentieth of the height, which is usual.
void VideoView::resized(int width, int height) {
  constexpr guint kRestMilliseconds = 150;
  if (painted_by_processor_ && resized_) {
    const int pixels = gtk_widget_get_scale_factor(overlay_);
    fit_.once(kRestMilliseconds, [this, width, height, pixels] { resized_(width * pixels, height * pixels); });
  }
  constexpr double kPart = 0.047;
  const double pixels = std::clamp(height * kPart, 13.0, 64.0);
  const std::string style = fmt::format(".video-text {{ font-size: {:.0f}px; }}", pixels);
  gtk_css_provider_load_from_data(subtitle_style_.get(), style.c_str(), -1);
}

}  // namespace tributary::play
