//! Files by layer to one policy configuration, and faults of a policy back to their place in a file.

use policy_core::{
    Analysis, ConfigFault as PolicyFault, Decision, Layer, LayerConfig, PolicyConfig, RuleEntry,
    RuleSet, facts::Mode,
};

use super::{ConfigFault, Loaded, Source};

impl Loaded {
    /// The configuration of a policy: all files, and the rules of this call.
    ///
    /// A list holds the rules of every file of its layer in order. A single value is that of the strongest layer that sets
    /// it; an untrusted file sets only what tightens.
    #[must_use]
    pub fn policy(&self, command_line: LayerConfig) -> PolicyConfig {
        let mut config = PolicyConfig {
            command_line,
            ..PolicyConfig::default()
        };
        for source in &self.sources {
            config.commands.extend(
                commands(source)
                    .iter()
                    .cloned()
                    .map(serde_json::Value::Object),
            );
            let Some(layer) = layer_mut(&mut config, source.layer) else {
                continue;
            };
            if source.trusted {
                layer.allow.extend(source.file.rules.allow.iter().cloned());
            }
            layer.ask.extend(source.file.rules.ask.iter().cloned());
            layer.deny.extend(source.file.rules.deny.iter().cloned());
            config
                .rule_sets
                .extend(source.file.rule_sets.iter().map(|set| RuleSet {
                    layer: source.layer,
                    tighten_only: set.tighten_only || !source.trusted,
                    ..set.clone()
                }));
        }
        let strongest =
            |value: fn(&Source) -> bool| self.sources.iter().find(|source| value(source));
        let mode = strongest(|source| {
            source
                .file
                .mode
                .is_some_and(|mode| source.trusted || tightens(mode))
        });
        let analysis = strongest(|source| {
            source
                .file
                .analysis
                .is_some_and(|analysis| source.trusted || analysis == Analysis::Strict)
        });
        let network = strongest(|source| {
            source
                .file
                .ask_network
                .is_some_and(|ask| source.trusted || ask)
        });
        let sensitive = strongest(|source| {
            source
                .file
                .allow_sensitive_reads
                .is_some_and(|allow| source.trusted || !allow)
        });
        config.settings.mode = mode.and_then(|source| source.file.mode).unwrap_or_default();
        config.settings.analysis = analysis
            .and_then(|source| source.file.analysis)
            .unwrap_or_default();
        config.settings.ask_network = network
            .and_then(|source| source.file.ask_network)
            .unwrap_or_default();
        config.settings.allow_sensitive_reads = sensitive
            .and_then(|source| source.file.allow_sensitive_reads)
            .unwrap_or_default();
        config
    }

    /// The fault of a rule as a fault of its file: the file that holds the rule, with line and column.
    #[must_use]
    pub fn locate(&self, fault: &PolicyFault) -> ConfigFault {
        if fault.set.is_some() {
            return self.locate_in_set(fault);
        }
        let mut index = fault.index;
        for source in &self.sources {
            if fault.layer.is_some_and(|layer| layer != source.layer) {
                continue;
            }
            let count = match fault.list {
                Some(decision) => list(source, decision).len(),
                None => commands(source).len(),
            };
            if index >= count {
                index -= count;
                continue;
            }
            let what = if fault.list.is_some() {
                "rule"
            } else {
                "command"
            };
            let found = ConfigFault::new(
                &source.path,
                format!("{what} `{}`: {}", fault.rule, fault.message),
            );
            let found = match position(&source.text, &fault.rule) {
                Some(byte) => found.at(&source.text, byte),
                None => found,
            };
            return match &fault.help {
                Some(help) => found.help(help.clone()),
                None => found,
            };
        }
        ConfigFault::new("command line".as_ref(), fault.to_string())
    }
}

impl Loaded {
    /// The fault of a rule of another tool: in our file, where its pattern stands.
    fn locate_in_set(&self, fault: &PolicyFault) -> ConfigFault {
        let sets = self.sources.iter().flat_map(|source| {
            let layer = source.layer;
            let sets = source.file.rule_sets.iter();
            sets.map(move |set| (source, layer, set))
        });
        let found = sets
            .filter(|(_, layer, set)| {
                Some(*layer) == fault.layer && Some(&set.file) == fault.set.as_ref()
            })
            .find(|(_, _, set)| {
                let rule = set.rules.get(fault.index);
                rule.is_some_and(|rule| rule.rule == fault.rule)
            });
        let Some((source, _, set)) = found else {
            return ConfigFault::new("command line".as_ref(), fault.to_string());
        };
        let message = format!(
            "rule {:?} of the set of `{}`: {}",
            fault.rule, set.file, fault.message
        );
        let found = ConfigFault::new(&source.path, message);
        match position(&source.text, &fault.rule) {
            Some(byte) => found.at(&source.text, byte),
            None => found,
        }
    }
}

/// Whether an untrusted file may set this mode: one that allows no more than the default does.
fn tightens(mode: Mode) -> bool {
    matches!(mode, Mode::Plan | Mode::Build | Mode::DontAsk)
}

fn layer_mut(config: &mut PolicyConfig, layer: Layer) -> Option<&mut LayerConfig> {
    match layer {
        Layer::Managed => Some(&mut config.managed),
        Layer::CommandLine => None,
        Layer::Local => Some(&mut config.local),
        Layer::Project => Some(&mut config.project),
        Layer::User => Some(&mut config.user),
    }
}

/// The rules of a file that are part of its layer's list.
fn list(source: &Source, list: Decision) -> &[RuleEntry] {
    match list {
        Decision::Allow if !source.trusted => &[],
        Decision::Allow => &source.file.rules.allow,
        Decision::Ask => &source.file.rules.ask,
        Decision::Deny => &source.file.rules.deny,
    }
}

/// The command specs of a file that count: an untrusted one could call anything harmless.
fn commands(source: &Source) -> &[serde_json::Map<String, serde_json::Value>] {
    if source.trusted {
        &source.file.commands
    } else {
        &[]
    }
}

/// Where a text stands in the file: as written in a basic string, or letter for letter.
fn position(text: &str, wanted: &str) -> Option<usize> {
    let quoted = serde_json::to_string(wanted).ok()?;
    let inner = quoted.trim_matches('"');
    text.find(&quoted)
        .map(|at| at + 1)
        .or_else(|| text.find(inner))
        .or_else(|| text.find(wanted))
}
