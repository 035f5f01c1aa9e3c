#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text/jinja/failure.h"
#include "text/jinja/jinja.h"
#include "text/jinja/object.h"
#include "text/jinja/value.h"

namespace tare::text::jinja {

/// Owns what one rendering creates and keeps it within the bounds of Options.
class Heap {
 public:
  explicit Heap(const Options& options) : options_(options) {}
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  template <class T, class... Args>
  T* make(Args&&... args) {
    charge(sizeof(T) + sizeof(void*));
    auto owned = std::make_unique<T>(std::forward<Args>(args)...);
    T* object = owned.get();
    objects_.push_back(std::move(owned));
    return object;
  }
  Value text(std::string text, bool markup = false);
  Value list(std::vector<Value> items);
  Value tuple(std::vector<Value> items);
  /// An undefined value with this message.
  Value undefined(std::string message);
  Value undefined_name(std::string_view name);
  /// "'dict object' has no attribute 'x'" or "list object has no element 5".
  Value undefined_member(const Value& owner, const Value& name);
  /// What an inline if without else gives: never strict, as in Jinja2.
  Value lenient_undefined(std::string message);

  /// Counts memory that is about to be taken; raises at the bound.
  void charge(std::size_t bytes) {
    if (bytes > options_.max_memory_bytes - memory_) out_of_memory();
    memory_ += bytes;
  }
  void charge_items(std::size_t count);
  /// Counts work; raises at the bound.
  void step(std::uint64_t count = 1) {
    if (count > options_.max_steps - steps_) out_of_steps();
    steps_ += count;
  }
  [[nodiscard]] const Options& options() const { return options_; }
  /// What was charged so far, in bytes.
  [[nodiscard]] std::size_t memory() const { return memory_; }

  /// One level of recursion; raises RecursionError when there are too many.
  class Level {
   public:
    explicit Level(Heap& heap) : heap_(heap) {
      if (++heap_.depth_ > kMaxDepth) too_deep(heap_);
    }
    ~Level() { --heap_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Heap& heap_;
  };

 private:
  static constexpr int kMaxDepth = 1000;
  [[noreturn]] static void too_deep(Heap& heap);
  [[noreturn]] void out_of_memory() const;
  [[noreturn]] void out_of_steps() const;

  const Options& options_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::size_t memory_ = 0;
  std::uint64_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace tare::text::jinja
