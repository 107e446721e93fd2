"""Maps in words: what they hold, how their files are read and checked, and how they are drawn."""
