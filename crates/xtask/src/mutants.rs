//! `cargo xtask mutants`: which changes of the program does no test notice?
//!
//! To build the program anew for each mutant takes a minute each. Here all mutants are in one program, and a variable of the
//! environment says which one lives (`switch.rs`). Each test is run once without a mutant to learn what it reaches; a mutant then meets the
//! tests that reach it, the quickest first, until one fails.

mod compile;
mod constants;
mod explained;
mod find;
mod options;
mod report;
mod results;
mod site;
mod suite;
mod tree;
mod trial;

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use compile::File;
use explained::Explained;
use options::{HELP, Options};
use report::{Known, Told};
use results::{Fate, Results};
use site::{Mutant, Site};
use tree::Tree;
use trial::{Ended, Test};

pub fn run(arguments: &[&str]) -> ExitCode {
    if arguments == ["--help"] {
        println!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match Options::parse(arguments).and_then(|it| work(&it)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing survived.
fn work(options: &Options) -> Result<bool, String> {
    let tree = Tree::new(crate::tidy::root());
    let explained = Explained::read()?;
    let mut files = files(&tree)?;
    if let Some(name) = explained
        .files()
        .find(|it| files.iter().all(|file| file.name != *it))
    {
        return Err(format!("equivalent.md is about {name}, which is not under test"));
    }
    for (name, entry) in explained.stale(&files) {
        eprintln!("equivalent.md explains what no mutant of {name} is: {entry}");
    }
    if options.list {
        list(options, &files);
        return Ok(true);
    }
    if options.known {
        compile::leave_out_known(&tree, &mut files);
        let results = Results::read(tree.folder.join("results.json"));
        return Ok(tell(&candidates(options, &files), &explained, &results));
    }
    std::fs::create_dir_all(&tree.folder).map_err(|it| it.to_string())?;
    tree.seed(&members(&tree))
        .map_err(|it| format!("target cannot be seeded: {it}"))?;
    let programs = compile::build(&tree, &mut files, options)?;
    let tests = suite::measure(&programs, &tree.folder, options)?;
    for test in tests.iter().filter(|it| !it.passes) {
        eprintln!("not used: {} fails without a mutant", test.title);
    }
    for test in tests.iter().filter(|it| it.passes && it.cpu > options.slowest) {
        eprintln!("not used: {} takes {:.0} s", test.title, test.cpu);
    }
    let tests: Vec<Test> = tests
        .into_iter()
        .filter(|it| it.passes && it.cpu <= options.slowest)
        .collect();
    let results = Results::read(tree.folder.join("results.json"));
    let all: Vec<Candidate<'_>> = candidates(options, &files);
    try_all(options, &all, &tests, &explained, &results);
    Ok(tell(&all, &explained, &results))
}

/// Whether nothing survived.
fn tell(all: &[Candidate<'_>], explained: &Explained, results: &Results) -> bool {
    contradicted(all, explained, results);
    let known = all.iter().map(|it| (it.told(), it.known(explained, results)));
    report::print(&known.collect::<Vec<_>>())
}

/// A mutant with what is around it.
struct Candidate<'f> {
    file: &'f File,
    site: &'f Site,
    mutant: &'f Mutant,
    /// By what it is known as long as its file is what it was.
    key: String,
}

impl Candidate<'_> {
    fn told(&self) -> Told {
        Told {
            file: self.file.name.clone(),
            line: self.site.line,
            column: self.site.column,
            function: self.site.function.clone(),
            original: self.mutant.original.clone(),
            replacement: self.mutant.replacement.clone(),
        }
    }

    fn known(&self, explained: &Explained, results: &Results) -> Known {
        match results.get(&self.key) {
            Some(it @ Fate::Killed { .. }) => Known::Fate(it),
            _ if explained.has(&self.file.name, self.site, self.mutant) => Known::Explained,
            Some(it) => Known::Fate(it),
            None => Known::Open,
        }
    }
}

/// Tells what is explained though a test notices it.
fn contradicted(all: &[Candidate<'_>], explained: &Explained, results: &Results) {
    for it in all {
        if let Some(Fate::Killed { how, by }) = results.get(&it.key)
            && explained.has(&it.file.name, it.site, it.mutant)
        {
            println!("explained, but {how}: {} by {by}", it.told().text());
        }
    }
}

fn files(tree: &Tree) -> Result<Vec<File>, String> {
    let mut files = vec![];
    let mut next = 0;
    for name in tree.files_under_test() {
        let path = tree.from.join(&name);
        let text = std::fs::read_to_string(path).map_err(|it| format!("{name}: {it}"))?;
        let sites = find::find(&text, next).map_err(|it| format!("{name}: {it}"))?;
        next += sites.iter().map(|it| it.mutants.len() as u32).sum::<u32>();
        files.push(File { name, text, sites });
    }
    Ok(files)
}

fn list(options: &Options, files: &[File]) {
    let all = candidates(options, files);
    for it in &all {
        println!("{}", it.told().text());
    }
    println!(
        "{} mutants, before those that do not compile are dropped",
        all.len()
    );
}

fn members(tree: &Tree) -> Vec<String> {
    let folders = std::fs::read_dir(tree.from.join("crates")).into_iter().flatten();
    folders
        .filter_map(|it| it.ok()?.file_name().into_string().ok())
        .collect()
}

fn candidates<'f>(options: &Options, files: &'f [File]) -> Vec<Candidate<'f>> {
    let mut all = vec![];
    for file in files.iter().filter(|it| options.takes(&it.name)) {
        let mut hasher = DefaultHasher::new();
        // A new unit test leaves what is known of the file as it is.
        let code = file
            .text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        code.hash(&mut hasher);
        let hash = hasher.finish();
        for site in &file.sites {
            for mutant in &site.mutants {
                let (line, column) = (site.line, site.column);
                let key = format!("{}:{line}:{column}:{}:{hash:x}", file.name, mutant.replacement);
                all.push(Candidate {
                    file,
                    site,
                    mutant,
                    key,
                });
            }
        }
    }
    let (part, of) = options.shard;
    all.into_iter()
        .enumerate()
        .filter(|it| it.0 % of == part)
        .map(|it| it.1)
        .collect()
}

/// Tries what is not known yet.
fn try_all(
    options: &Options,
    all: &[Candidate<'_>],
    tests: &[Test],
    explained: &Explained,
    results: &Results,
) {
    let start = Instant::now();
    let queue: Vec<&Candidate<'_>> = all
        .iter()
        .filter(|it| match it.known(explained, results) {
            Known::Open => true,
            Known::Explained => options.explained && (options.again || results.get(&it.key).is_none()),
            Known::Fate(Fate::Survived | Fate::NotReached) => options.again,
            _ => false,
        })
        .collect();
    let n = queue.len();
    let queue = Mutex::new(queue.into_iter().enumerate());
    let kills: Mutex<Kills<'_>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                while let Some((number, it)) = { queue.lock().expect("no panic").next() } {
                    if options
                        .minutes
                        .is_some_and(|it| start.elapsed() > Duration::from_secs(it * 60))
                    {
                        break;
                    }
                    let fate = fate(it, tests, options.enough, &kills);
                    eprintln!("{}/{n} {}: {fate:?}", number + 1, it.told().text());
                    results.put(&it.key, fate);
                }
            });
        }
    });
}

/// How many mutants of a file each test has killed; the second text is its title.
type Kills<'t> = HashMap<(&'t str, &'t str), u32>;

/// What becomes of a mutant. Tests that are quick, or have killed many of this file before, come first.
fn fate<'t>(it: &Candidate<'t>, tests: &'t [Test], enough: f64, kills: &Mutex<Kills<'t>>) -> Fate {
    let id = it.mutant.id;
    let file = it.file.name.as_str();
    let mut those: Vec<(f64, &Test)> = {
        let kills = kills.lock().expect("no panic");
        let reaching = tests.iter().filter(|it| it.reached.binary_search(&id).is_ok());
        let n_kills = |it: &'t Test| *kills.get(&(file, it.title.as_str())).unwrap_or(&0);
        let cost = |it: &'t Test| (it.cpu + 0.02) / f64::from(1 + n_kills(it));
        reaching.map(|it| (cost(it), it)).collect()
    };
    if those.is_empty() {
        return Fate::NotReached;
    }
    those.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut spent = 0.0;
    for (_, test) in those {
        if spent > enough {
            break;
        }
        spent += test.cpu;
        let how = match trial::with_mutant(test, id) {
            Ended::Passed => continue,
            Ended::Failed => "failed",
            Ended::TimedOut => "timed out",
            Ended::Crashed => "crashed",
        };
        *kills
            .lock()
            .expect("no panic")
            .entry((file, &test.title))
            .or_default() += 1;
        return Fate::Killed {
            how: how.to_string(),
            by: test.title.clone(),
        };
    }
    Fate::Survived
}
