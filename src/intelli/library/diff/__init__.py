"""Diffs between texts: line matching, unified output, and the comparison of two document versions."""
