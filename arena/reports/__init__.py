"""A run in words and pictures: text, Markdown, HTML, CSV and JSON."""
