//! The glossary: what the terms in lessons and on screens mean, and where they come from.

use super::read::front_matter;
use game::load::LoadError;
use text::{decode, quote};

/// All terms, in the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Glossary {
    pub terms: Vec<Term>,
}

/// A term of the glossary.
#[derive(Clone, Debug)]
pub struct Term {
    pub name: String,
    /// Other names for it.
    pub also: Vec<String>,
    /// One or two sentences.
    pub text: String,
    pub source: String,
}

impl Glossary {
    /// Parses `## term`, `also: …`, `source: …` and the text.
    ///
    /// # Errors
    /// Returns the first error, with its line.
    pub fn read(name: &str, bytes: &[u8]) -> Result<Glossary, LoadError> {
        let text = decode(bytes);
        let read = || {
            let (_, lines) = front_matter(&text)?;
            let mut terms: Vec<(u32, Term)> = Vec::new();
            for (number, line) in lines {
                line_of(number, line, &mut terms)?;
            }
            for (line, term) in &terms {
                if term.text.is_empty() || term.source.is_empty() {
                    let fault = LoadError::new(quote(&term.name), "a text and a source");
                    return Err(fault.at_line(*line));
                }
            }
            let terms = terms.into_iter().map(|t| t.1).collect();
            Ok(Glossary { terms })
        };
        read().map_err(|e: LoadError| e.in_file(name))
    }

    /// Returns these terms, and then those of another glossary that these do not explain.
    #[must_use]
    pub fn over(mut self, other: Glossary) -> Glossary {
        let is_known = |term: &Term| self.find(&term.name.to_lowercase()).is_some();
        let (_, others): (Vec<Term>, Vec<Term>) = other.terms.into_iter().partition(is_known);
        self.terms.extend(others);
        self
    }

    /// Returns the term with this name, in lower case.
    pub fn find(&self, name: &str) -> Option<&Term> {
        let is = |word: &str| word.to_lowercase() == name;
        let named = |t: &&Term| is(&t.name) || t.also.iter().any(|a| is(a));
        self.terms.iter().find(named)
    }
}

fn line_of(number: u32, line: &str, terms: &mut Vec<(u32, Term)>) -> Result<(), LoadError> {
    if let Some(name) = line.strip_prefix("## ") {
        let term = Term {
            name: name.trim().into(),
            also: Vec::new(),
            text: String::new(),
            source: String::new(),
        };
        terms.push((number, term));
        return Ok(());
    }
    let line = line.trim();
    let Some((_, term)) = terms.last_mut().filter(|_| !line.is_empty()) else {
        return if line.is_empty() {
            Ok(())
        } else {
            Err(LoadError::new(quote(line), "## and a term").at_line(number))
        };
    };
    if let Some(also) = line.strip_prefix("also:") {
        term.also = also.split(',').map(|a| a.trim().to_owned()).collect();
    } else if let Some(source) = line.strip_prefix("source:") {
        term.source = source.trim().into();
    } else {
        if !term.text.is_empty() {
            term.text.push(' ');
        }
        term.text.push_str(line);
    }
    Ok(())
}
