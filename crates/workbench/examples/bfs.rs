//! scratch
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use explore::{Model, Sink};
use tla_eval::{model::*, plan::*};
use tla_syntax::config;
use value::Arena;
use workbench::*;
struct Files;
impl Host for Files { fn read(&self, p: &str) -> Result<Vec<u8>, Unreadable> { std::fs::read(p).map_err(|_| Unreadable::Missing) } }
struct Collect { out: Vec<(Vec<u32>, u32)>, bad: Option<u32> , n: u64}
impl Sink for Collect {
    fn needs_hash(&self) -> bool { false }
    fn emit(&mut self, s: &[u32], _: u64, _: Option<(&[u32], u64)>, a: u32) -> ControlFlow<()> { self.n += 1; self.out.push((s.to_vec(), a)); ControlFlow::Continue(()) }
    fn exclude(&mut self, _: u32) -> ControlFlow<()> { self.n += 1; ControlFlow::Continue(()) }
    fn violation(&mut self, p: u32, _: &[u32]) -> ControlFlow<()> { self.bad = Some(p); ControlFlow::Continue(()) }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let opened = open(&args[1], &Files).unwrap_or_else(|(s, d)| { for d in &d { eprintln!("{}", diag::render(d, &s, diag::Style::Plain)); } std::process::exit(2) });
    let mut file = parse_tla(opened, &Files, false);
    for d in &file.diagnostics { eprintln!("{}", diag::render(d, &file.sources, diag::Style::Plain)); }
    if file.has_errors() { std::process::exit(2) }
    let text = std::fs::read_to_string(&args[2]).unwrap();
    let fid = file.sources.add(args[2].clone(), text.clone());
    let (cfg, _) = config::parse(&text, fid);
    let whole = source::Span::new(fid, 0, text.len() as u32);
    let (m, d) = tla_sema::configure(&mut file.spec, &cfg, whole);
    for d in &d { eprintln!("{}", diag::render(d, &file.sources, diag::Style::Plain)); }
    let spec = &file.spec;
    let arena: &'static Arena = Box::leak(Box::new(Arena::new()));
    let arenas: Vec<Arena> = (0..4).map(|_| Arena::new()).collect();
    let plan = Plan::new(spec, &m, arena).unwrap();
    if !plan.temporal_properties.is_empty() || !plan.fairness.is_empty() { eprintln!("temporal {} fairness {}", plan.temporal_properties.len(), plan.fairness.len()); }
    let no = Box::leak(Box::new(NoEffects));
    let arenas: &'static mut Vec<Arena> = Box::leak(Box::new(arenas));
    let model = TlaModel::new(spec, &plan, arena, arenas, no);
    let t = std::time::Instant::now();
    let mut w = model.worker(0);
    let report = |f: explore::Fault| { let e = f.0.downcast::<tla_eval::EvalError>().unwrap(); eprintln!("{:?} at {}", e.kind, file.sources.location(spec.exprs[e.at].span)); for (n, at) in &e.chain { eprintln!("  in {n} from {}", file.sources.location(spec.exprs[*at].span)); } std::process::exit(3) };
    let mut sink = Collect { out: vec![], bad: None, n: 0 };
    if let Err(f) = model.initial(&mut w, &mut sink) { report(f) }
    let mut seen: HashMap<Vec<u32>, u32> = HashMap::new();
    let mut q = VecDeque::new();
    let mut depth_max = 0; let mut out = 0; let mut generated = 0u64; let mut dead = 0;
    let mut add = |s: Vec<u32>, d: u32, w: &mut Worker<'_, 'static>, q: &mut VecDeque<(Vec<u32>, u32)>| {
        if seen.contains_key(&s) { return }
        seen.insert(s.clone(), d);
        match model.inspect(w, &s, d) { Ok(i) => { if let Some(v) = i.violated { println!("violated {:?} at depth {d}", model.property(v)); std::process::exit(1) } if i.expand { q.push_back((s, d)); depth_max = depth_max.max(d) } else { out += 1 } } Err(f) => report(f) }
    };
    generated += sink.n; for (s, _) in std::mem::take(&mut sink.out) { add(s, 1, &mut w, &mut q); }
    while let Some((s, d)) = q.pop_front() {
        sink.n = 0;
        if let Err(f) = model.successors(&mut w, &s, d, &mut sink) { for v in model.decode(&s).iter().zip(&model.program.variables) { eprintln!("{} = {}", v.1, v.0) } report(f) }
        if sink.n == 0 { dead += 1 } generated += sink.n;
        for (s, _) in std::mem::take(&mut sink.out) { add(s, d + 1, &mut w, &mut q); }
    }
    println!("distinct {} generated {generated} depth {depth_max} deadlocks {dead} {:.3}s", seen.len() - out, t.elapsed().as_secs_f64());
}
