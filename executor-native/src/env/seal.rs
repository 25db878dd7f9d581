//! Variables that only children may have: taken out of the host's own environment, given back to commands.
//!
//! A host that is told to use a proxy for its commands must not send its own traffic there by accident.

use std::ffi::OsString;

/// What was taken out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sealed(Vec<(OsString, OsString)>);

/// Proxies and certificates, in both cases of the proxy names.
const NAMES: [&str; 14] = [
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
    "ftp_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "FTP_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
];

impl Sealed {
    /// Nothing sealed.
    pub fn none() -> Self {
        Self::default()
    }

    /// Takes proxy and certificate variables out of this process's environment.
    ///
    /// # Safety
    /// No other thread may run: the environment of a process is not safe to change beside a reader.
    pub unsafe fn from_own_environment() -> Self {
        let mut sealed = Vec::new();
        for name in NAMES {
            if let Some(value) = std::env::var_os(name) {
                // SAFETY: the caller promises that no other thread runs.
                unsafe { std::env::remove_var(name) };
                sealed.push((OsString::from(name), value));
            }
        }
        Self(sealed)
    }

    /// Seals these instead of the process's own.
    pub fn given(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        Self(variables.into_iter().collect())
    }

    /// For the children.
    pub fn variables(&self) -> &[(OsString, OsString)] {
        &self.0
    }
}
