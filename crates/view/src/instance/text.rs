//! Every relation on a line, as the Analyzer's text view has it.

use trace::{Instance, RelationKind};

use super::arrow;

/// `this/Board={Board$0, Board$1}`, `this/Board<:move={Board$0->X$0}`, `skolem $b={Board$0}`.
pub fn lines(instance: &Instance, state: usize) -> String {
    let mut text = format!("integers of {} bits\n", instance.bit_width);
    for (i, relation) in instance.relations.iter().enumerate() {
        if relation.is_meta {
            continue;
        }
        let name = match relation.kind {
            RelationKind::Sig(sig) => instance.sigs[sig].label.clone(),
            RelationKind::Field(sig) => format!("{}<:{}", instance.sigs[sig].label, relation.name),
            RelationKind::Skolem => format!("skolem {}", relation.name),
        };
        if name == "none" {
            continue;
        }
        let tuples = instance.tuples(i, state).iter();
        let tuples: Vec<String> = tuples.map(|it| arrow(instance, it)).collect();
        text += &format!("{name}={{{}}}\n", tuples.join(", "));
    }
    text
}
