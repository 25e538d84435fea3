"""Answers from tables: which cells a question asks for, what is calculated from them, and how it is told.

The path of a question: `question.read` finds its operation, its words and its times; `slices.find` weighs, for each
table, how much of the question its rows, columns and surroundings account for; `answer` sums, counts or compares the
cells of the best slice; `tell` puts the result into words with the rows that it rests on. Every value is one that
stands in a table or follows from some that do.
"""
