//! executor-native
