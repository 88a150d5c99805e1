//! The letters of the pieces. Figurines are read; the letters of other languages are recognised and refused. The same
//! letter can mean different pieces (R is a rook in English and the king in French), so a move is never read by
//! guessing its language.

use std::borrow::Cow;

/// In the order of [`PIECES`].
type Letters = [&'static str; 5];

const PIECES: [&str; 5] = ["king", "queen", "rook", "bishop", "knight"];
const ENGLISH: Letters = ["K", "Q", "R", "B", "N"];

/// A language with the letters and names of its pieces. The common ones come first.
struct Language {
    name: &'static str,
    letters: Letters,
    names: Letters,
}

const LANGUAGES: [Language; 17] = [
    language(
        "German",
        ["K", "D", "T", "L", "S"],
        ["König", "Dame", "Turm", "Läufer", "Springer"],
    ),
    language(
        "French",
        ["R", "D", "T", "F", "C"],
        ["Roi", "Dame", "Tour", "Fou", "Cavalier"],
    ),
    language(
        "Spanish",
        ["R", "D", "T", "A", "C"],
        ["Rey", "Dama", "Torre", "Alfil", "Caballo"],
    ),
    language(
        "Italian",
        ["R", "D", "T", "A", "C"],
        ["Re", "Donna", "Torre", "Alfiere", "Cavallo"],
    ),
    language(
        "Portuguese",
        ["R", "D", "T", "B", "C"],
        ["Rei", "Dama", "Torre", "Bispo", "Cavalo"],
    ),
    language(
        "Dutch",
        ["K", "D", "T", "L", "P"],
        ["Koning", "Dame", "Toren", "Loper", "Paard"],
    ),
    language(
        "Polish",
        ["K", "H", "W", "G", "S"],
        ["Król", "Hetman", "Wieża", "Goniec", "Skoczek"],
    ),
    language(
        "Czech",
        ["K", "D", "V", "S", "J"],
        ["Král", "Dáma", "Věž", "Střelec", "Jezdec"],
    ),
    language(
        "Hungarian",
        ["K", "V", "B", "F", "H"],
        ["Király", "Vezér", "Bástya", "Futó", "Huszár"],
    ),
    language(
        "Romanian",
        ["R", "D", "T", "N", "C"],
        ["Rege", "Damă", "Turn", "Nebun", "Cal"],
    ),
    language(
        "Finnish",
        ["K", "D", "T", "L", "R"],
        ["Kuningas", "Daami", "Torni", "Lähetti", "Ratsu"],
    ),
    language(
        "Icelandic",
        ["K", "D", "H", "B", "R"],
        ["Kóngur", "Drottning", "Hrókur", "Biskup", "Riddari"],
    ),
    language(
        "Turkish",
        ["Ş", "V", "K", "F", "A"],
        ["Şah", "Vezir", "Kale", "Fil", "At"],
    ),
    language(
        "Russian",
        ["Кр", "Ф", "Л", "С", "К"],
        ["Король", "Ферзь", "Ладья", "Слон", "Конь"],
    ),
    language(
        "Ukrainian",
        ["Кр", "Ф", "Т", "С", "К"],
        ["Король", "Ферзь", "Тура", "Слон", "Кінь"],
    ),
    language(
        "Bulgarian",
        ["Ц", "Д", "Т", "О", "К"],
        ["Цар", "Дама", "Топ", "Офицер", "Кон"],
    ),
    language(
        "Greek",
        ["Ρ", "Β", "Π", "Α", "Ι"],
        ["Ρήγας", "Βασίλισσα", "Πύργος", "Αξιωματικός", "Ίππος"],
    ),
];

const fn language(name: &'static str, letters: Letters, names: Letters) -> Language {
    Language {
        name,
        letters,
        names,
    }
}

/// Replaces figurines in a move (`♘f3`, `♞c6`, `e8=♕`, with or without a variation selector) by English letters; a
/// pawn's is dropped.
pub fn without_figurines(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '♔'..='♟' | '\u{fe0e}' | '\u{fe0f}');
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let letter = |c: char| match c {
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        c if special(c) => None,
        c => Some(c),
    };
    Cow::Owned(text.chars().filter_map(letter).collect())
}

/// The languages whose letters explain all piece letters of some moves that English letters do not explain.
#[derive(Clone, Debug, Default)]
pub struct Languages(Vec<usize>);

impl Languages {
    /// Returns those of the moves among `words`; none if English letters explain them or if no language does.
    pub fn of<'a>(words: impl IntoIterator<Item = &'a str>) -> Languages {
        let words = words.into_iter().filter_map(piece);
        let pieces: Vec<Piece<'_>> = words.collect();
        let foreign = |piece: &Piece<'_>| !piece.is_of(&ENGLISH);
        if !pieces.iter().any(foreign) {
            return Languages::default();
        }
        let explains = |language: &Language| pieces.iter().all(|p| p.role(language).is_some());
        let found = LANGUAGES.iter().enumerate();
        Languages(found.filter(|(_, l)| explains(l)).map(|(i, _)| i).collect())
    }

    /// Returns for example "looks like German: S is the knight" about the piece with which a move begins, if its letter
    /// means a different piece in one of these languages than in English.
    pub fn hint(&self, word: &str) -> Option<String> {
        if self.0.is_empty() {
            return None;
        }
        let piece = piece(word)?;
        let role = |&i: &usize| piece.role(&LANGUAGES[i]);
        let english = ENGLISH.iter().position(|letter| piece.is(letter));
        let role_there = self
            .0
            .iter()
            .find_map(|i| role(i).filter(|_| role(i) != english))?;
        let agreeing = self.0.iter().filter(|i| role(i) == Some(role_there));
        let names: Vec<&str> = agreeing.take(3).map(|&i| LANGUAGES[i].name).collect();
        let names = match names.as_slice() {
            [one] => (*one).to_owned(),
            [first, second] => format!("{first} or {second}"),
            [first, second, third] => format!("{first}, {second} or {third}"),
            _ => return None,
        };
        let Piece(letter) = piece;
        Some(format!(
            "looks like {names}: {letter} is the {}",
            PIECES[role_there]
        ))
    }
}

/// The way a move names its piece: by a letter (two in Russian) or by its name.
#[derive(Clone, Copy)]
struct Piece<'a>(&'a str);

impl Piece<'_> {
    fn is(&self, other: &str) -> bool {
        self.0 == other
    }

    fn is_of(&self, letters: &Letters) -> bool {
        letters.iter().any(|letter| self.is(letter))
    }

    fn role(&self, language: &Language) -> Option<usize> {
        let is = |named: &&str| self.is(named);
        let letters = language.letters.iter().position(is);
        letters.or_else(|| language.names.iter().position(is))
    }
}

/// Returns the piece with which a word begins, if it is written like a piece's move (`Sf3`, `Крxe2`, `Springerf3`) or
/// is a piece's name. Pawn moves and castling have none.
fn piece(word: &str) -> Option<Piece<'_>> {
    let names = LANGUAGES.iter().flat_map(|l| l.names);
    if let Some(name) = names.filter(|name| word.starts_with(name)).max_by_key(|n| n.len())
        // "Re" and "Rei" are names, "Re1" is a move.
        && (word.len() == name.len() || name.len() > 3)
    {
        return Some(Piece(&word[..name.len()]));
    }
    let place = |c: char| matches!(c, 'a'..='h' | '1'..='8' | 'x' | ':' | '-');
    let end = word.find(place)?;
    let (letters, rest) = word.split_at(end);
    let capital = letters.chars().next()?.is_uppercase();
    let short = letters.chars().count() <= 2;
    let is_place = |at: &[u8]| matches!(at, [b'a'..=b'h', b'1'..=b'8']);
    let goes = rest.as_bytes().windows(2).any(is_place);
    (capital && short && goes).then_some(Piece(letters))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(words: &[&str], word: &str) -> Option<String> {
        Languages::of(words.iter().copied()).hint(word)
    }

    #[test]
    fn figurines_are_english_letters() {
        assert_eq!(without_figurines("♘f3"), "Nf3");
        assert_eq!(without_figurines("♞\u{fe0e}bd7+"), "Nbd7+");
        assert_eq!(without_figurines("♙e4"), "e4");
        assert_eq!(without_figurines("e8=♛\u{fe0f}#"), "e8=Q#");
        assert!(matches!(without_figurines("Nf3"), Cow::Borrowed("Nf3")));
    }

    #[test]
    fn each_language_is_recognised_by_its_own_letters() {
        for language in &LANGUAGES {
            let words: Vec<String> = language.letters.iter().map(|l| format!("{l}e2")).collect();
            let found = Languages::of(words.iter().map(String::as_str));
            assert!(found.0.iter().any(|&i| LANGUAGES[i].name == language.name));
            for (letter, english) in language.letters.iter().zip(ENGLISH) {
                let hint = found.hint(&format!("{letter}e2"));
                assert_eq!(hint.is_some(), *letter != english, "{}", language.name);
            }
        }
    }

    #[test]
    fn hints_say_what_all_words_allow() {
        let german = ["e4", "Sf3", "Lb5", "O-O", "Kh8"];
        assert_eq!(
            hint(&german, "Sf3").as_deref(),
            Some("looks like German: S is the knight")
        );
        assert_eq!(hint(&german, "Kh8"), None);
        assert_eq!(hint(&german, "e4"), None);
        // In English, R is a rook.
        assert_eq!(
            hint(&["Cf3", "Fb5", "Re2"], "Re2").as_deref(),
            Some("looks like French: R is the king")
        );
        assert_eq!(
            hint(&["Cf3"], "Cf3").as_deref(),
            Some("looks like French, Spanish or Italian: C is the knight")
        );
        assert_eq!(
            hint(&["Springer", "e4"], "Springer").as_deref(),
            Some("looks like German: Springer is the knight")
        );
        assert_eq!(
            hint(&["Кf3", "Крe2"], "Крe2").as_deref(),
            Some("looks like Russian or Ukrainian: Кр is the king")
        );
        // A single slip in an English game does not make it another language.
        assert_eq!(hint(&["Nf3", "Bb5", "Sf6"], "Sf6"), None);
        assert_eq!(hint(&["Nf3", "Bb5"], "Nf3"), None);
    }
}
