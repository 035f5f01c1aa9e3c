#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

/// What utf8proc does not know: the properties and full case mappings of Unicode 14 (the version of
/// CPython 3.11) that follow from no general category. tests/unit/base/unicode_test.cpp compares
/// the outcome with CPython over every code point.
namespace tare::base::unicode {

struct Range {
  char32_t first;
  char32_t last;
};

/// True if one of the ranges, which are in ascending order, holds `c`.
template <std::size_t N>
constexpr bool in_table(const Range (&table)[N], char32_t c) {
  const Range* range = std::lower_bound(
      std::begin(table), std::end(table), c,
      [](const Range& candidate, char32_t wanted) { return candidate.last < wanted; });
  return range != std::end(table) && range->first <= c;
}

/// Assigned in Unicode 15: unassigned for CPython 3.11.
inline constexpr Range kAssignedLater[] = {
    {0x0CF3, 0x0CF3},   {0x0ECE, 0x0ECE},   {0x10EFD, 0x10EFF}, {0x1123F, 0x11241},
    {0x11B00, 0x11B09}, {0x11F00, 0x11F10}, {0x11F12, 0x11F3A}, {0x11F3E, 0x11F59},
    {0x1342F, 0x1342F}, {0x13439, 0x13455}, {0x1B132, 0x1B132}, {0x1B155, 0x1B155},
    {0x1D2C0, 0x1D2D3}, {0x1DF25, 0x1DF2A}, {0x1E030, 0x1E06D}, {0x1E08F, 0x1E08F},
    {0x1E4D0, 0x1E4F9}, {0x1F6DC, 0x1F6DC}, {0x1F774, 0x1F776}, {0x1F77B, 0x1F77F},
    {0x1F7D9, 0x1F7D9}, {0x1FA75, 0x1FA77}, {0x1FA87, 0x1FA88}, {0x1FAAD, 0x1FAAF},
    {0x1FABB, 0x1FABD}, {0x1FABF, 0x1FABF}, {0x1FACE, 0x1FACF}, {0x1FADA, 0x1FADB},
    {0x1FAE8, 0x1FAE8}, {0x1FAF7, 0x1FAF8}, {0x2B739, 0x2B739}, {0x31350, 0x323AF}};

/// Numeric_Type=Digit: superscripts, circled digits.
inline constexpr Range kDigitNotDecimal[] = {
    {0x00B2, 0x00B3},   {0x00B9, 0x00B9},   {0x1369, 0x1371},   {0x19DA, 0x19DA},
    {0x2070, 0x2070},   {0x2074, 0x2079},   {0x2080, 0x2089},   {0x2460, 0x2468},
    {0x2474, 0x247C},   {0x2488, 0x2490},   {0x24EA, 0x24EA},   {0x24F5, 0x24FD},
    {0x24FF, 0x24FF},   {0x2776, 0x277E},   {0x2780, 0x2788},   {0x278A, 0x2792},
    {0x10A40, 0x10A43}, {0x10E60, 0x10E68}, {0x11052, 0x1105A}, {0x1F100, 0x1F10A}};

/// Other_Lowercase.
inline constexpr Range kOtherLowercase[] = {
    {0x00AA, 0x00AA},   {0x00BA, 0x00BA},   {0x02B0, 0x02B8},   {0x02C0, 0x02C1},  {0x02E0, 0x02E4},
    {0x0345, 0x0345},   {0x037A, 0x037A},   {0x1D2C, 0x1D6A},   {0x1D78, 0x1D78},  {0x1D9B, 0x1DBF},
    {0x2071, 0x2071},   {0x207F, 0x207F},   {0x2090, 0x209C},   {0x2170, 0x217F},  {0x24D0, 0x24E9},
    {0x2C7C, 0x2C7D},   {0xA69C, 0xA69D},   {0xA770, 0xA770},   {0xA7F8, 0xA7F9},  {0xAB5C, 0xAB5F},
    {0x10780, 0x10780}, {0x10783, 0x10785}, {0x10787, 0x107B0}, {0x107B2, 0x107BA}};

/// Other_Uppercase.
inline constexpr Range kOtherUppercase[] = {
    {0x2160, 0x216F}, {0x24B6, 0x24CF}, {0x1F130, 0x1F149}, {0x1F150, 0x1F169}, {0x1F170, 0x1F189}};

/// Case_Ignorable by Word_Break (apostrophe, full stop, colon and their kin).
inline constexpr Range kOtherCaseIgnorable[] = {
    {0x0027, 0x0027}, {0x002E, 0x002E}, {0x003A, 0x003A}, {0x00B7, 0x00B7},
    {0x0387, 0x0387}, {0x055F, 0x055F}, {0x05F4, 0x05F4}, {0x2018, 0x2019},
    {0x2024, 0x2024}, {0x2027, 0x2027}, {0xFE13, 0xFE13}, {0xFE52, 0xFE52},
    {0xFE55, 0xFE55}, {0xFF07, 0xFF07}, {0xFF0E, 0xFF0E}, {0xFF1A, 0xFF1A}};

/// A code point whose full upper or title case is more than one code point. An empty title means
/// that the simple mapping holds.
struct FullCase {
  char32_t code_point;
  std::u32string_view upper;
  std::u32string_view title;
};

inline constexpr FullCase kFullCase[] = {
    {0x00DF, U"\x0053\x0053", U"\x0053\x0073"},
    {0x0149, U"\x02BC\x004E", U"\x02BC\x004E"},
    {0x01F0, U"\x004A\x030C", U"\x004A\x030C"},
    {0x0390, U"\x0399\x0308\x0301", U"\x0399\x0308\x0301"},
    {0x03B0, U"\x03A5\x0308\x0301", U"\x03A5\x0308\x0301"},
    {0x0587, U"\x0535\x0552", U"\x0535\x0582"},
    {0x1E96, U"\x0048\x0331", U"\x0048\x0331"},
    {0x1E97, U"\x0054\x0308", U"\x0054\x0308"},
    {0x1E98, U"\x0057\x030A", U"\x0057\x030A"},
    {0x1E99, U"\x0059\x030A", U"\x0059\x030A"},
    {0x1E9A, U"\x0041\x02BE", U"\x0041\x02BE"},
    {0x1F50, U"\x03A5\x0313", U"\x03A5\x0313"},
    {0x1F52, U"\x03A5\x0313\x0300", U"\x03A5\x0313\x0300"},
    {0x1F54, U"\x03A5\x0313\x0301", U"\x03A5\x0313\x0301"},
    {0x1F56, U"\x03A5\x0313\x0342", U"\x03A5\x0313\x0342"},
    {0x1F80, U"\x1F08\x0399", U""},
    {0x1F81, U"\x1F09\x0399", U""},
    {0x1F82, U"\x1F0A\x0399", U""},
    {0x1F83, U"\x1F0B\x0399", U""},
    {0x1F84, U"\x1F0C\x0399", U""},
    {0x1F85, U"\x1F0D\x0399", U""},
    {0x1F86, U"\x1F0E\x0399", U""},
    {0x1F87, U"\x1F0F\x0399", U""},
    {0x1F88, U"\x1F08\x0399", U""},
    {0x1F89, U"\x1F09\x0399", U""},
    {0x1F8A, U"\x1F0A\x0399", U""},
    {0x1F8B, U"\x1F0B\x0399", U""},
    {0x1F8C, U"\x1F0C\x0399", U""},
    {0x1F8D, U"\x1F0D\x0399", U""},
    {0x1F8E, U"\x1F0E\x0399", U""},
    {0x1F8F, U"\x1F0F\x0399", U""},
    {0x1F90, U"\x1F28\x0399", U""},
    {0x1F91, U"\x1F29\x0399", U""},
    {0x1F92, U"\x1F2A\x0399", U""},
    {0x1F93, U"\x1F2B\x0399", U""},
    {0x1F94, U"\x1F2C\x0399", U""},
    {0x1F95, U"\x1F2D\x0399", U""},
    {0x1F96, U"\x1F2E\x0399", U""},
    {0x1F97, U"\x1F2F\x0399", U""},
    {0x1F98, U"\x1F28\x0399", U""},
    {0x1F99, U"\x1F29\x0399", U""},
    {0x1F9A, U"\x1F2A\x0399", U""},
    {0x1F9B, U"\x1F2B\x0399", U""},
    {0x1F9C, U"\x1F2C\x0399", U""},
    {0x1F9D, U"\x1F2D\x0399", U""},
    {0x1F9E, U"\x1F2E\x0399", U""},
    {0x1F9F, U"\x1F2F\x0399", U""},
    {0x1FA0, U"\x1F68\x0399", U""},
    {0x1FA1, U"\x1F69\x0399", U""},
    {0x1FA2, U"\x1F6A\x0399", U""},
    {0x1FA3, U"\x1F6B\x0399", U""},
    {0x1FA4, U"\x1F6C\x0399", U""},
    {0x1FA5, U"\x1F6D\x0399", U""},
    {0x1FA6, U"\x1F6E\x0399", U""},
    {0x1FA7, U"\x1F6F\x0399", U""},
    {0x1FA8, U"\x1F68\x0399", U""},
    {0x1FA9, U"\x1F69\x0399", U""},
    {0x1FAA, U"\x1F6A\x0399", U""},
    {0x1FAB, U"\x1F6B\x0399", U""},
    {0x1FAC, U"\x1F6C\x0399", U""},
    {0x1FAD, U"\x1F6D\x0399", U""},
    {0x1FAE, U"\x1F6E\x0399", U""},
    {0x1FAF, U"\x1F6F\x0399", U""},
    {0x1FB2, U"\x1FBA\x0399", U"\x1FBA\x0345"},
    {0x1FB3, U"\x0391\x0399", U""},
    {0x1FB4, U"\x0386\x0399", U"\x0386\x0345"},
    {0x1FB6, U"\x0391\x0342", U"\x0391\x0342"},
    {0x1FB7, U"\x0391\x0342\x0399", U"\x0391\x0342\x0345"},
    {0x1FBC, U"\x0391\x0399", U""},
    {0x1FC2, U"\x1FCA\x0399", U"\x1FCA\x0345"},
    {0x1FC3, U"\x0397\x0399", U""},
    {0x1FC4, U"\x0389\x0399", U"\x0389\x0345"},
    {0x1FC6, U"\x0397\x0342", U"\x0397\x0342"},
    {0x1FC7, U"\x0397\x0342\x0399", U"\x0397\x0342\x0345"},
    {0x1FCC, U"\x0397\x0399", U""},
    {0x1FD2, U"\x0399\x0308\x0300", U"\x0399\x0308\x0300"},
    {0x1FD3, U"\x0399\x0308\x0301", U"\x0399\x0308\x0301"},
    {0x1FD6, U"\x0399\x0342", U"\x0399\x0342"},
    {0x1FD7, U"\x0399\x0308\x0342", U"\x0399\x0308\x0342"},
    {0x1FE2, U"\x03A5\x0308\x0300", U"\x03A5\x0308\x0300"},
    {0x1FE3, U"\x03A5\x0308\x0301", U"\x03A5\x0308\x0301"},
    {0x1FE4, U"\x03A1\x0313", U"\x03A1\x0313"},
    {0x1FE6, U"\x03A5\x0342", U"\x03A5\x0342"},
    {0x1FE7, U"\x03A5\x0308\x0342", U"\x03A5\x0308\x0342"},
    {0x1FF2, U"\x1FFA\x0399", U"\x1FFA\x0345"},
    {0x1FF3, U"\x03A9\x0399", U""},
    {0x1FF4, U"\x038F\x0399", U"\x038F\x0345"},
    {0x1FF6, U"\x03A9\x0342", U"\x03A9\x0342"},
    {0x1FF7, U"\x03A9\x0342\x0399", U"\x03A9\x0342\x0345"},
    {0x1FFC, U"\x03A9\x0399", U""},
    {0xFB00, U"\x0046\x0046", U"\x0046\x0066"},
    {0xFB01, U"\x0046\x0049", U"\x0046\x0069"},
    {0xFB02, U"\x0046\x004C", U"\x0046\x006C"},
    {0xFB03, U"\x0046\x0046\x0049", U"\x0046\x0066\x0069"},
    {0xFB04, U"\x0046\x0046\x004C", U"\x0046\x0066\x006C"},
    {0xFB05, U"\x0053\x0054", U"\x0053\x0074"},
    {0xFB06, U"\x0053\x0054", U"\x0053\x0074"},
    {0xFB13, U"\x0544\x0546", U"\x0544\x0576"},
    {0xFB14, U"\x0544\x0535", U"\x0544\x0565"},
    {0xFB15, U"\x0544\x053B", U"\x0544\x056B"},
    {0xFB16, U"\x054E\x0546", U"\x054E\x0576"},
    {0xFB17, U"\x0544\x053D", U"\x0544\x056D"},
};

}  // namespace tare::base::unicode
