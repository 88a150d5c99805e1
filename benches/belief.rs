//! Back-ups and leaves. `cargo bench --bench belief`; figures are per back-up of `N` children, or per leaf.
//!
//! `typical` children are leaves as in a search; `whole` ones have mass down to the lowest bin, so that the kernel
//! cannot skip anything. Cold: a random block of children in 256 MiB.

use std::hint::black_box;

use belief::{BackUp, Cdf, Density, Grid, LeafTable, Path, Rule, Ties, leaf};
use divan::Bencher;

fn main() {
    divan::main();
}

const N: usize = 32;

/// Xorshift: the same children in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Uniform in -1..1.
    fn signed(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }
}

fn typical(count: usize) -> Vec<Cdf> {
    let (table, mut random) = (LeafTable::new(&Grid::sinh()), Random(0x9e37_79b9_7f4a_7c15));
    let leaf = |_| table.get(1.2 * random.signed() - 0.4, 0.3 + 0.1 * random.signed());
    (0..count).map(leaf).collect()
}

fn whole(count: usize) -> Vec<Cdf> {
    let part = [Density::atom(0), Density::uniform()];
    let child = Density::mixture(&[0.9, 0.1], &part).map(|d| d.cdf());
    vec![child.unwrap_or(Cdf::atom(0)); count]
}

fn paths() -> Vec<&'static str> {
    Path::all().into_iter().map(Path::name).collect()
}

fn path(name: &str) -> Path {
    let found = Path::all().into_iter().find(|p| p.name() == name);
    found.unwrap_or(Path::Plain)
}

fn hot(bencher: Bencher, mut back_up: BackUp, children: &[Cdf]) {
    let mut policy = vec![0.0; children.len()];
    bencher.bench_local(|| {
        let out = back_up.run(black_box(children), &mut policy);
        black_box(&policy);
        out
    });
}

#[divan::bench(args = paths())]
fn hot_typical(bencher: Bencher, name: &str) {
    let back_up = BackUp::with_path(Rule::default(), Ties::Split, path(name));
    hot(bencher, back_up, &typical(N));
}

#[divan::bench(args = paths())]
fn hot_whole(bencher: Bencher, name: &str) {
    let back_up = BackUp::with_path(Rule::default(), Ties::Split, path(name));
    hot(bencher, back_up, &whole(N));
}

#[divan::bench(args = paths(), sample_count = 2000)]
fn cold_typical(bencher: Bencher, name: &str) {
    cold(bencher, name, &typical(N * 64));
}

#[divan::bench(args = paths(), sample_count = 2000)]
fn cold_whole(bencher: Bencher, name: &str) {
    cold(bencher, name, &whole(N * 64));
}

/// A random block of children each time.
fn cold(bencher: Bencher, name: &str, some: &[Cdf]) {
    let count = (256 << 20) / size_of::<Cdf>();
    let arena: Vec<Cdf> = some.iter().copied().cycle().take(count).collect();
    let mut back_up = BackUp::with_path(Rule::default(), Ties::Split, path(name));
    let (mut policy, mut random) = ([0.0; N], Random(7));
    bencher.bench_local(|| {
        let block = random.next() as usize % (count / N);
        let out = back_up.run(&arena[block * N..][..N], &mut policy);
        black_box(&policy);
        out
    });
}

#[divan::bench(args = Rule::EXAMPLES)]
fn rules(bencher: Bencher, rule: &Rule) {
    hot(bencher, BackUp::new(*rule, Ties::Split), &typical(N));
}

#[divan::bench(args = [2, 5, 12, 60, 218])]
fn children(bencher: Bencher, count: usize) {
    let back_up = BackUp::new(Rule::default(), Ties::Split);
    hot(bencher, back_up, &typical(count));
}

#[divan::bench]
fn essay_ties(bencher: Bencher) {
    hot(
        bencher,
        BackUp::new(Rule::default(), Ties::Essay),
        &typical(N),
    );
}

#[divan::bench]
fn leaf_table(bencher: Bencher) {
    let table = LeafTable::new(&Grid::sinh());
    bencher.bench_local(|| table.get(black_box(0.37), black_box(0.31)));
}

#[divan::bench]
fn leaf_formula(bencher: Bencher) {
    let grid = Grid::sinh();
    bencher.bench_local(|| leaf(&grid, black_box(0.37), black_box(0.31)));
}

#[divan::bench]
fn negated(bencher: Bencher) {
    let cdf = leaf(&Grid::sinh(), 0.37, 0.31);
    bencher.bench_local(|| black_box(&cdf).negated());
}

#[divan::bench]
fn mean(bencher: Bencher) {
    let grid = Grid::sinh();
    let cdf = leaf(&grid, 0.37, 0.31);
    bencher.bench_local(|| black_box(&cdf).mean(&grid));
}

#[divan::bench]
fn clamp(bencher: Bencher) {
    let cdf = leaf(&Grid::sinh(), 0.37, 0.31);
    bencher.bench_local(|| black_box(&cdf).clamp_to(black_box(31), 62));
}
