"""The balance study of a map: what is asked, measured and said."""
