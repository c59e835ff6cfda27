#include "player/texts/problem_texts.hh"

#include "player/texts/translation.hh"

namespace tributary::play {

// An empty text has a translation for programs: the head of the file with all of them.
std::string text_of(const Sentence& sentence) { return sentence.empty() ? "" : sentence.in(_(sentence.form.c_str())); }

ProblemText text_of(const PlayerProblem& problem) {
  return {text_of(problem.what), text_of(problem.advice), problem.detail};
}

}  // namespace tributary::play
