"""Is a bot still as strong? The candidate takes the baseline's chair on the same deals against the same field."""
