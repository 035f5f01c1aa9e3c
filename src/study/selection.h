#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tare::study {

/// Documents of a task that belong together, by their positions in its split.
struct Stratum {
  std::string task;
  std::string name;
  std::vector<std::size_t> documents;
};

/// Documents to ask, by task, in ascending order: what `--samples` takes.
using Selection = std::map<std::string, std::vector<std::size_t>>;

/// How many of `limit` places each stratum gets: in proportion to its size by largest remainders,
/// at least one each where the limit allows, never more than it has. Ties go to the first. Sums to
/// the smaller one of limit and Σ sizes. (Hamilton's method.)
std::vector<std::size_t> allocate(std::size_t limit, std::span<const std::size_t> sizes);

/// A stratified sample. Which documents of a stratum are taken depends on the seed, its task, its
/// name and their number alone; one more leaves the others.
Selection select(std::span<const Stratum> strata, std::size_t limit, std::int64_t seed);

}  // namespace tare::study
