//! The Analyzer's file format for instances, so that its visualiser and those of others open ours.
//!
//! One `<instance>` for each state of a trace. Atoms stand in their most specific sig; the atoms of `Int` and `String`
//! are not listed, as the Analyzer does not either.

use trace::{Instance, Relation, RelationKind, SigOrigin};

/// Where an instance comes from.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// `Run show for 3`
    pub command: String,
    pub file: String,
    /// Names and texts of all files of the model.
    pub sources: Vec<(String, String)>,
}

pub fn xml(instance: &Instance, about: &About) -> String {
    let mut text = "<alloy builddate=\"babbage\">\n\n".to_string();
    for state in 0..instance.states.states.len() {
        text += &instance_xml(instance, state, about);
    }
    for (name, content) in &about.sources {
        text += &format!(
            "<source filename=\"{}\" content=\"{}\"/>\n",
            escaped(name),
            escaped(content)
        );
    }
    text + "\n</alloy>\n"
}

fn instance_xml(instance: &Instance, state: usize, about: &About) -> String {
    let n_states = instance.states.states.len();
    let trace = match instance.states.loop_to {
        Some(_) => (1, n_states as i64),
        None => (-1, -1),
    };
    let mut text = format!(
        "<instance bitwidth=\"{}\" maxseq=\"{}\" mintrace=\"{}\" maxtrace=\"{}\" command=\"{}\" filename=\"{}\" \
         tracelength=\"{n_states}\" backloop=\"{}\">\n\n",
        instance.bit_width,
        instance.max_seq,
        trace.0,
        trace.1,
        escaped(&about.command),
        escaped(&about.file),
        instance.states.loop_to.unwrap_or(0),
    );
    let ids = Ids::new(instance);
    for (i, relation) in instance.relations.iter().enumerate() {
        match relation.kind {
            RelationKind::Sig(sig) if instance.sigs[sig].label != "none" => {
                text += &sig_xml(instance, &ids, sig, i, state);
            }
            RelationKind::Sig(_) => {}
            RelationKind::Field(sig) => {
                let parent = format!(" parentID=\"{}\"", ids.sig(sig));
                text += &relation_xml(instance, &ids, "field", relation, i, &parent, state);
            }
            RelationKind::Skolem => {
                text += &relation_xml(instance, &ids, "skolem", relation, i, "", state);
            }
        }
    }
    text + "</instance>\n\n"
}

/// Sigs have the numbers of their places, other relations those after them.
struct Ids {
    n_sigs: usize,
    univ: usize,
}

impl Ids {
    fn new(instance: &Instance) -> Ids {
        Ids {
            n_sigs: instance.sigs.len(),
            univ: instance
                .sigs
                .iter()
                .position(|it| it.label == "univ")
                .unwrap_or(0),
        }
    }

    fn sig(&self, sig: usize) -> usize {
        sig
    }

    fn relation(&self, relation: usize) -> usize {
        self.n_sigs + relation
    }
}

fn sig_xml(instance: &Instance, ids: &Ids, sig: usize, relation: usize, state: usize) -> String {
    let declared = &instance.sigs[sig];
    let parent = match &declared.origin {
        SigOrigin::Builtin { parent } => match parent {
            Some(parent) => Some(*parent),
            None => Some(ids.univ).filter(|&it| it != sig),
        },
        SigOrigin::Top => Some(ids.univ),
        SigOrigin::Extends(parent) => Some(*parent),
        SigOrigin::Subset { .. } => None,
    };
    let parent = parent.map_or(String::new(), |it| format!(" parentID=\"{}\"", ids.sig(it)));
    let is_builtin = matches!(declared.origin, SigOrigin::Builtin { .. });
    let is_exact = matches!(declared.origin, SigOrigin::Subset { is_exact: true, .. });
    let flags = flags(&[
        ("builtin", is_builtin),
        ("abstract", declared.is_abstract),
        ("one", declared.is_one),
        ("lone", declared.is_lone),
        ("some", declared.is_some),
        ("private", declared.is_private),
        ("meta", declared.is_meta),
        ("exact", is_exact),
        ("enum", declared.is_enum),
        ("var", declared.is_var),
    ]);
    let mut text = format!(
        "<sig label=\"{}\" ID=\"{}\"{parent}{flags}>\n",
        escaped(&declared.label),
        ids.sig(sig)
    );
    let is_subset = matches!(declared.origin, SigOrigin::Subset { .. });
    if !is_builtin {
        let in_child = |atom: trace::AtomId| {
            let children = instance
                .relations
                .iter()
                .enumerate()
                .filter(|(_, it)| match it.kind {
                    RelationKind::Sig(child) => instance.sigs[child].origin == SigOrigin::Extends(sig),
                    _ => false,
                });
            children
                .map(|it| it.0)
                .any(|child| instance.tuples(child, state).iter().any(|it| it[0] == atom))
        };
        for tuple in instance.tuples(relation, state) {
            if is_subset || !in_child(tuple[0]) {
                text += &format!("   <atom label=\"{}\"/>\n", escaped(instance.name(tuple[0])));
            }
        }
    }
    if let SigOrigin::Subset { parents, .. } = &declared.origin {
        for &parent in parents {
            text += &format!("   <type ID=\"{}\"/>\n", ids.sig(parent));
        }
    }
    text + "</sig>\n\n"
}

fn relation_xml(
    instance: &Instance,
    ids: &Ids,
    element: &str,
    relation: &Relation,
    index: usize,
    parent: &str,
    state: usize,
) -> String {
    let flags = flags(&[
        ("private", relation.is_private),
        ("meta", relation.is_meta),
        ("var", relation.is_var),
    ]);
    let mut text = format!(
        "<{element} label=\"{}\" ID=\"{}\"{parent}{flags}>\n",
        escaped(&relation.name),
        ids.relation(index)
    );
    for tuple in instance.tuples(index, state) {
        let atoms = tuple
            .iter()
            .map(|&it| format!("<atom label=\"{}\"/> ", escaped(instance.name(it))));
        text += &format!("   <tuple> {}</tuple>\n", atoms.collect::<String>());
    }
    for product in &relation.types {
        let types = product
            .iter()
            .map(|&it| format!("<type ID=\"{}\"/> ", ids.sig(it)));
        text += &format!("   <types> {}</types>\n", types.collect::<String>());
    }
    text + &format!("</{element}>\n\n")
}

fn flags(all: &[(&str, bool)]) -> String {
    let set = all.iter().filter(|it| it.1);
    set.map(|(name, _)| format!(" {name}=\"yes\"")).collect()
}

pub(super) fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => result += "&amp;",
            '<' => result += "&lt;",
            '>' => result += "&gt;",
            '"' => result += "&quot;",
            '\'' => result += "&apos;",
            '\n' | '\t' | '\r' => result += &format!("&#{};", c as u32),
            c if c.is_control() => {}
            c => result.push(c),
        }
    }
    result
}
