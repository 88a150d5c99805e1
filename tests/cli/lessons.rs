//! The handouts of `plyscope lessons`: each is well formed, complete in itself, and has every question with its answer.

use crate::cli_support;

use cli_support::{elements, file, plyscope};
use studies::lesson::{Kind, Lesson, built_in};

/// A lesson on a board, with a question of each kind.
pub const OWN: &str = "---
title: A mate & a \"test\" <of escapes>
teaches: how a mate is found
minutes: 2
sources: none
---
## One

```setup
fen: 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1
algorithm: alpha-beta
depth: 3
```

```run
to: end
```

The best move is {best of root}. Look at the [[window]].

- one **bold** item
- another

```question
ask: Which move?
row: most -value in root
```

## Two

```show
select: \"Rd8#\"
```

Now count.

```question
ask: How many moves has the king?
tolerance: 0.5
number: 2 + 1
```

Three of them.

## Three

The end.

```question
ask: Is it mate?
hint: Look at the rook.
- Yes :: value of root > 1000
- No :: value of root <= 1000
```
";

fn handout(lesson: &str, more: &[&str]) -> String {
    plyscope(&[&["lessons", lesson, "--handout"], more].concat())
        .clean()
        .out
}

fn lessons() -> Vec<Lesson> {
    let all = built_in().into_iter();
    all.map(|lesson| lesson.expect("a lesson")).collect()
}

/// Checks what holds for every page, and returns the names of its elements.
fn complete(page: &str) -> Vec<String> {
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    let all = elements(page);
    for name in ["script", "link", "img", "iframe"] {
        assert!(!all.iter().any(|n| n == name), "{name}");
    }
    assert!(
        !page.contains("http") && !page.contains("url("),
        "an address"
    );
    all
}

#[test]
fn every_lesson_has_a_page_with_all_its_questions() {
    for (number, lesson) in (1..).zip(lessons()) {
        let page = handout(&number.to_string(), &[]);
        let all = complete(&page);
        let count = |name: &str| all.iter().filter(|n| *n == name).count();
        let name = &lesson.name;
        let questions = lesson.questions();
        assert_eq!(page.matches("<b>Question ").count(), questions, "{name}");
        assert_eq!(
            page.matches("class=\"answer\"").count(),
            questions,
            "{name}"
        );
        assert_eq!(page.matches("class=\"hint\"").count(), questions, "{name}");
        let revealed = lesson
            .steps
            .iter()
            .filter_map(|step| step.question.as_ref());
        let revealed = revealed.filter(|q| q.reveal.is_some()).count();
        assert_eq!(count("figure"), lesson.steps.len() + revealed, "{name}");
        for step in &lesson.steps {
            if let Some(Kind::Choice(choices)) = step.question.as_ref().map(|q| &q.kind) {
                assert!(count("li") >= choices.len(), "{name}");
            }
        }
        assert!(page.contains("<h2>Terms</h2>"), "{name}");
        let shown = page.contains("<svg") || page.contains("<table");
        assert!(shown && !page.contains("class=\"figure\">?<"), "{name}");
    }
}

#[test]
fn answers_are_folded_or_at_the_end() {
    let printed = plyscope(&["lessons", "2", "--print"]).clean().out;
    let answers = printed.lines().filter_map(|line| line.strip_prefix("A: "));
    let answers: Vec<String> = answers
        .map(|text| format!("<b>{}</b>", text.replace('<', "&lt;").replace('>', "&gt;")))
        .collect();
    assert!(answers.len() > 5);
    let folded = handout("2", &[]);
    let at_end = handout("2", &["--answers"]);
    complete(&at_end);
    let (questions, end) = at_end.split_once("<h2>Answers</h2>").expect("answers");
    assert!(!at_end.contains("class=\"answer\""));
    assert_eq!(end.matches("<h3>Question ").count(), answers.len());
    for answer in &answers {
        assert!(folded.contains(answer) && end.contains(answer), "{answer}");
        assert!(!questions.contains(answer), "{answer}");
    }
    // What the search left out is dashed, with a bar across.
    assert!(folded.contains("class=\"dashed\"") && folded.contains("class=\"bar\""));
    // The same page from the same lesson.
    assert_eq!(folded, handout("02-alpha-beta", &[]));
}

#[test]
fn a_lesson_of_ones_own_has_a_page_too() {
    let own = file("handout.md", OWN);
    let page = handout(&own, &[]);
    complete(&page);
    for part in [
        "<h1>A mate &amp; a &quot;test&quot; &lt;of escapes&gt;</h1>",
        "<li>one <b>bold</b> item</li>",
        "<table class=\"board\">",
        "<td class=\"dark\"></td><td>♖</td>",
        "Rd8#",
        "3 (±0.5)",
        "the board after",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
}

/// A tic-tac-toe whose second step asks at once where the search has ended: at the answer's row.
const FORK: &str = "---
title: A fork
teaches: forks
minutes: 2
sources: none
---
## One

```setup
position: tictactoe x-o/o--/x--
algorithm: alpha-beta
```

```run
to: end
```

The search is over.

## Two

```question
ask: Which move does the search find best?
hint: Look for two open lines.
row: most -value in root
expect: c1
```

It is {best of root}.
";

/// While a question for a row is open, the handout shows the root, and bounds have their sign.
#[test]
fn an_open_question_is_beside_the_root_and_bounds_have_signs() {
    let text = FORK.replace("## Two\n", "## Two\n\nLook.\n");
    let page = handout(&file("fork.md", &text), &[]);
    complete(&page);
    let (first, second) = page.split_once("<h2>2. Two</h2>").expect("two steps");
    assert!(first.contains("the board after c1"), "{first}");
    let (asked, _) = second.split_once("Question 1.").expect("a question");
    assert!(
        !asked.contains("the board after") && asked.contains("X to move"),
        "{asked}"
    );
    assert!(!asked.contains("class=\"marked\""), "{asked}");
    assert!(
        asked.contains("<td class=\"name\">b2</td><td>≤ +0.43</td>"),
        "{asked}"
    );
    // Text that comes only after the question is not there while it is open.
    let run = plyscope(&["lessons", "--check", &file("silent.md", FORK)]);
    run.refused(1);
    assert!(
        run.err
            .contains("found text only after the question, expected some before it"),
        "{}",
        run.err
    );
}

/// The rows of a step have the moves that its text speaks of, even if there are many better ones.
#[test]
fn moves_that_the_text_names_are_listed() {
    let page = handout("19", &[]);
    let step = page.split("<h2>").nth(1).expect("a step");
    assert!(step.contains("Qa5 saves the queen"), "{step}");
    assert!(step.contains("<td class=\"name\">Qa5</td>"), "{step}");
    assert!(step.contains("more</td>"), "{step}");
}

#[test]
fn what_is_no_lesson_is_refused_and_leaves_the_file() {
    assert_eq!(plyscope(&["lessons", "--handout"]).status, 2);
    assert_eq!(plyscope(&["lessons", "1", "2", "--handout"]).status, 2);
    assert_eq!(plyscope(&["lessons", "2", "--answers"]).status, 2);
    let out = file("handout.html", "before");
    let broken = file(
        "broken-handout.md",
        OWN.replace("{best of root}", "{value of \"Kb1\"} {value of \"Ke9\"}"),
    );
    let run = plyscope(&["lessons", &broken, "--handout", "-o", &out]);
    run.refused(1);
    let missing = file(
        "wrong-handout.md",
        OWN.replace("[[window]]", "[[no such term]]"),
    );
    plyscope(&["lessons", &missing, "--handout", "-o", &out]).refused(1);
    assert_eq!(std::fs::read_to_string(&out).expect("a file"), "before");
    let own = file("handout.md", OWN);
    plyscope(&["lessons", &own, "--handout", "-o", &out]).clean();
    let page = std::fs::read_to_string(&out).expect("a file");
    assert!(page.ends_with("</html>\n"));
}
