"""Recheck an edited Word report: compare its sentences and headings with the ones it was written with."""
