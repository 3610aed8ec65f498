#pragma once

#include <functional>
#include <map>
#include <string>

namespace godwit::sim {

// Looks at the seeds from `first` on, on all cores at once, each on one thread from its beginning to its end. No higher
// seed is begun once `look` says false; those that are begun are brought to their end.
void eachSeed(unsigned first, unsigned count, const std::function<bool(unsigned seed)>& look);

// What is wrong, by seed; every seed is looked at, and told of on stderr as soon as it is known.
std::map<unsigned, std::string> allWrong(unsigned first, unsigned count,
                                         const std::function<std::string(unsigned seed)>& wrongWith);

// The lowest seed that has something wrong, and what; empty when none has.
std::map<unsigned, std::string> firstWrong(unsigned count, const std::function<std::string(unsigned seed)>& wrongWith);

}  // namespace godwit::sim
