"""Messages in English, one module per area."""
