"""`arena verify`: whether a run directory holds what its plan says."""
