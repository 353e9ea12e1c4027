"""The instructor's side: release, grade, verify and return."""
