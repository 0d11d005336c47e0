//! Nothing but tests: they hold what ARCHITECTURE.md says about this repository. See `tests/tidy.rs`.
