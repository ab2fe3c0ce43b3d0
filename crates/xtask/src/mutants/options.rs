//! What `cargo xtask mutants` is asked for.

pub struct Options {
    /// Parts of paths; a file with one of them is looked at.
    pub files: Vec<String>,
    pub list: bool,
    /// What earlier runs found, and nothing more.
    pub known: bool,
    /// Survivors, and what no test reached, once more: there are new tests.
    pub again: bool,
    /// Mutants that are explained, too: whether a test notices one all the same.
    pub explained: bool,
    pub minutes: Option<u64>,
    /// This one of so many parts of the mutants.
    pub shard: (usize, usize),
    pub jobs: usize,
    /// The test programs that are built and used, `package` or `package/target`; without any, those of all crates that are under test.
    pub by: Vec<String>,
    /// Tests that take longer than so many seconds are not used.
    pub slowest: f64,
    /// Parts of titles; a test with one of them is not used.
    pub without: Vec<String>,
    /// A mutant has survived once tests of so many seconds did not notice it.
    pub enough: f64,
}

pub const HELP: &str = "\
usage: cargo xtask mutants [options]

Changes the program in one place at a time and asks whether some test notices.

  --file PART      only files whose path contains this; may be repeated
  --crate NAME     only files of this crate; may be repeated
  --list           tells the mutants and runs nothing
  --known          tells what earlier runs found and runs nothing
  --again          survivors and what no test reached once more, after tests were added
  --explained      what equivalent.md explains is tried, too, and told where a test notices it all the same
  --minutes N      stops after so long; another run goes on
  --shard I/N      only this part of the mutants (1/4 … 4/4)
  --jobs N         so many at a time (2)
  --slowest N      uses no test that takes longer than so many seconds (30)
  --by TESTS       builds and uses the tests of this crate only, or one program of them (tla-eval, workbench/answers); may be repeated
  --without PART   uses no test whose title contains this; may be repeated
  --enough N       a mutant has survived once tests of so many seconds did not notice it; no limit without this";

impl Options {
    pub fn parse(arguments: &[&str]) -> Result<Options, String> {
        let mut options = Options {
            files: vec![],
            list: false,
            known: false,
            again: false,
            explained: false,
            minutes: None,
            shard: (0, 1),
            jobs: 2,
            by: vec![],
            slowest: 30.0,
            without: vec![],
            enough: f64::INFINITY,
        };
        let mut arguments = arguments.iter();
        while let Some(&argument) = arguments.next() {
            let mut value = || {
                let value = arguments.next().copied();
                value.ok_or_else(|| format!("{argument} needs a value\n\n{HELP}"))
            };
            match argument {
                "--file" => options.files.push(value()?.to_string()),
                "--crate" => options.files.push(format!("crates/{}/", value()?)),
                "--list" => options.list = true,
                "--known" => options.known = true,
                "--again" => options.again = true,
                "--explained" => options.explained = true,
                "--minutes" => options.minutes = Some(number(value()?)?),
                "--jobs" => options.jobs = number(value()?)?,
                "--by" => options.by.push(value()?.to_string()),
                "--without" => options.without.push(value()?.to_string()),
                "--enough" => options.enough = number(value()?)?,
                "--slowest" => options.slowest = number(value()?)?,
                "--shard" => {
                    let (part, of) = value()?.split_once('/').ok_or("--shard is I/N")?;
                    let (part, of) = (number::<usize>(part)?, number::<usize>(of)?);
                    if part == 0 || part > of {
                        return Err("--shard is I/N with I from 1 to N".to_string());
                    }
                    options.shard = (part - 1, of);
                }
                _ => return Err(HELP.to_string()),
            }
        }
        Ok(options)
    }

    pub fn takes(&self, file: &str) -> bool {
        self.files.is_empty() || self.files.iter().any(|it| file.contains(it))
    }
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| format!("{text} is not the number it should be"))
}
