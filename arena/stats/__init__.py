"""Statistics of result tables: pure functions, which know tables and never games."""
