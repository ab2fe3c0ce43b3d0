//! What the whole body of a function is in its mutants, by the type of its result.

use syn::{GenericArgument, PathArguments, ReturnType, Type};

const INTEGERS: [&str; 12] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize",
];

/// The constants of a type that are worth a mutant; none for a type that nothing is known of.
pub fn constants(result: &ReturnType) -> Vec<String> {
    match result {
        ReturnType::Default => vec![String::new()],
        ReturnType::Type(_, it) => values(it),
    }
}

fn values(it: &Type) -> Vec<String> {
    if matches!(it, Type::Tuple(it) if it.elems.is_empty()) {
        return vec!["()".to_string()];
    }
    let Type::Path(path) = it else { return vec![] };
    let Some(last) = path.path.segments.last() else {
        return vec![];
    };
    let name = last.ident.to_string();
    let of = |values: &[&str]| values.iter().map(|it| it.to_string()).collect();
    match name.as_str() {
        "bool" => of(&["true", "false"]),
        "Option" => of(&["None"]),
        "Vec" => of(&["Vec::new()"]),
        "Result" => first(&last.arguments)
            .map(values)
            .unwrap_or_default()
            .into_iter()
            .map(|it| format!("Ok({it})"))
            .collect(),
        _ if INTEGERS.contains(&name.as_str()) => of(&["0", "1"]),
        _ => vec![],
    }
}

fn first(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else {
        return None;
    };
    arguments.args.iter().find_map(|it| match it {
        GenericArgument::Type(it) => Some(it),
        _ => None,
    })
}
