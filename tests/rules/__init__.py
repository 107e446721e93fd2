"""The rules of the base game, sentence by sentence: `test_bNN_...` checks rule BNN (`table` sets the scene)."""
