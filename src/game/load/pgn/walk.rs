//! A game in the order in which it is printed: each move, followed by the alternatives to it.

use super::GameTree;
use crate::{Game, Side};

/// One piece of a printed game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Move {
        node: usize,
        /// `12.` or `12...` where it is printed: at White's moves, and at Black's after anything but a move.
        number: Option<String>,
    },
    /// The beginning of a variation.
    Open,
    Close,
    /// A comment: [`super::GameNode::text_beside`].
    Comment {
        node: usize,
        /// Whether it comes before the node's move instead of after it.
        before: bool,
    },
}

enum Step {
    Move(usize),
    Comment {
        node: usize,
        before: bool,
    },
    Open,
    Close,
    /// What follows a node.
    Follow(usize),
}

/// The tokens of a game; see [`GameTree::walk`].
struct Walk<'a, G> {
    tree: &'a GameTree<G>,
    /// A stack: the next step is at the end.
    steps: Vec<Step>,
    /// Whether the last token was not a move.
    fresh: bool,
}

impl<G: Game> GameTree<G> {
    /// Returns all moves, variations and comments in the order in which they are printed. A variation comes after the
    /// move to which it is an alternative, and after that move's comment.
    pub fn walk(&self) -> impl Iterator<Item = Token> + '_ {
        let comment = Step::Comment {
            node: 0,
            before: false,
        };
        Walk {
            tree: self,
            steps: vec![Step::Follow(0), comment],
            fresh: true,
        }
    }
}

impl<G: Game> Walk<'_, G> {
    /// Schedules the move of a node, with its comments, to be printed next.
    fn play(&mut self, node: usize) {
        self.steps.push(Step::Comment {
            node,
            before: false,
        });
        self.steps.push(Step::Move(node));
        self.steps.push(Step::Comment { node, before: true });
    }

    fn follow(&mut self, node: usize) {
        let children = self.tree.nodes.get(node).map(|n| n.children.as_slice());
        let Some((&first, variations)) = children.and_then(<[usize]>::split_first) else {
            return;
        };
        self.steps.push(Step::Follow(first));
        for &variation in variations.iter().rev() {
            self.steps.push(Step::Close);
            self.steps.push(Step::Follow(variation));
            self.play(variation);
            self.steps.push(Step::Open);
        }
        self.play(first);
    }

    fn token(&mut self, node: usize) -> Token {
        let number = self.tree.number(node);
        let is_whites = self.tree.mover(node) == Some(Side::White);
        let shown = self.fresh || is_whites || self.tree.start.numbers_plies();
        Token::Move {
            node,
            number: number.filter(|_| shown),
        }
    }
}

impl<G: Game> Iterator for Walk<'_, G> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let token = match self.steps.pop()? {
                Step::Follow(node) => {
                    self.follow(node);
                    continue;
                }
                Step::Comment { node, before } => {
                    let found = self.tree.nodes.get(node);
                    if found.is_none_or(|n| n.text_beside(before).is_empty()) {
                        continue;
                    }
                    Token::Comment { node, before }
                }
                Step::Move(node) => self.token(node),
                Step::Open => Token::Open,
                Step::Close => Token::Close,
            };
            self.fresh = !matches!(token, Token::Move { .. });
            return Some(token);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::pgn::Games;

    fn printed(text: &str) -> String {
        let games = Games::new(text.as_bytes().to_vec());
        let game = games.game(0).expect("a game");
        let words = game.walk().map(|token| match token {
            Token::Move { node, number } => {
                format!("{}{}", number.unwrap_or_default(), game.nodes[node].san)
            }
            Token::Open => "(".to_owned(),
            Token::Close => ")".to_owned(),
            Token::Comment { node, before } => {
                format!("{{{}}}", game.nodes[node].text_beside(before))
            }
        });
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn games_are_laid_out_as_they_are_printed() {
        assert_eq!(printed("1. e4 e5 2. Nf3 *"), "1.e4 e5 2.Nf3");
        assert_eq!(
            printed(
                "{before} 1. e4 {[%eval 0.3]} e5 (1... c5 2. Nf3 (2. c3 {Alapin}) 2... d6) ({French} 1... e6 2. d4) \
                 2. Nf3 {good} Nc6 3. Bb5 (3. Bc4) a6 *"
            ),
            "{before} 1.e4 e5 ( 1...c5 2.Nf3 ( 2.c3 {Alapin} ) 2...d6 ) ( {French} 1...e6 2.d4 ) 2.Nf3 {good} 2...Nc6 \
             3.Bb5 ( 3.Bc4 ) 3...a6"
        );
        assert_eq!(
            printed("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 17\"]\n\nKd7 e4 *"),
            "17...Kd7 18.e4"
        );
        assert_eq!(printed("[Event \"none\"]\n\n*"), "");
    }

    #[test]
    fn a_deep_nest_is_walked_without_recursion() {
        // Each variation repeats its parent's first move and adds one more.
        let nested = 10_000;
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let deeper = |i: usize| format!("{} ({} ", moves[i % 4], moves[i % 4]);
        let opening: String = (0..nested).map(deeper).collect();
        let games = Games::new(format!("{opening}{} *", ")".repeat(nested)).into_bytes());
        let game = games.game(0).expect("a game");
        assert!(game.problems.is_empty(), "{:?}", game.problems);
        let opened = game.walk().filter(|t| *t == Token::Open).count();
        assert_eq!(opened, nested);
    }
}
