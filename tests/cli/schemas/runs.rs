//! The commands whose output is checked: several algorithms, and chess positions, toy trees, mates and broken files.

use algorithms::ALGORITHMS;
use serde_json::Value;

use crate::cli_support::{file, folder, plyscope};

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
const STALEMATE: &str = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDING: &str = "8/5k2/5R2/3Np3/4P3/8/4K3/1r6 b - - 9 63";
const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/R2Q1RK1 w - - 0 9";
const GAME: &str =
    "[Event \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 *\n";
const LABELS: &str = "sample-positions/labels/sample.tsv";
const TOY: &str = "sample-positions/wide-and-narrow.tree";
const LEAVES: &str = "sample-positions/textbook.tree";

/// A machine with a damaged endgame table.
pub fn doctor() -> Vec<Value> {
    let folder = folder("doctor-tables");
    std::fs::write(folder.join("KRvK.rtbw"), "no table").expect("a file");
    let tables = folder.to_string_lossy();
    let words = ["doctor", "--json", "--syzygy", &tables];
    plyscope(&words).clean().json_lines()
}

/// Returns the values that a command prints, given as in a shell; a name of a sample is that of its file.
pub fn printed(command: &str) -> Vec<Value> {
    let root = env!("CARGO_MANIFEST_DIR");
    let words = shell_words::split(command).expect("words");
    let words: Vec<String> = words
        .into_iter()
        .map(|word| match word.starts_with("sample-positions/") {
            true => format!("{root}/{word}"),
            false => word,
        })
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let run = plyscope(&words);
    run.harmless();
    let values = serde_json::Deserializer::from_str(&run.out).into_iter();
    values
        .map(|v| v.unwrap_or_else(|e| panic!("{command}: {e}\n{}", run.err)))
        .collect()
}

fn all(commands: impl IntoIterator<Item = String>) -> Vec<Value> {
    commands.into_iter().flat_map(|c| printed(&c)).collect()
}

/// A file with a mate, a stalemate, a position with a title and a line that cannot be read.
fn mixed() -> String {
    let text =
        format!("{MATE_IN_ONE}; id \"mate\";\n{STALEMATE};\nnonsense/8 w - -\n{KIWIPETE};\n");
    file("schemas.epd", text)
}

fn fens() -> String {
    file("schemas.fen", [START, KIWIPETE, ENDING, QUIET].join("\n"))
}

/// One command for each algorithm.
fn each(command: &str) -> Vec<String> {
    let of = |name: &str| format!("{command} -a {name}");
    ALGORITHMS.iter().map(|row| of(row.name)).collect()
}

/// Another program's search, with a move that the rules do not have.
const ILLEGAL: &str = "tests/fixtures/open_trace/illegal.plytrace";

/// A search with reasons that no fate has.
const TOLD: &str = "tests/fixtures/open_trace/toy_alpha_beta.plytrace";

pub fn search() -> Vec<Value> {
    let mixed = mixed();
    let mut commands = each(&format!("search {mixed} --json --nodes 1500"));
    commands.extend(each(&format!("search {LEAVES} --json --nodes 300")));
    commands.extend(each(&format!("search {TOY} --json --nodes 300")));
    for further in [
        "-a alpha-beta --depth 6 --set audit=2",
        "-a distress --set backup=svfc",
        "-a distress --set backup=three-point",
        "-a distress --set backup-us=log(-N)",
        "-a mcts --set smart-stopping=on --fen '6k1/8/8/8/3R4/8/PP6/K6q w - - 0 1'",
        "-a alpha-beta --time 20ms --threads 2",
    ] {
        commands.push(format!("search --json --nodes 3000 {further}"));
    }
    commands.extend([ILLEGAL, TOLD].map(|trace| format!("search {trace} --json")));
    all(commands)
}

pub fn tree() -> Vec<Value> {
    let mut commands = each(&format!("tree {TOY} --format json"));
    for fen in [MATE_IN_ONE, KIWIPETE, STALEMATE] {
        let tree = format!("tree --fen '{fen}' --format json --nodes 1500 --max-nodes 120");
        commands.extend(each(&tree));
    }
    commands.push(
        "tree -a distress --set backup=svfc --nodes 2000 --max-nodes 60 --format json --from e4"
            .into(),
    );
    commands.push("tree -a distress --nodes 2000 --max-nodes 60 --format json --beliefs".into());
    commands.extend([ILLEGAL, TOLD].map(|trace| format!("tree {trace} --format json")));
    all(commands)
}

pub fn trace() -> Vec<Value> {
    let mut commands = Vec::new();
    for place in [format!("--fen '{KIWIPETE}'"), LEAVES.into(), TOY.into()] {
        commands.extend(each(&format!("trace {place} --nodes 300 --events 400")));
    }
    // What only other programs tell.
    for program in ["toy_alpha_beta", "toy_mcts"] {
        let stream = format!("tests/fixtures/open_trace/{program}.plytrace");
        commands.push(format!("trace {stream} --events 1000"));
    }
    let rare = "try tried audit depth-change table-hit pass pass-done ask answer aim budget";
    let rare: Vec<String> = rare.split(' ').map(|kind| format!("on {kind}")).collect();
    let rare = rare.join(" or ");
    for further in [
        "--set audit=16 --set razoring=on --set prob-cut=on --depth 6",
        "--set driver=mtdf --depth 3",
        "-a distress --set leaf-depth=2",
        "-a conspiracy",
        "-a distress --set descent=budget",
    ] {
        commands.push(format!(
            "trace --fen '{QUIET}' --nodes 10000 --events 1000 --filter '{rare}' {further}"
        ));
    }
    all(commands)
}

pub fn compare() -> Vec<Value> {
    let mixed = mixed();
    all([
        format!("compare {mixed} --json --nodes 2000 --differences 20"),
        format!("compare {TOY} --json --nodes 300 -a alpha-beta -a mcts -a distress"),
        format!("compare --fen '{KIWIPETE}' --json --depth 2 -a alpha-beta -a mcts"),
    ])
}

pub fn suite() -> Vec<Value> {
    let tasks = format!(
        "{MATE_IN_ONE} dm 1; id \"one\";\n{MATE_IN_ONE} am Rd8; id \"two\";\n{KIWIPETE} bm Bxa6; c0 \"Bxa6=10, d6=3\"; id \"three\";\n\
         {QUIET} c0 \"Ne5=10, Qc2=5\"; id \"four\";\n{START} id \"none\";\nnonsense/8 w - - bm e4;\n"
    )
    .replace(" 0 1 ", " ")
    .replace(" 0 9 ", " ");
    let tasks = file("schemas-suite.epd", tasks);
    let columns = "-a alpha-beta -a mcts -a distress --nodes 2000 --json";
    all([
        format!("suite {tasks} {columns}"),
        format!("suite {tasks} {columns} --each"),
    ])
}

pub fn review() -> Vec<Value> {
    let games = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n\
        [White \"C\"]\n\n1. e4 e5 2. Nf3 f6 3. Nxe5 fxe5 4. Qh5+ Ke7 5. Qxe5+ Kf7 6. Bc4+ d5 *\n\n\
        [FEN \"nonsense\"]\n[SetUp \"1\"]\n\n1. e4 *\n\n[White \"D\"]\n\n1. d4 d5 2. Kd7 *\n";
    let games = file("schemas.pgn", games);
    all([format!(
        "review {games} -a alpha-beta -a distress --nodes 300 --json"
    )])
}

pub fn eval() -> Vec<Value> {
    let mixed = mixed();
    all([
        format!("eval {mixed} --json --terms"),
        format!("eval {mixed} --json --pieces --policy --depth 2"),
        format!("eval {TOY} --json"),
        format!("eval --fen '{KIWIPETE}' --json --with network"),
        String::from("eval --fen '8/8/2k5/8/2P5/2K5/8/8 w - - 0 1' --json"),
        String::from("eval --fen '6k1/4P3/5K2/8/8/8/8/8 w - - 0 1' --json"),
    ])
}

pub fn perft() -> Vec<Value> {
    all([
        format!("perft 2 {} --json", mixed()),
        format!("perft 2 {TOY} --json"),
    ])
}

pub fn bench() -> Vec<Value> {
    all([String::from(
        "bench -a alpha-beta -a mcts -a pn --nodes 300 --runs 1 --json",
    )])
}

pub fn futility() -> Vec<Value> {
    let game = file("schemas-lab.pgn", GAME);
    all([
        format!("lab futility {game} --depth 3 --positions 5 --json"),
        format!(
            "lab futility {game} --depth 4 --positions 4 --audit 2 --family linear --family probability --json"
        ),
    ])
}

pub fn differential() -> Vec<Value> {
    let short = "lab differential --playouts 6 --plies 12 --set playout-length=6 --json";
    all([format!("{short} --games 2 --cells 8x0,1x1")])
}

pub fn spread() -> Vec<Value> {
    let game = file("schemas-lab.pgn", GAME);
    all([
        format!("lab spread {game} --positions 2 --nodes 2k --backup r-pick --backup r-opt --json"),
        String::from(
            "lab spread --toy --branching 4 --depth 4 --population 40 --backup r-opt --json",
        ),
    ])
}

pub fn plies() -> Vec<Value> {
    let start = format!(
        "lab plies {} --nodes 4k --set leaf-expand=1 --plies 4 --resamples 50 --label-nodes 200 --label-times 0 --json",
        fens()
    );
    all([start.clone(), format!("{start} --fit")])
}

pub fn refutation() -> Vec<Value> {
    all([String::from(
        "lab refutation --trees 4 --nodes 4k --hidden 2 --resamples 50 -a alpha-beta -a distress --json",
    )])
}

pub fn sweep() -> Vec<Value> {
    let epd = concat!(env!("CARGO_MANIFEST_DIR"), "/sample-positions/tactics.epd");
    all([
        format!("lab sweep {epd} -a mcts --over fpu=0,0.2 --nodes 500 --no-progress --json"),
        format!(
            "lab sweep {epd} -a mcts --over fpu=0 --nodes 100 --shard 1/1000 --no-progress --json"
        ),
    ])
}

pub fn losses() -> Vec<Value> {
    all([String::from(
        "lab losses --games 1 --nodes 40,80 --judge-nodes 300 --resamples 50 --no-progress --json",
    )])
}

/// A search of one node with the wrong value, and a trace that is none.
pub fn grade() -> Vec<Value> {
    let lines = [
        r#"{"plyscope-trace":1,"engine":"e","game":"tic-tac-toe"}"#,
        r#"{"kind":"search","root":"tictactoe x-o/-x-/--o"}"#,
        r#"{"kind":"enter","move":null}"#,
        r#"{"kind":"enter","move":"c2"}"#,
        r#"{"kind":"leave","value":0}"#,
        r#"{"kind":"leave","value":1}"#,
        "",
    ];
    let wrong = file("schemas-grade.plytrace", lines.join("\n"));
    let none = file("schemas-grade-none.plytrace", "");
    all([format!("grade --ready minimax {wrong} {none} --json")])
}

/// An illegal move, and reasons.
pub fn audit() -> Vec<Value> {
    all([format!("audit {ILLEGAL} {TOLD} --json")])
}

pub fn prob_cut() -> Vec<Value> {
    let game = file("schemas-lab.pgn", GAME);
    all([format!(
        "lab prob-cut {game} --depth 4 --positions 8 --json"
    )])
}

pub fn depths() -> Vec<Value> {
    all([format!(
        "lab depths {LABELS} --positions 80 --depth 1 --json"
    )])
}

pub fn cuts() -> Vec<Value> {
    let game = file("schemas-cuts.pgn", GAME);
    all([
        format!("lab cuts {game} --positions 4 --nodes 3000 --json"),
        format!("lab cuts {game} --positions 1 --nodes 10 -a prob-alpha-beta --json"),
    ])
}

pub fn maximum() -> Vec<Value> {
    all(["lab maximum --draws 2 --json".to_owned()])
}

pub fn focus() -> Vec<Value> {
    let game = file("schemas-focus.pgn", GAME);
    all([
        format!("lab focus {game} --positions 4 --nodes 300 --judge-nodes 100 --json"),
        format!("lab focus {game} --positions 1 --nodes 10 --judge-nodes 10 --json"),
    ])
}

pub fn playouts() -> Vec<Value> {
    let game = file("schemas-playouts.pgn", GAME);
    all([
        "lab playouts --positions 12 --playouts 2 --json".to_owned(),
        format!("lab playouts {game} --positions 1 --playouts 1 --json"),
    ])
}

pub fn walks() -> Vec<Value> {
    let game = file("schemas-walks.pgn", GAME);
    all([
        format!("lab walks {game} --positions 12 --plies 4 --nodes 200 --tree 2 --json"),
        format!("lab walks {game} --positions 1 --plies 2 --nodes 0 --tree 0 --json"),
    ])
}

pub fn truth() -> Vec<Value> {
    let truth = "lab truth --board 3x3 --resamples 20 --json";
    all([
        format!("{truth} --every 300 --nodes 100 -a prob-alpha-beta -a alpha-beta -a mcts"),
        format!("{truth} --every 5000 --nodes 1 -a distress -a pn"),
    ])
}

pub fn calibration() -> Vec<Value> {
    let labels = format!("lab calibration {LABELS} --json");
    all([
        format!("{labels} --positions 12 --nodes 300 -a distress -a alpha-beta --kind g"),
        format!("{labels} --positions 90 --nodes 100 -a distress -a mcts --fit-report"),
        format!("{labels} --positions 90 --fit-leaf"),
    ])
}

/// Two courses: one with an author and an assignment, one without.
pub fn course() -> Vec<Value> {
    let folder = folder("schemas-course");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    write(
        "one.toml",
        "algorithm = \"minimax\"\nposition = \"tictactoe\"\n",
    );
    let lessons = "title = \"T\"\nlessons = [\"01-minimax\"]\n";
    let mut all = Vec::new();
    for more in [
        "",
        "author = \"A\"\n[[assignments]]\ntitle = \"B\"\nfile = \"one.toml\"\n",
    ] {
        write("course.toml", &format!("{lessons}{more}"));
        all.extend(printed(&format!(
            "lessons --course {} --json",
            folder.display()
        )));
    }
    all
}

/// A report with answers, and one of a course without any.
pub fn lessons_report() -> Vec<Value> {
    let folder = folder("schemas-report");
    std::fs::write(
        folder.join("course.toml"),
        "title = \"T\"\nlessons = [\"02-alpha-beta\"]\n",
    )
    .expect("a file");
    let course = folder.display();
    let answered =
        crate::classroom::with_progress(&["lessons", "1", "--report", "--json", "--name", "Ada"]);
    let mut all = vec![serde_json::from_str(&answered.clean().out).expect("a report")];
    all.extend(printed(&format!(
        "lessons --course {course} --report --json --name B"
    )));
    all
}

pub fn lessons_collected() -> Vec<Value> {
    let reports = lessons_report();
    let files = (0..)
        .zip(&reports)
        .map(|(i, report)| file(&format!("schemas-report-{i}.json"), report.to_string()));
    printed(&format!(
        "lessons --collect {} --json",
        files.collect::<Vec<_>>().join(" ")
    ))
}
