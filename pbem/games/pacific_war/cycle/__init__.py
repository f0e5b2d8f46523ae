"""The course of operations: months, activation, contact, battle cycles, bids for the initiative."""
