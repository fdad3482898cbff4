"""Where a person meets the table: commands, line mode and the pieces joined."""
