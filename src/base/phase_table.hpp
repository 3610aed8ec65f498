#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

// Decisions as tables: rows are tried from the top, and the first that holds wins.
namespace godwit {

// One way out of a phase, or of staying in it, and the word for why.
template <class Phase, class Observed>
struct PhaseRow {
  Phase from;
  bool (*when)(const Observed&);
  Phase to;
  std::string_view reason;
};

// The question that ends the rows of a live phase.
template <class Observed>
constexpr bool always(const Observed&) {
  return true;
}

// Whether every live phase ends in an `always` row and no final phase has a row at all. `names` lists
// all phases, as schema::names does.
template <class Phase, class Observed, std::size_t N, class Names>
consteval bool isTotal(const PhaseRow<Phase, Observed> (&table)[N], const Names& names, bool (*isFinal)(Phase)) {
  return std::all_of(names.begin(), names.end(), [&](const auto& named) {
    const PhaseRow<Phase, Observed>* last = nullptr;
    for (const auto& row : table)
      if (row.from == named.first) last = &row;
    return isFinal(named.first) ? last == nullptr : last && last->when == always<Observed>;
  });
}

// Where the first row that holds leads from `phase`. A final phase, which has no rows, is kept with the reason on
// record; so is that reason where the row names none.
template <class Step, class Phase, class Observed, std::size_t N>
Step stepFrom(const PhaseRow<Phase, Observed> (&table)[N], Phase phase, std::string_view reason,
              const Observed& observed) {
  for (const auto& row : table)
    if (row.from == phase && row.when(observed)) return {row.to, row.reason.empty() ? reason : row.reason};
  return {phase, reason};
}

// The same where there are no phases: a question, and the step it leads to. The last one is `always`.
template <class Observed, class Step>
struct Rule {
  bool (*when)(const Observed&);
  Step step;
};

template <class Observed, class Step, std::size_t N>
Step firstThatHolds(const Rule<Observed, Step> (&table)[N], const Observed& observed) {
  for (const auto& rule : table)
    if (rule.when(observed)) return rule.step;
  return {};
}

}  // namespace godwit
