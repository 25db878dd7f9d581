//! What is wrong with a configuration file, and where.

use std::path::{Path, PathBuf};

/// One fault: file, position, what, what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigFault {
    /// The file.
    pub path: PathBuf,
    /// Line and column, from 1, where known; columns count characters.
    pub position: Option<(usize, usize)>,
    /// One line, lower case, input in backticks.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl ConfigFault {
    /// A fault of a whole file.
    #[must_use]
    pub fn new(path: &Path, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            position: None,
            message: message.into(),
            help: None,
        }
    }

    /// The same at a byte of the file's text.
    #[must_use]
    pub fn at(mut self, text: &str, byte: usize) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        self.position = Some((line, column));
        self
    }

    /// The same at a line and column, both from 1.
    #[must_use]
    pub fn at_line(mut self, line: usize, column: usize) -> Self {
        self.position = Some((line, column.max(1)));
        self
    }

    /// The same with advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl std::fmt::Display for ConfigFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some((line, column)) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\n  help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigFault {}
