#include "presentation/language_tag.hh"

#include <gtest/gtest.h>

#include <array>
#include <utility>

namespace tributary {
namespace {

TEST(LanguageTag, IsTheShortestOfRfc5646) {
  constexpr std::array<std::pair<const char*, const char*>, 25> kTags{{{"de", "de"},
                                                                       {"DE", "de"},
                                                                       {"deu", "de"},
                                                                       {"ger", "de"},
                                                                       {"fre", "fr"},
                                                                       {"chi", "zh"},
                                                                       {"nob", "nb"},
                                                                       {"hbs", "sh"},
                                                                       {"bih", "bh"},
                                                                       {"fil", "fil"},
                                                                       {"yue", "yue"},
                                                                       {"zh-yue-HK", "yue-HK"},
                                                                       {"iw", "he"},
                                                                       {"mul", "mul"},
                                                                       {"zxx", "zxx"},
                                                                       {"und", "und"},
                                                                       {"qaa", "qaa"},
                                                                       {"qtz", "qtz"},
                                                                       {"por-br", "pt-BR"},
                                                                       {"en_US", "en-US"},
                                                                       {"zh-hans", "zh-Hans"},
                                                                       {"ZHO-HANT-tw", "zh-Hant-TW"},
                                                                       {"es-419", "es-419"},
                                                                       {"de-CH-1996", "de-CH-1996"},
                                                                       {"en-a-bbb-x-Own", "en-a-bbb-x-own"}}};
  for (const auto& [stated, tag] : kTags) EXPECT_EQ(language_tag(stated), tag) << stated;
}

TEST(LanguageTag, WhatIsNoLanguageHasNone) {
  for (const std::string stated :
       {"",         "d",     "xx",     "xyz",   "qua-",      "english", "German", "de-",  "-de",  "de--CH", "de-C",
        "de-CH-DE", "de-12", "zh-xyz", "de CH", "d\xc3\xa9", "de\"",    "de-x",   "de-a", "root", "qab1"})
    EXPECT_EQ(language_tag(stated), std::nullopt) << stated;
  EXPECT_EQ(language_tag("de" + std::string(100'000, '-')), std::nullopt);
}

TEST(LanguageTag, HasACodeForTheMediaHeader) {
  constexpr std::array<std::pair<const char*, const char*>, 8> kCodes{{{"de", "deu"},
                                                                       {"pt-BR", "por"},
                                                                       {"zh-Hans", "zho"},
                                                                       {"fil", "fil"},
                                                                       {"qaa", "qaa"},
                                                                       {"zxx", "zxx"},
                                                                       {"sh", "und"},     // is not in ISO 639-2
                                                                       {"yue", "und"}}};  // likewise
  for (const auto& [tag, code] : kCodes) EXPECT_EQ(terminology_code(tag), code) << tag;
}

}  // namespace
}  // namespace tributary
