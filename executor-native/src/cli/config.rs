//! `portcullis config`: where configuration is, what it amounts to, and its schema.

use super::{
    Failure, Outcome,
    args::{ConfigArgs, ConfigVerb},
    print, setup,
};
use crate::{config, engine::facts::project_root};

pub(super) fn run(args: &ConfigArgs) -> Outcome {
    let json = |value: serde_json::Result<String>| match value {
        Ok(text) => {
            let _ = print::line(&text);
            Ok(0)
        }
        Err(error) => Err(Failure::internal(error.to_string())),
    };
    match &args.verb {
        ConfigVerb::Path(args) => {
            let cwd = setup::cwd(args)?;
            let places = config::places(&cwd, &project_root(&cwd));
            for (layer, paths) in [
                ("managed", &places.managed),
                ("local", &places.local),
                ("project", &places.project),
                ("user", &places.user),
            ] {
                for path in paths {
                    let there = if path.exists() { "*" } else { " " };
                    print::safe_line(&format!("{there} {layer:8} {}", path.display()));
                }
            }
            Ok(0)
        }
        ConfigVerb::Show(args) => json(serde_json::to_string_pretty(&setup::policy(args)?.1)),
        ConfigVerb::Trust { file } => {
            config::trust(file).map_err(|fault| Failure::usage(fault.to_string()))?;
            print::safe_line(&format!("{} is trusted as it is now", file.display()));
            Ok(0)
        }
        ConfigVerb::Schema => json(serde_json::to_string_pretty(&config::schema())),
    }
}
