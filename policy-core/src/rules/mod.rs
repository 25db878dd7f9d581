//! The rule language: parse, patterns, layers, matching. Knows no classification.
