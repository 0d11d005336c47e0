//! Calls that are done by summaries against calls whose bodies are run: the same cases, conditions and verdicts.

mod same;
mod source;
