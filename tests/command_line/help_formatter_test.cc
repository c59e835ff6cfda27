#include "command_line/help_formatter.hh"

#include <gtest/gtest.h>

#include "command_line/introduction.hh"

namespace tributary {
namespace {

TEST(HelpFormatter, GroupsArgumentsCommandsAndDefaultsHaveTheirPlaces) {
  CLI::App app{"", "paint"};
  introduce(app, {"Paints walls.", "0 if they are dry.", {"paint wall", "paint --colour red wall"}});
  add_version(app, "1.0");
  std::string wall, colour;
  bool twice = false;
  app.add_option("WALL", wall, "Paint this.")->required();
  app.add_option("-c,--colour", colour, "Paint in this colour.")->option_text("NAME")->default_str("white");
  app.add_flag("!--only-once-and-never-again", twice, "Paint once.");
  group(app, "Paint", {"--colour", "--only-once-and-never-again"});
  EXPECT_EQ(app.help(),
            "Usage: paint [OPTIONS] WALL\n"
            "\n"
            "Paints walls.\n"
            "\n"
            "Arguments:\n"
            "  WALL                  Paint this.\n"
            "\n"
            "Paint:\n"
            "  -c, --colour NAME     Paint in this colour. Default: white.\n"
            "  --only-once-and-never-again\n"
            "                        Paint once.\n"
            "\n"
            "General:\n"
            "  -h, --help            Show this help.\n"
            "  --version             Show the version.\n"
            "\n"
            "Exit status: 0 if they are dry.\n"
            "\n"
            "Examples:\n"
            "  paint wall\n"
            "  paint --colour red wall\n");
}

TEST(HelpFormatter, ACommandHasAHelpOfItsOwn) {
  CLI::App app{"", "paint"};
  introduce(app, {"Paints walls.", "0 if they are dry.", {"paint wall"}});
  app.require_subcommand(1);
  CLI::App* const strip = app.add_subcommand("strip");
  introduce(*strip, {"Take the paint off.", "", {"paint strip wall"}});
  const std::string help = app.help();
  EXPECT_NE(help.find("Usage: paint [OPTIONS] COMMAND ...\n"), std::string::npos) << help;
  EXPECT_NE(help.find("  strip                 Take the paint off.\n"), std::string::npos) << help;
  EXPECT_EQ(
      strip->help("paint"),
      "Usage: paint strip [OPTIONS]\n\nTake the paint off.\n\nGeneral:\n  -h, --help            Show this help.\n\n"
      "Examples:\n  paint strip wall\n");
}

TEST(HelpFormatter, WhatIsNotForEverybodyIsNotShown) {
  CLI::App app{"", "paint"};
  introduce(app, {"Paints walls.", "", {"paint wall"}});
  bool dry = false;
  app.add_flag("--dry", dry, "Use no paint.")->group("");
  EXPECT_EQ(app.help().find("--dry"), std::string::npos);
  EXPECT_EQ(app.help().find("\n:"), std::string::npos);
}

TEST(HelpFormatter, LinesEndBeforeColumn80AndWordsStayWhole) {
  EXPECT_EQ(filled(std::string(76, 'a') + " bbb c", 0), std::string(76, 'a') + " bbb\nc");
  EXPECT_EQ(filled("aa " + std::string(78, 'b') + " c", 2), "aa\n  " + std::string(78, 'b') + "\n  c");
  EXPECT_EQ(filled("", 4), "");
}

}  // namespace
}  // namespace tributary
