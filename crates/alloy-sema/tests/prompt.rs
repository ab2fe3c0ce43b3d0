//! Expressions read after the fact, as an evaluator needs them.

use alloy_sema::ir::{Type, Value};
use alloy_sema::{NoFiles, Options, Resolved, print_expr, print_formula, resolve};
use source::Sources;

fn read(model: &str) -> (Resolved, Sources) {
    let mut sources = Sources::new();
    let resolved = resolve("model.als", model, &NoFiles, &mut sources, Options::default());
    assert!(!resolved.has_errors());
    (resolved, sources)
}

fn show(resolved: &mut Resolved, sources: &mut Sources, text: &str) -> String {
    let (value, diagnostics) = resolved.expression(text, sources);
    match value {
        Some(Value::Expr(it)) => print_expr(&resolved.model, it),
        Some(Value::Formula(it)) => print_formula(&resolved.model, it),
        Some(Value::Int(_)) => "an integer".to_owned(),
        None => diagnostics[0].title.clone(),
    }
}

#[test]
fn expressions_of_each_sort_and_wrong_ones() {
    let (mut resolved, mut sources) =
        read("open util/ordering[A]\nsig A { f: set A }\npred p[x: A] { some x.f }");
    let mut say = |text: &str| show(&mut resolved, &mut sources, text);
    assert_eq!(say("A.f"), "(this/A.this/A<:f)");
    assert_eq!(say("first.p"), "this/p[ordering/first[]]");
    assert_eq!(say("some A\nno f"), "(some this/A and no this/A<:f)");
    assert_eq!(say("#A"), "an integer");
    assert_eq!(say("plus[#A, 1]"), "integer/plus[Int[#this/A], Int[1]]");
    assert_eq!(say("A.g"), "the name `g` is not declared");
    assert_eq!(say("A +"), "expected an expression, found the end of the file");
    assert_eq!(say(""), "expected an expression, found the end of the file");
}

#[test]
fn atoms_are_names_once_bound() {
    let (mut resolved, mut sources) = read("sig A { f: set A }\nsig B { f: set B }");
    assert_eq!(
        show(&mut resolved, &mut sources, "A$0.f"),
        "the name `A$0` is not declared"
    );
    let a = resolved
        .model
        .sigs
        .iter()
        .find(|it| it.1.name.as_str() == "A")
        .unwrap()
        .1
        .ty
        .clone();
    let var = resolved.bind("A$0", &a);
    assert_eq!(resolved.model.vars[var].name.as_str(), "A$0");
    assert_eq!(show(&mut resolved, &mut sources, "A$0.f"), "(A$0.this/A<:f)");
    let pair = Type {
        products: vec![vec![a.products[0][0]; 2].into()],
    };
    resolved.bind("$r", &pair);
    assert_eq!(show(&mut resolved, &mut sources, "A$0.$r"), "(A$0.$r)");
}

#[test]
fn a_resolved_model_can_move_to_another_thread() {
    fn check<T: Send + Sync>() {}
    check::<Resolved>();
}
