//! Grades as JUnit XML, which course servers read.

use std::fmt::Write as _;

use super::{Graded, placed};
use crate::html::escaped;
use studies::grade::{Assignment, Checked};
use text::sanitise;

/// Returns the grades as one document: a suite for each trace, and a case for each check.
pub fn junit(graded: &[Graded], assignment: &Assignment) -> String {
    let mut suites = String::new();
    let (mut tests, mut failures, mut errors) = (0, 0, 0);
    for one in graded {
        let file = escaped(&sanitise(&one.file));
        let time = one.time.as_secs_f64();
        let (suite_tests, suite_failures, suite_errors, cases) = cases(one, &file);
        let _ = writeln!(
            suites,
            "  <testsuite name=\"{file}\" tests=\"{suite_tests}\" failures=\"{suite_failures}\" \
             errors=\"{suite_errors}\" skipped=\"0\" time=\"{time:.3}\">\n{cases}  </testsuite>"
        );
        tests += suite_tests;
        failures += suite_failures;
        errors += suite_errors;
    }
    let name = match assignment.title.as_str() {
        "" => "plyscope grade",
        title => title,
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"{}\" tests=\"{tests}\" \
         failures=\"{failures}\" errors=\"{errors}\">\n{suites}</testsuites>\n",
        escaped(name)
    )
}

/// The cases of a trace, with how many there are, and how many of them failed or could not be run.
fn cases(one: &Graded, file: &str) -> (usize, usize, usize, String) {
    let grade = match &one.came {
        Ok(grade) => grade,
        Err(refusal) => {
            let why = escaped(&refusal.to_string());
            let case = format!(
                "    <testcase classname=\"{file}\" name=\"trace\">\n      \
                 <error type=\"refused\" message=\"{why}\"/>\n    </testcase>\n"
            );
            return (1, 0, 1, case);
        }
    };
    let mut cases = String::new();
    for checked in &grade.checks {
        cases += &case(checked, file);
    }
    let failed = grade.checks.iter().filter(|checked| !checked.is_passed());
    (grade.checks.len(), failed.count(), 0, cases)
}

fn case(checked: &Checked, file: &str) -> String {
    let name = checked.check.name();
    let rule = escaped(checked.check.rule());
    let points = format!(
        "<property name=\"points\" value=\"{}\"/><property name=\"of\" value=\"{}\"/>",
        checked.earned(),
        checked.points
    );
    let head = format!(
        "    <testcase classname=\"{file}\" name=\"{name}\">\n      <properties>{points}</properties>\n"
    );
    let failure = checked.first.as_ref().map(|finding| {
        let what = escaped(&placed(finding));
        let often = match checked.wrong {
            0 => "never so far".to_owned(),
            1 => "once".to_owned(),
            n => format!("{} times", text::thousands(n)),
        };
        format!(
            "      <failure type=\"{name}\" message=\"{what}\">{rule}: wrong {often}, of {} checked</failure>\n",
            text::thousands(checked.occasions)
        )
    });
    format!("{head}{}    </testcase>\n", failure.unwrap_or_default())
}
