"""A language model on this machine: fetched as one verified GGUF file, and served by a process of our own.

`catalogue` knows models by name, `install` fetches and removes them, `supervise` keeps the server of the last
installed one alive. All files are in `<data>/models`; several of our processes may share it.
"""
