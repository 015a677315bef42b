#pragma once

#include <stdexcept>
#include <string>
#include <vector>

/*
 * The words of a command, read one after the other. What is wrong is thrown as Mistake, with a text that names the word, what was expected, and what was found.
 */

namespace abut_lammps {

struct Mistake : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Words {
  public:
    Words(char **word, int count) : words_(word, word + count) {}

    bool empty() const { return at_ == words_.size(); }
    /* The next word; empty when there is none. */
    std::string peek() const { return empty() ? std::string() : words_[at_]; }

    /* The next word. `what` says what it is, for the message when there is none. */
    std::string text(const std::string &what);
    /* The next word as a finite number. */
    double number(const std::string &what);
    double positive(const std::string &what);
    double not_negative(const std::string &what);
    double between(const std::string &what, double least, double most);

  private:
    std::vector<std::string> words_;
    std::size_t at_ = 0;
};

/* A number as a person writes it. */
std::string written(double value);

} // namespace abut_lammps
