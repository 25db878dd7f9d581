//! Texts bash rejects or would read on from, and what is kept of them.
