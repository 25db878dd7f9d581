//! What zsh reads otherwise.
