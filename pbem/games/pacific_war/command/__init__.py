"""What headquarters activate, openly or sealed, and what that costs."""
