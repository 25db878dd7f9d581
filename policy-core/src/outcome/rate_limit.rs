//! GitHub's rate limit, as its command-line tool runs into it.

use super::Step;

/// What an agent is told, at most once a minute.
pub const RATE_LIMIT_REMINDER: &str = "<system-reminder>GitHub's limit on API requests is reached. It is shared by \
every tool and agent of this account (5,000 requests an hour), so trying again only makes it worse. Run \
`gh api rate_limit` (which is not counted) to see when it resets, and wait until then.</system-reminder>";

/// The commands called GitHub's API and the output tells that its limit is reached.
#[must_use]
pub fn is_rate_limited(steps: &[Step], output: &str) -> bool {
    let calls = steps.iter().any(|step| {
        step.name() == Some("gh")
            && !matches!(
                step.argv.get(1).and_then(|word| word.as_deref()),
                Some(
                    "auth"
                        | "help"
                        | "version"
                        | "alias"
                        | "completion"
                        | "config"
                        | "--version"
                        | "--help"
                )
            )
    });
    const TOLD: [&str; 4] = [
        "api rate limit exceeded",
        "secondary rate limit",
        "rate limit exceeded for",
        "was submitted too quickly",
    ];
    calls && {
        let output = output.to_ascii_lowercase();
        TOLD.iter().any(|told| output.contains(told))
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tests::list, *};

    #[test]
    fn only_for_gh_and_only_when_told() {
        let told = "GraphQL: API rate limit exceeded for user ID 1.";
        assert!(is_rate_limited(&list("gh pr list"), told));
        assert!(is_rate_limited(&list("cd x && gh api repos"), told));
        assert!(!is_rate_limited(&list("gh auth status"), told));
        assert!(!is_rate_limited(&list("cat log"), told));
        assert!(!is_rate_limited(&list("gh pr list"), "no pull requests"));
    }
}
