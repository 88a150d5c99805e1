//! What the pages have in common: pages that need neither scripts nor a network.

/// Returns the beginning of a page, up to its title as a heading.
pub(super) fn head(title: &str, style: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>\n{style}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
    )
}

/// The end of a page.
pub(super) const FOOT: &str = "</body>\n</html>\n";

pub(super) use chart::svg::escaped;

/// Returns the ranks of a FEN's board from the eighth to the first, with the chess pieces of Unicode.
pub(super) fn squares(fen: &str) -> Vec<Vec<Option<char>>> {
    let ranks = fen.split(' ').next().unwrap_or_default().split('/');
    let rank = |rank: &str| {
        let mut squares = Vec::new();
        for c in rank.chars() {
            match c.to_digit(10) {
                Some(empty) => squares.extend(std::iter::repeat_n(None, empty as usize)),
                None => squares.push(Some(figurine(c))),
            }
        }
        squares
    };
    ranks.map(rank).collect()
}

fn figurine(piece: char) -> char {
    let white = ['♔', '♕', '♖', '♗', '♘', '♙'];
    let black = ['♚', '♛', '♜', '♝', '♞', '♟'];
    let place = "kqrbnp".find(piece.to_ascii_lowercase()).unwrap_or(5);
    if piece.is_ascii_uppercase() {
        white[place]
    } else {
        black[place]
    }
}
