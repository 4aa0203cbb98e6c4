"""Messages in Mexican Spanish, one module per area."""
