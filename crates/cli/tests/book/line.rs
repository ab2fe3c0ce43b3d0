//! Command lines as pages show them, and what they print without what differs from run to run.

/// Words of a command line; single quotes keep one together.
pub fn words(line: &str) -> Vec<String> {
    let mut words = vec![];
    for (i, part) in line.split('\'').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// A line that ends with a time, with `…` for the time.
pub fn without_time(line: &str) -> String {
    match line.rsplit_once(", ") {
        Some((start, time)) if time.ends_with(" s") && time[..time.len() - 2].parse::<f64>().is_ok() => {
            format!("{start}, … s")
        }
        _ => line.to_owned(),
    }
}
