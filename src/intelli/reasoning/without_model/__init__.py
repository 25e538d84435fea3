"""What verbs give without a model, by plain rules. `adapters.extractive` lists the rules by the verb they are for.

Nothing is fetched, nothing is drawn by lot: the same input gives the same output.
"""
