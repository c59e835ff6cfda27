#include "player/window/open_dialogs.hh"

#include <adwaita.h>

#include "player/texts/translation.hh"
#include "player/widgets/widget_makers.hh"
#include "player/window/address_list.hh"

namespace tributary::play {
namespace {

GtkWidget* scrolled(const AddressList& list) {
  constexpr int kHeight = 230;
  GtkWidget* view = gtk_scrolled_window_new();
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(view), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(view), TRUE);
  gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(view), kHeight);
  set_margins(list.widget(), 2);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(view), list.widget());
  return view;
}

/// Owned by its dialog.
class AddressDialog {
 public:
  AddressDialog(GtkWindow* parent, std::function<void(const std::string&)> open)
      : dialog_{adw_message_dialog_new(parent, _("Open an Address"),
                                       _("Of an HLS or DASH manifest, of an index.json, or of its folder."))},
        entry_{gtk_entry_new()},
        open_{std::move(open)},
        recent_{_("Played last"), [this](const std::string& url, std::size_t) { finish(url); }} {}

  void present(const std::string& suggestion, const std::vector<PlayedAddress>& latest) {
    auto* dialog = ADW_MESSAGE_DIALOG(dialog_);
    adw_message_dialog_add_responses(dialog, "cancel", _("_Cancel"), "open", _("_Open"), nullptr);
    adw_message_dialog_set_response_appearance(dialog, "open", ADW_RESPONSE_SUGGESTED);
    adw_message_dialog_set_default_response(dialog, "open");
    adw_message_dialog_set_close_response(dialog, "cancel");
    gtk_entry_set_activates_default(GTK_ENTRY(entry_), TRUE);
    gtk_entry_set_input_purpose(GTK_ENTRY(entry_), GTK_INPUT_PURPOSE_URL);
    gtk_entry_set_placeholder_text(GTK_ENTRY(entry_), "https://example.org/film/manifest.mpd");
    gtk_accessible_update_property(GTK_ACCESSIBLE(entry_), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Address"), -1);
    signals_.on<void(GtkEditable*)>(entry_, "changed", [this](GtkEditable*) { allow_open(); });
    gtk_editable_set_text(GTK_EDITABLE(entry_), suggestion.c_str());
    allow_open();

    constexpr std::size_t kMost = 20;
    recent_.show(latest, kMost);
    GtkWidget* column = column_of(12, {entry_});
    if (!latest.empty()) {
      gtk_box_append(GTK_BOX(column), label_of(_("Played last"), {"heading"}));
      gtk_box_append(GTK_BOX(column), scrolled(recent_));
    }
    adw_message_dialog_set_extra_child(dialog, column);
    signals_.on<void(AdwMessageDialog*, const char*)>(dialog, "response",
                                                      [this](AdwMessageDialog*, const char* response) {
                                                        if (std::string_view{response} == "open")
                                                          open_(gtk_editable_get_text(GTK_EDITABLE(entry_)));
                                                      });
    gtk_window_present(GTK_WINDOW(dialog_));
    gtk_widget_grab_focus(entry_);
  }
  GtkWidget* widget() const { return dialog_; }

 private:
  void allow_open() {
    const bool anything = *gtk_editable_get_text(GTK_EDITABLE(entry_)) != '\0';
    adw_message_dialog_set_response_enabled(ADW_MESSAGE_DIALOG(dialog_), "open", anything);
  }
  void finish(const std::string& url) {
    const auto open = open_;  // a copy, because closing ends this object
    gtk_window_close(GTK_WINDOW(dialog_));
    open(url);
  }

  GtkWidget *dialog_, *entry_;
  std::function<void(const std::string&)> open_;
  AddressList recent_;
  Signals signals_;
};

/// Owned by its dialog.
class PlaylistDialog {
 public:
  PlaylistDialog(GtkWindow* parent, std::function<void(std::size_t)> choose)
      : dialog_{adw_message_dialog_new(parent, _("Playlist"), nullptr)},
        list_{_("Playlist"), [this, choose = std::move(choose)](const std::string&, std::size_t number) {
                const auto chosen = choose;  // a copy, because closing ends this object
                gtk_window_close(GTK_WINDOW(dialog_));
                chosen(number);
              }} {}

  void present(const std::vector<PlayedAddress>& addresses, std::size_t playing) {
    list_.show(addresses, addresses.size(), playing);
    adw_message_dialog_add_response(ADW_MESSAGE_DIALOG(dialog_), "close", _("_Close"));
    adw_message_dialog_set_extra_child(ADW_MESSAGE_DIALOG(dialog_), scrolled(list_));
    gtk_window_present(GTK_WINDOW(dialog_));
  }
  GtkWidget* widget() const { return dialog_; }

 private:
  GtkWidget* dialog_;
  AddressList list_;
};

/// Lives until the user answers.
struct FileDialog {
  Ref<GtkFileChooserNative> chooser;
  std::function<void(const std::vector<std::string>&)> open;
};

void choose_files(GtkWindow* parent, const char* title, const char* kind, std::initializer_list<const char*> patterns,
                  std::function<void(const std::vector<std::string>&)> open) {
  auto* dialog = new FileDialog{Ref<GtkFileChooserNative>::take(gtk_file_chooser_native_new(
                                    title, parent, GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"))),
                                std::move(open)};
  const Ref<GtkFileFilter> filter = Ref<GtkFileFilter>::take(gtk_file_filter_new());
  gtk_file_filter_set_name(filter.get(), kind);
  for (const char* pattern : patterns) gtk_file_filter_add_pattern(filter.get(), pattern);
  gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog->chooser.get()), filter.get());
  gtk_file_chooser_set_select_multiple(GTK_FILE_CHOOSER(dialog->chooser.get()), TRUE);
  g_signal_connect(dialog->chooser.get(), "response",
                   G_CALLBACK(+[](GtkNativeDialog* chooser, int response, gpointer data) {
                     const std::unique_ptr<FileDialog> self{static_cast<FileDialog*>(data)};
                     if (response != GTK_RESPONSE_ACCEPT) return;
                     const auto files = Ref<GListModel>::take(gtk_file_chooser_get_files(GTK_FILE_CHOOSER(chooser)));
                     std::vector<std::string> paths;
                     for (guint i = 0; i < g_list_model_get_n_items(files.get()); ++i) {
                       const auto file = Ref<GFile>::take(G_FILE(g_list_model_get_item(files.get(), i)));
                       const GlibString path{g_file_get_path(file.get())};
                       if (path) paths.emplace_back(path.get());
                     }
                     if (!paths.empty()) self->open(paths);
                   }),
                   dialog);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog->chooser.get()));
}

}  // namespace

void ask_for_address(GtkWindow* parent, const std::string& suggestion, const std::vector<PlayedAddress>& latest,
                     std::function<void(const std::string&)> open) {
  auto* dialog = new AddressDialog{parent, std::move(open)};
  g_object_weak_ref(
      G_OBJECT(dialog->widget()), [](gpointer data, GObject*) { delete static_cast<AddressDialog*>(data); }, dialog);
  dialog->present(suggestion, latest);
}

void choose_from_playlist(GtkWindow* parent, const std::vector<PlayedAddress>& addresses, std::size_t playing,
                          std::function<void(std::size_t)> choose) {
  auto* dialog = new PlaylistDialog{parent, std::move(choose)};
  g_object_weak_ref(
      G_OBJECT(dialog->widget()), [](gpointer data, GObject*) { delete static_cast<PlaylistDialog*>(data); }, dialog);
  dialog->present(addresses, playing);
}

void ask_for_files(GtkWindow* parent, std::function<void(const std::vector<std::string>&)> open) {
  choose_files(parent, _("Open a File"), _("Presentations (DASH, HLS, index.json)"), {"index.json", "*.m3u8", "*.mpd"},
               std::move(open));
}

void ask_for_subtitles(GtkWindow* parent, std::function<void(const std::vector<std::string>&)> open) {
  choose_files(parent, _("Add Subtitles"), _("Subtitles (SubRip, WebVTT, TTML)"),
               {"*.srt", "*.vtt", "*.ttml", "*.dfxp"}, std::move(open));
}

}  // namespace tributary::play
