//! The command line.

use std::path::PathBuf;

pub const USAGE: &str = "\
usage: cargo xtask fuzz --minutes N | --cases N    random specifications in every mode
       cargo xtask fuzz --show SEED                one of them, and what each mode says
       cargo xtask fuzz --again FOLDER             what was kept in a folder, once more
options: --seed S       the first specification
         --jobs N       processes at a time; 1 unless said
         --keep FOLDER  where findings go; target/fuzz unless said
         --peer COMMAND another checker for one case in a hundred, such as 'tlc -workers 1 -config {config} {module}'
         --peer-every N another share of them";

#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    pub minutes: Option<f64>,
    pub cases: Option<u64>,
    pub seed: u64,
    pub jobs: u64,
    pub keep: PathBuf,
    pub peer: Option<String>,
    pub peer_every: u64,
    pub show: Option<u64>,
    pub again: Option<PathBuf>,
    /// This process is a worker, with this number.
    pub worker: Option<u64>,
}

impl Options {
    pub fn parse(arguments: &[String]) -> Option<Options> {
        let mut options = Options {
            minutes: None,
            cases: None,
            seed: 0,
            jobs: 1,
            keep: "target/fuzz".into(),
            peer: None,
            peer_every: 100,
            show: None,
            again: None,
            worker: None,
        };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let value = words.next()?;
            match word.as_str() {
                "--minutes" => options.minutes = Some(value.parse().ok()?),
                "--cases" => options.cases = Some(value.parse().ok()?),
                "--seed" => options.seed = value.parse().ok()?,
                "--jobs" => options.jobs = value.parse().ok().filter(|&it| it > 0)?,
                "--keep" => options.keep = value.into(),
                "--peer" => options.peer = Some(value.clone()),
                "--peer-every" => options.peer_every = value.parse().ok().filter(|&it| it > 0)?,
                "--show" => options.show = Some(value.parse().ok()?),
                "--again" => options.again = Some(value.into()),
                "--worker" => options.worker = Some(value.parse().ok()?),
                _ => return None,
            }
        }
        let is_asked = options.minutes.is_some() || options.cases.is_some();
        let is_question = options.show.is_some() || options.again.is_some();
        (is_asked || is_question || options.worker.is_some()).then_some(options)
    }
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn a_run_needs_an_end() {
        let parse = |it: &str| Options::parse(&it.split(' ').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(parse("--minutes 2 --seed 7").map(|it| it.seed), Some(7));
        assert_eq!(parse("--seed 7"), None);
        assert_eq!(parse("--minutes"), None);
        assert_eq!(parse("--jobs 0 --cases 3"), None);
    }
}
