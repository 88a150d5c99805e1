//! Lessons: the built-in ones pass their checks, faulty ones are refused with file and line, and measures mean what
//! they say.

use algorithms::Algorithm;
use common::backed_up;
use games::samples;
use session::breakpoint::{Measure, Predicate, Still};
use session::{Config, Session};
use studies::lesson::check::{STEPS, check};
use studies::lesson::script::{Script, still};
use studies::lesson::{Fact, Facts, Glossary, Lesson, Run, Target, built_in};

#[test]
fn every_lesson_holds() {
    let glossary = Glossary::built_in().expect("a glossary");
    let lessons = built_in();
    assert!(!lessons.is_empty());
    for lesson in lessons {
        let lesson = lesson.expect("a lesson that can be read");
        let faults = check(&lesson, &glossary).err().unwrap_or_default();
        let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert!(told.is_empty(), "{}", told.join("\n"));
        // What its text reads off the screen is shown, as its check tells.
        assert!(lesson.shows.is_some(), "{}: shows is missing", lesson.name);
        let steps = lesson.steps.len();
        assert!(STEPS.contains(&steps), "{}: {steps} steps", lesson.name);
        assert!(
            3 * lesson.questions() >= steps,
            "{}: it asks too little",
            lesson.name
        );
        // Its text goes on from an answer, which the search has to give.
        let asked = lesson
            .steps
            .iter()
            .filter_map(|step| step.question.as_ref());
        for question in asked {
            assert!(
                question.expect.is_some(),
                "{}:{}: no expect",
                lesson.name,
                question.line
            );
        }
        assert!(
            !lesson.sources.is_empty() && lesson.minutes > 0,
            "{}",
            lesson.name
        );
    }
}

#[test]
fn every_term_has_a_name_of_its_own_and_a_source() {
    let glossary = Glossary::built_in().expect("a glossary");
    let mut names: Vec<String> = Vec::new();
    for term in &glossary.terms {
        assert!(
            term.text.len() > 20 && term.source.len() > 3,
            "{}",
            term.name
        );
        names.extend(
            [&term.name]
                .into_iter()
                .chain(&term.also)
                .map(|n| n.to_lowercase()),
        );
    }
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count, "a name stands for two terms");
    assert!(glossary.find("minimax").is_some() && glossary.find("no such thing").is_none());
}

const FRONT: &str = "---\ntitle: T\nteaches: x\nminutes: 1\nsources: s\n---\n";
const SETUP: &str = "## One\n```setup\nsample: textbook.tree\nalgorithm: alpha-beta\n```\n";

fn refused(text: &str) -> String {
    match Lesson::read("l.md", text.as_bytes()) {
        Ok(_) => panic!("read: {text}"),
        Err(e) => e.to_string(),
    }
}

/// What is written after a setup (from line 12 on), and why it is refused.
#[test]
fn a_wrong_lesson_is_refused_with_file_line_and_what_was_expected() {
    let text = |rest: &str| format!("{FRONT}{SETUP}{rest}");
    for (rest, told) in [
        ("", "l.md:7: found no text, expected what the step says"),
        (
            "Hi **{value of root}**",
            "l.md:12:6: found \"{\", expected plain words between ** and **",
        ),
        (
            "Hi\n```question\nask: ?\n- a :: leaves = 7\n- b :: leaves = 9\nexpect: 3\n```",
            "l.md:17:9: found \"3\", expected the number of a choice, 1 to 2",
        ),
        ("Hi {value of \"Z\"}", "l.md:12:15: found \"Z\", expected"),
        (
            "Hi\nyou {valeu}",
            "l.md:13:6: found \"valeu\", expected one of: value",
        ),
        (
            "Hi {value",
            "l.md:12:4: found \"{value\", expected } at the end of a placeholder",
        ),
        (
            "Hi **there",
            "l.md:12:4: found \"**there\", expected ** at the end",
        ),
        ("Hi {1 ; x}", "found \"x\", expected %, +, .2"),
        (
            "```rum\n```\nHi",
            "l.md:12:4: found \"rum\", expected one of setup",
        ),
        (
            "```run\nto: on cutof\n```\nHi",
            "l.md:13:8: found \"cutof\", expected one of: cutoff",
        ),
        (
            "```run\nfro: end\n```\nHi",
            "l.md:13:1: found \"fro\", expected one of to, times",
        ),
        (
            "```run\nto:\n```\nHi",
            "l.md:13:4: found nothing, expected a value",
        ),
        (
            "```run\nto end\n```\nHi",
            "l.md:13:1: found \"to end\", expected key: value",
        ),
        (
            "```show\nview: map\n```\nHi",
            "found \"map\", expected one of tree, drawing",
        ),
        (
            "```show\nadds: windos\n```\nHi",
            "l.md:13:7: found \"windos\", expected one of values, windows",
        ),
        (
            "Hi\n```question\nask: ?\nhint: {valeu}\nnumber: leaves\n```",
            "l.md:15:8: found \"valeu\", expected one of: value",
        ),
        (
            "```show\nmark: \"A\" b\n```\nHi",
            "found \"b\", expected places in quotation marks",
        ),
        (
            "Hi\n```question\nask: Which?\n```",
            "l.md:13: found no answer",
        ),
        (
            "Hi\n```question\nask: Which?\nrow: next\n```",
            "expected with it reveal",
        ),
        (
            "Hi\n```question\nask: Which?\n- a\n- b\n```",
            "l.md:15:3: found \"a\", expected - text :: claim",
        ),
        (
            "Hi\n```question\nask: ?\n- a :: leaves > 1\n- b :: leaves\n```",
            "expected one of",
        ),
        (
            "Hi\n```question\nask: ?\nnumber: has(cut) of \"A\"\n```",
            "found \"cut\", expected one of: unvisited",
        ),
        (
            "Hi\n```question\nask: ?\nrow: most visits\n```",
            "expected next, most MEASURE in PLACE",
        ),
        (
            "Hi\n```show\nview: tree\n```\n```show\nview: tree\n```",
            "l.md:16: found a second show",
        ),
    ] {
        let text = text(rest);
        let error = refused(&text);
        assert!(error.contains(told), "{rest:?}\n{error}\n{told}");
        assert!(error.starts_with("l.md:"), "{error}");
    }
    for (text, told) in [
        (
            "",
            "l.md: found nothing, expected --- and the lesson's title",
        ),
        ("# Hi", "l.md:1: found \"# Hi\", expected ---"),
        (
            "---\ntitle: T\n",
            "l.md:2: found the end, expected --- after",
        ),
        (
            "---\ntitel: T\n---\n",
            "l.md:2:1: found \"titel\", expected one of title",
        ),
        (FRONT, "expected ## and a step's heading"),
        (
            "---\ntitle: T\nteaches: x\nminutes: few\nsources: s\n---\n## A\n```setup\nalgorithm: mcts\n```\nHi",
            "l.md:4:10: found \"few\", expected a number",
        ),
    ] {
        let error = refused(text);
        assert!(error.contains(told), "{error}\n{told}");
    }
    for (setup, told) in [
        (
            "sample: nothing\nalgorithm: mcts",
            "l.md:9:9: found \"nothing\", expected one of figure1.tree",
        ),
        (
            "sample: textbook.tree\nalgorithm: max",
            "l.md:10:12: found \"max\", expected one of alpha-beta",
        ),
        ("sample: textbook.tree", "l.md:8: found \"no algorithm\""),
        ("fen: 8/8 w\nalgorithm: mcts", "l.md:9:"),
        (
            "algorithm: mcts\nset: exploration=much",
            "l.md:10:6: found \"exploration=much\"",
        ),
        (
            "algorithm: mcts\nmoves: e4 e5 Ke3",
            "l.md:10:14: found \"Ke3\"",
        ),
        (
            "algorithm: mcts\nnodes: few",
            "l.md:10:8: found \"few\", expected a number",
        ),
        (
            "fen: 8/8 w\nsample: a\nalgorithm: mcts",
            "several positions",
        ),
        (
            "sample: tactics.epd\nentry: 99\nalgorithm: mcts",
            "found \"99\", expected 1 to",
        ),
    ] {
        let error = refused(&format!("{FRONT}## One\n```setup\n{setup}\n```\nHi"));
        let told = told.replace("\"no algorithm\"", "no algorithm");
        assert!(error.contains(&told), "{setup:?}\n{error}\n{told}");
    }
    // A step without a search to look at, and a tree that cannot be read.
    assert!(refused(&format!("{FRONT}## One\nHi")).contains("l.md:7: found no setup"));
    let tree = format!("{FRONT}## One\n```setup\nalgorithm: mcts\n```\n```tree\nmax\na\n```\nHi");
    assert!(refused(&tree).starts_with("l.md:13"), "{}", refused(&tree));
}

#[test]
fn what_does_not_hold_is_told() {
    let glossary = Glossary::built_in().expect("a glossary");
    for (rest, told) in [
        (
            "Hi [[no such term]]",
            "l.md:12: found [[no such term]], expected a term",
        ),
        (
            "```run\nto: on cutoff at \"A\"\n```\nHi",
            "l.md:13: found the search's end",
        ),
        (
            "Hi {value of \"A\"}",
            "l.md:12: found nothing for {value of \"A\"}",
        ),
        ("```show\nselect: \"A a1\"\n```\nHi", "l.md:7: found no row"),
        (
            "Hi\n```question\nask: ?\n- a :: leaves >= 0\n- b :: total >= 0\n```",
            "found several choices that hold (1, 2), expected one",
        ),
        (
            "Hi\n```question\nask: ?\nreveal: end\n- a :: leaves = 8\n- b :: leaves = 9\n```",
            "found no choice that holds",
        ),
        (
            "Hi\n```question\nask: ?\nnumber: r_opt of root\n```",
            "found no number",
        ),
        (
            "```run\nto: end\n```\nHi\n```question\nask: ?\nrow: most ply in root\n```",
            "two moves with the same figure",
        ),
        // The search answers otherwise than the author expects.
        (
            "Hi\n```question\nask: ?\nreveal: end\nnumber: leaves\nexpect: 9\n```",
            "l.md:13: found the answer 7, expected 9",
        ),
        (
            "Hi\n```question\nask: ?\nreveal: end\n- a :: leaves = 7\n- b :: leaves = 9\nexpect: 2\n```",
            "found the answer 1 (leaves = 7), expected 2 (leaves = 9)",
        ),
        (
            "Hi\n```question\nask: ?\nreveal: on enter at \"B\"\nrow: next\nexpect: C\n```",
            "found the answer B, expected C",
        ),
    ] {
        let text = format!("{FRONT}{SETUP}{rest}");
        let lesson = Lesson::read("l.md", text.as_bytes()).expect("it can be read");
        let faults = check(&lesson, &glossary).expect_err("it does not hold");
        let first = faults[0].to_string();
        assert!(first.contains(told), "{rest:?}\n{first}\n{told}");
    }
}

/// A built-in toy tree after its search.
fn searched(sample: &str, algorithm: Algorithm, set: &[&str]) -> Session {
    let sample = samples::find(sample).expect("a sample");
    let document = sample.open().expect("it opens");
    let (_, entry) = document.first_entry().expect("an entry");
    let mut config = Config::new(algorithm);
    for pair in set {
        config.options.set_pair(pair).expect("an option");
    }
    let mut session = Session::start_paused(entry.subject(), config);
    let mut script = Script::new([Run {
        line: 0,
        to: Target::End,
    }]);
    while !script.is_done() {
        session.tend();
        script.tend(&mut session).expect("it ends");
    }
    session
}

fn measure(still: &Still, text: &str) -> Option<f64> {
    let measure = Measure::parse(text, still.reader.subject);
    measure.unwrap_or_else(|e| panic!("{text}: {e}")).of(still)
}

fn holds(still: &Still, text: &str) -> bool {
    let claim = Predicate::parse(text, still.reader.subject);
    claim.unwrap_or_else(|e| panic!("{text}: {e}")).holds(still)
}

#[test]
fn measures_of_alpha_beta_on_the_textbook_s_tree() {
    let session = searched("textbook.tree", Algorithm::AlphaBeta, &[]);
    let still = still(&session);
    for (text, value) in [
        ("value of root", 3.0),
        ("-value of \"A\"", 3.0),
        ("value of \"A a2\" - 2", 10.0),
        ("leaves", 7.0),
        ("rank of A", 1.0),
        ("count(beta-cutoff)", 2.0),
        ("sqrt(9) + exp(0) * max(1, 2, ln(1))", 5.0),
        ("min(value of root, 2)", 2.0),
        ("|value of \"A\"|", 3.0),
        ("count(sibling-cutoff, \"B\")", 2.0),
    ] {
        assert_eq!(measure(&still, text), Some(value), "{text}");
    }
    assert_eq!(measure(&still, "r_opt of root"), None, "no such figure");
    assert_eq!(measure(&still, "sqrt(-1)"), None);
    assert!(holds(
        &still,
        "has(sibling-cutoff) of \"B b2\" and not has(beta-cutoff) of \"A\""
    ));
    assert!(holds(&still, "has(beta-cutoff) of \"B\" or leaves = 9"));
    assert!(
        !holds(&still, "r_opt of root > 0"),
        "what isn't there does not hold"
    );

    let whole = searched("textbook.tree", Algorithm::AlphaBeta, &["cutoffs=off"]);
    let still = studies::lesson::script::still(&whole);
    assert_eq!(
        measure(&still, "leaves"),
        Some(9.0),
        "minimax sees all leaves"
    );
    assert_eq!(measure(&still, "value of root"), Some(3.0));
    assert_eq!(
        measure(&still, "value of \"C\""),
        Some(-2.0),
        "exact, not a bound"
    );
}

/// The inspector's numbers equal the reader's.
#[test]
fn measures_of_beliefs() {
    let session = searched(
        "figure1.tree",
        Algorithm::Distress,
        &["leaf=quiescence", "backup=constant:.5"],
    );
    let still = still(&session);
    let get = |text: &str| measure(&still, text).unwrap_or_else(|| panic!("{text}"));
    let above = get("chance(0) of root");
    assert!((0.0..=1.0).contains(&above));
    let median = get("quantile(.5) of root");
    let around = Measure::parse(&format!("chance({median}) of root"), still.reader.subject);
    let around = around.expect("a measure").of(&still).expect("a number");
    assert!((around - 0.5).abs() < 0.02, "{around}");
    assert!(get("chance(-1) of root") > 0.999 && get("chance(1) of root") < 1e-6);
    let root = tree::Tree::ROOT;
    let detail = backed_up(&still.reader, root).expect("a back-up");
    let grid = still.reader.tree.grid();
    assert_eq!(get("r_opt of root"), f64::from(detail.r_opt.mean(grid)));
    assert_eq!(get("r_pick_sd of root"), f64::from(detail.r_pick.sd(grid)));
    assert_eq!(get("blend of root"), 0.5);
    assert!((get("policy of C + policy of D") - 1.0).abs() < 1e-3);
    assert!((get("share of C + share of D") - 1.0).abs() < 1e-9);
    let shares = get("part of C + part of D");
    assert!(shares == 0.0 || (shares - 1.0).abs() < 1e-5, "{shares}");
}

/// A hint is the author's, or says by what the search decides.
#[test]
fn every_question_has_a_hint() {
    use studies::lesson::Hint;
    let made = |question: &str| {
        let text = format!("{FRONT}{SETUP}Hi\n```question\nask: ?\n{question}\n```\n");
        let lesson = Lesson::read("l.md", text.as_bytes()).expect("a lesson");
        let question = lesson.steps[0].question.clone().expect("a question");
        match question.hint() {
            Hint::Made(text) => text,
            Hint::Written(_) => "written".to_owned(),
        }
    };
    assert_eq!(made("hint: Look at B.\nnumber: leaves"), "written");
    assert_eq!(made("number: 3 * leaves"), "As a formula: 3 * leaves.");
    assert_eq!(
        made("row: most -value in root"),
        "Look below the root for the largest -value."
    );
    assert!(made("row: least value in \"B\"").contains("the smallest value"));
    assert!(made("reveal: on enter under \"A\"\nrow: next").contains("on enter under \"A\""));
    assert!(made("- a :: leaves > 3\n- b :: leaves <= 3").contains("leaves > 3"));
    // The built-in lessons have hints of their own.
    for lesson in built_in() {
        let lesson = lesson.expect("a lesson");
        for step in &lesson.steps {
            if let Some(question) = &step.question {
                let written = matches!(question.hint(), Hint::Written(_));
                assert!(written, "{}: {}", lesson.name, step.heading);
            }
        }
    }
}

#[test]
fn a_lesson_says_what_the_screen_shows() {
    let text = |shows: &str| {
        let front = FRONT.replace("sources: s\n", &format!("sources: s\n{shows}"));
        format!("{front}{SETUP}Hi\n## Two\n```show\nadds: work\n```\nMore\n## Three\nLast\n")
    };
    let read = |shows: &str| Lesson::read("l.md", text(shows).as_bytes()).expect("a lesson");
    let lesson = read("shows: values windows\n");
    let shown = |step: usize| lesson.facts_at(step).iter().collect::<Vec<_>>();
    assert_eq!(shown(0), [Fact::Windows]);
    assert_eq!(shown(1), [Fact::Windows, Fact::Work]);
    assert_eq!(
        shown(2),
        [Fact::Windows, Fact::Work],
        "what was added stays"
    );
    assert_eq!(read("").facts_at(0), Facts::ALL);
    assert_eq!(read("").shows, None);
}

/// What the text reads must be shown, and a number that a question asks for is hidden until it is answered.
#[test]
fn a_lesson_shows_what_its_text_reads_and_not_what_it_asks_for() {
    let glossary = Glossary::built_in().expect("a glossary");
    let lesson = |rest: &str| {
        let front = FRONT.replace("sources: s\n", "sources: s\nshows: values beliefs\n");
        let text = format!("{front}{SETUP}{rest}");
        Lesson::read("l.md", text.as_bytes()).expect("it can be read")
    };
    for (rest, told) in [
        (
            "Hi {visits of root}",
            "l.md:13: found a number of what is not shown: work, expected work in shows or adds",
        ),
        ("The inspector says it.", "not shown: inspector"),
        (
            "Hi\n```question\nask: ?\nhint: {policy of \"A\"}\nnumber: leaves\n```",
            "l.md:14: found a number of what is not shown: policy",
        ),
        (
            "```run\nto: end\n```\nHi\n```question\nask: ?\nrow: most nodes in root\n```",
            "not shown: work",
        ),
    ] {
        let faults = check(&lesson(rest), &glossary).expect_err("it does not hold");
        let told_of: Vec<String> = faults.iter().map(ToString::to_string).collect();
        assert!(
            told_of.iter().any(|f| f.contains(told)),
            "{told_of:?}\n{told}"
        );
    }
    let shown = "```show\nadds: policy\n```\nHi\n```question\nask: ?\n";
    let asks = lesson(&format!("{shown}number: 100 * policy of \"A\"\n```"));
    assert!(asks.facts_at(0).has(Fact::Policy));
    let open = asks.facts_asked_at(0);
    assert!(!open.has(Fact::Policy) && open.has(Fact::Beliefs));
    let other = lesson(&format!("{shown}number: leaves\n```"));
    assert_eq!(other.facts_asked_at(0), other.facts_at(0));
}
