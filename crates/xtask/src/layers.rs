//! The layer table of ARCHITECTURE.md against what cargo knows: every crate has a place, and depends only on lower layers
//! or on crates to its left in its own row.

use std::collections::BTreeMap;
use std::path::Path;

use cargo_metadata::{DependencyKind, Metadata, Package};

/// Rows from the bottom up; the last one may be `aside`.
pub struct Table {
    rows: Vec<Row>,
}

struct Row {
    /// Absent for crates beside the layers: tests and automation.
    layer: Option<u32>,
    crates: Vec<String>,
}

/// Layers from this one on are front ends.
const FRONT_ENDS: u32 = 5;

impl Table {
    pub fn read(path: &Path) -> Result<Table, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let rows = parse(&text);
        if rows.is_empty() {
            return Err("ARCHITECTURE.md has no table of layers".to_string());
        }
        Ok(Table { rows })
    }

    /// The crates below the front ends.
    pub fn core(&self) -> Vec<String> {
        let is_core = |row: &&Row| row.layer.is_some_and(|it| it < FRONT_ENDS);
        self.rows
            .iter()
            .filter(is_core)
            .flat_map(|it| it.crates.clone())
            .collect()
    }

    pub fn check(&self, metadata: &Metadata) -> Vec<String> {
        let packages: BTreeMap<&str, &Package> = metadata
            .workspace_packages()
            .into_iter()
            .map(|it| (it.name.as_str(), it))
            .collect();
        let mut wrong = vec![];
        for name in packages.keys().filter(|it| self.place(it).is_none()) {
            wrong.push(format!("ARCHITECTURE.md: the crate `{name}` is in no layer"));
        }
        for name in self.rows.iter().flat_map(|it| &it.crates) {
            match packages.get(name.as_str()) {
                Some(package) => wrong.extend(self.dependencies(package)),
                None => wrong.push(format!("ARCHITECTURE.md: there is no crate `{name}`")),
            }
        }
        wrong
    }

    fn dependencies(&self, package: &Package) -> Vec<String> {
        let mut wrong = vec![];
        let own = self.place(&package.name);
        for dependency in &package.dependencies {
            let Some(other) = self.place(&dependency.name) else {
                continue;
            };
            let allowed = match dependency.kind {
                // Tests may look at anything.
                DependencyKind::Development => true,
                _ => own.is_some_and(|own| self.may_use(own, other)),
            };
            if !allowed {
                wrong.push(format!(
                    "{}: `{}` may not depend on `{}`",
                    package.manifest_path, package.name, dependency.name
                ));
            }
        }
        wrong
    }

    /// Row and column of a crate.
    fn place(&self, name: &str) -> Option<(usize, usize)> {
        let column = |row: &Row| row.crates.iter().position(|it| it == name);
        self.rows
            .iter()
            .enumerate()
            .find_map(|(i, row)| Some((i, column(row)?)))
    }

    fn may_use(&self, own: (usize, usize), other: (usize, usize)) -> bool {
        let is_aside = |at: (usize, usize)| self.rows[at.0].layer.is_none();
        // Crates beside the layers use what they like; nothing in a layer uses them but tests.
        is_aside(own) || !is_aside(other) && other < own
    }
}

/// The rows `| 2 | \`tla-sema\` … | what for |`.
fn parse(text: &str) -> Vec<Row> {
    let mut rows = vec![];
    for line in text.lines() {
        let cells: Vec<&str> = line.trim().trim_matches('|').split('|').map(str::trim).collect();
        let [first, crates, ..] = cells[..] else { continue };
        let layer = match (first.parse(), first) {
            (Ok(layer), _) => Some(layer),
            (Err(_), "aside") => None,
            _ => continue,
        };
        let crates = crates.split('`').skip(1).step_by(2).map(str::to_string).collect();
        rows.push(Row { layer, crates });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let text = "# Text\n\n| layer | crates | job |\n|---|---|---|\n| 0 | `a` `b` | low |\n| 1 | `c` | high |\n| aside | `t` | tests |\n";
        Table { rows: parse(text) }
    }

    #[test]
    fn dependencies_point_down_or_left() {
        let table = table();
        let may =
            |own: &str, other: &str| table.may_use(table.place(own).unwrap(), table.place(other).unwrap());
        assert!(may("c", "a") && may("b", "a") && may("t", "c"));
        assert!(!may("a", "b") && !may("a", "c") && !may("c", "t"));
    }

    #[test]
    fn the_table_of_this_project_is_true() {
        let root = crate::tidy::root();
        let metadata = cargo_metadata::MetadataCommand::new()
            .current_dir(&root)
            .no_deps()
            .exec()
            .expect("metadata");
        let wrong = Table::read(&root.join("ARCHITECTURE.md"))
            .expect("a table")
            .check(&metadata);
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn the_core_is_below_the_front_ends() {
        assert_eq!(table().core(), ["a", "b", "c"]);
    }
}
