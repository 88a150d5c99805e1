//! The table of all commands, which the keys, the palette, the help and the hints share.

use super::component::Request;
use super::context::Effect;
use super::panes::debugger::keys as debugger;
use super::panes::tree::keys as tree;
use super::tabs::compare::keys as compare;
use super::tabs::game::keys as game;
use super::tabs::lab::keys as lab;
use super::tabs::learn::keys as learn;
use crate::app::App;
use crate::tabs::{Scope, Tab};
use screen::keys::Keymap;

/// A heading of the help with its commands.
#[derive(Clone, Copy)]
pub struct Group {
    pub title: &'static str,
    /// The tab or page that these keys belong to; `None` if they mean the same everywhere. If both bind a key, the
    /// tab's binding wins.
    pub scope: Option<Scope>,
    pub commands: &'static [Command],
}

/// The groups, in the help's order.
const GROUPS: &[Group] = &[
    tree::WALK,
    tree::SHOW,
    SEARCH,
    debugger::COMMANDS,
    compare::COMMANDS,
    GAME,
    game::COMMANDS,
    learn::COMMANDS,
    lab::COMMANDS,
    lab::FUTILITY,
    lab::DIFFERENTIAL,
    lab::SPREAD,
    lab::DEPTHS,
    lab::SWEEP,
    lab::QUESTIONS,
    SCREEN,
];

/// A click on it runs this row of the table of commands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommandTarget(pub usize);

/// One command.
#[derive(Clone, Copy)]
pub struct Command {
    /// The name in the configuration and the palette.
    pub id: &'static str,
    /// Default keys; alternatives are separated by two spaces.
    pub keys: &'static str,
    /// The command that means the same elsewhere, or its own id. One key has one verb, whatever the tab.
    pub verb: &'static str,
    /// Two or three words for hints.
    pub name: &'static str,
    /// A description of one line.
    pub doc: &'static str,
    /// Other words by which the palette finds it.
    pub also: &'static str,
    /// The function to run, with the count typed before the key, if any.
    pub run: fn(&mut App, Option<usize>),
    /// Whether a count typed before the key means something.
    pub counts: bool,
}

impl Command {
    /// Returns the default keys one by one; none if only the palette reaches the command.
    fn alternatives(&self) -> impl Iterator<Item = &'static str> {
        self.keys.split("  ").filter(|keys| !keys.is_empty())
    }
}

/// Commands that ask for a text: in the palette, their name and a space lead to the prompt.
pub const ASKING: [&str; 5] = ["break", "goto", "log-filter", "find", "open-file"];

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// Whether a command has a name for its count, and therefore uses it.
macro_rules! counts {
    (_) => {
        false
    };
    ($count:ident) => {
        true
    };
}
pub(crate) use counts;

/// Creates a group of commands: its title and scope, then one row per command. `as` names the command whose verb it shares,
/// `also` other words for it.
macro_rules! group {
    ($title:literal, $scope:expr; $($id:literal [$keys:literal] $(as $verb:literal)? $name:literal, $doc:literal $(, also $also:literal)? => |$app:ident, $count:tt| $run:expr;)*) => {
        $crate::commands::Group {
            title: $title,
            scope: $scope,
            commands: &[$($crate::commands::Command {
                id: $id, keys: $keys, name: $name, doc: $doc,
                verb: [$($verb,)? $id][0], also: [$($also,)? ""][0], run: |$app, $count| $run,
                counts: $crate::commands::counts!($count),
            },)*],
        }
    };
}
pub(crate) use group;

const SEARCH: Group = group! { "Search", None;
    "pause" ["space"] "pause", "run or pause the search", also "stop start go run halt search begin" => |a, _| a.cx.toggle_pause();
    "restart" ["x"] "restart", "restart the search", also "reset begin anew again clear new search" => |a, _| a.cx.restart();
    "algorithm" ["a"] "algorithm", "choose the algorithm and its options", also "engine method options settings depth limit distress mcts alpha-beta margin futility" => |a, _| a.cx.ask_algorithm();
    "more-nodes" ["g n"] "more nodes", "let the search run on to twice as many nodes before it pauses (a count: that many million more)", also "depth deeper longer limit budget time" => |a, n| a.cx.raise_limit(n);
    "fewer-threads" ["["] "fewer threads", "one fewer thread (the search restarts)", also "cores cpu slower" => |a, n| a.request(Request::Threads(-(n.unwrap_or(1) as isize)));
    "more-threads" ["]"] "more threads", "one more thread (the search restarts)", also "cores cpu speed faster parallel" => |a, n| a.request(Request::Threads(n.unwrap_or(1) as isize));
};

const GAME: Group = group! { "Game and files", None;
    "previous-move" ["<"] "previous move", "go back one move of the game and search there", also "undo" => |a, n| a.cx.walk_game(-(n.unwrap_or(1) as isize));
    "next-move" [">"] "next move", "go forward one move of the game and search there" => |a, n| a.cx.walk_game(n.unwrap_or(1) as isize);
    "previous-game" ["{"] "previous game", "previous game or position of the file" => |a, n| a.tabs.game.walk_entries(&mut a.cx, -(n.unwrap_or(1) as isize));
    "next-game" ["}"] "next game", "next game or position of the file" => |a, n| a.tabs.game.walk_entries(&mut a.cx, n.unwrap_or(1) as isize);
    "samples" ["i"] "start", "the start screen: go on, learn, explore, review, compare, samples, your own engine", also "home examples welcome positions menu" => |a, _| a.cx.ask_start();
    "attach" ["Ctrl-a"] "attach", "start a program that sends an open trace of its search, and show the search as it comes", also "engine own program trace live emitter" => |a, _| a.cx.ask_attach();
    "engine-audit" ["g E"] "engine audit", "what the search does, counted from its trace: reasons by depth, cutoffs by the number of the move, what does not follow; plyscope's own beside another engine's", also "statistics reasons cutoffs reductions unexplained trace" => |a, _| a.cx.show_audit();
    "open-file" ["Ctrl-o"] "open file", "open a file: PGN, FEN, EPD, a toy tree or a saved session; Tab completes its name", also "load pgn fen epd import" => |a, _| a.ask_file();
    "export-view" ["e"] "export", "write what the tab shows to a file: a tree as a graph, a drawing, a page or a game, a comparison, the screen as a picture", also "html svg page share print image screenshot json" => |a, _| a.ask_offer();
    "save-session" ["W"] "save session", "save everything that is open, trees included, to go on with it later", also "store keep write" => |a, _| a.cx.ask_save();
    "move" ["m"] "make a move", "type a move, or several, from the position on the board; a click on a piece and on a square does it too", also "play enter" => |a, _| a.cx.ask_move();
    "set-up" ["E"] "set up", "set up a position: place pieces, choose the side to move, castling, the clock", also "edit board position fen" => |a, _| a.cx.ask_set_up();
    "go-back" ["Alt-Left  g <"] "back", "back to the position explored before this one, with its tree", also "undo history" => |a, n| a.go_back(n.unwrap_or(1) as isize);
    "go-forward" ["Alt-Right  g >"] "forward", "forward to the position that was left by going back" => |a, n| a.go_back(-(n.unwrap_or(1) as isize));
    "search-here" ["p"] "search here", "search the selected node's position" => |a, _| a.search_here();
};

const SCREEN: Group = group! { "Screen", None;
    "tab-explore" ["1"] "Explore", "board, tree and inspector" => |a, _| a.show_tab(Tab::Explore);
    "tab-compare" ["2"] "Compare", "several searches of the position side by side", also "versus difference engines" => |a, _| a.show_tab(Tab::Compare);
    "tab-game" ["3"] "Game", "the games and positions of the file, and the moves", also "pgn review moves" => |a, _| a.show_tab(Tab::Game);
    "tab-learn" ["4"] "Learn", "lessons that run on real searches, with questions", also "lesson tutorial course introduction" => |a, _| a.show_tab(Tab::Learn);
    "tab-lab" ["5"] "Lab", "experiments: how scores change with depth, futility margins and how often they fail; point differential in playouts; spread and calibration of beliefs", also "futility margin experiment calibration speed" => |a, _| a.show_tab(Tab::Lab);
    "next-pane" ["Tab"] "next pane", "give the keyboard to the next pane" => |a, _| a.cx.next_pane(1);
    "previous-pane" ["Shift-Tab"] "previous pane", "give the keyboard to the previous pane" => |a, _| a.cx.next_pane(-1);
    "flip" ["F"] "flip", "flip the board", also "turn rotate black" => |a, _| a.cx.explore.flipped ^= true;
    "units" ["U"] "unit", "show scores in pawns, as expected scores, or as wins, draws and losses per hundred games", also "eval evaluation score value probability percent pawns centipawns win draw loss wdl" => |a, _| a.cx.next_unit();
    "viewpoint" ["V"] "view", "show scores from White's view, from the view of the side to move at the root, or of the side that moves", also "side white black perspective sign eval" => |a, _| a.cx.next_viewpoint();
    "present" ["F5"] "present", "the presenter's view for a class, in Explore and Learn: board, axis and text are large, and the log, figures and keys are left out; again: as before", also "presenter class teacher projector beamer large big lesson" => |a, _| a.cx.toggle_presenting();
    "theme" ["t"] "theme", "choose a theme; each is shown as you move to it", also "colour color light dark colours colors appearance" => |a, _| a.cx.ask_theme();
    "palette" [":"] "commands", "find a command by typing some of its letters", also "search menu action" => |a, _| a.ask_palette();
    "help" ["?  F1"] "help", "all keys, what the screen shows, and the messages so far", also "mouse click keys keyboard manual legend symbols glyphs messages" => |a, _| a.cx.show_help();
    "redraw" ["Ctrl-l"] "redraw", "redraw the whole screen" => |a, _| a.cx.effects.push(Effect::Redraw);
    "suspend" ["Ctrl-z"] "suspend", "suspend plyscope and return to the shell; fg resumes it" => |a, _| a.cx.effects.push(Effect::Suspend);
    "quit" ["q  Ctrl-c"] "quit", "quit plyscope", also "exit close leave bye" => |a, _| a.cx.quit();
};

/// The number of commands.
const COUNT: usize = {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].commands.len();
        group += 1;
    }
    count
};

/// Every command, group by group.
pub static COMMANDS: [Command; COUNT] = {
    let mut all = [SEARCH.commands[0]; COUNT];
    let (mut at, mut group) = (0, 0);
    while group < GROUPS.len() {
        let commands = GROUPS[group].commands;
        let mut i = 0;
        while i < commands.len() {
            all[at] = commands[i];
            at += 1;
            i += 1;
        }
        group += 1;
    }
    all
};

/// Returns the groups with the indices of their commands in the table.
pub fn groups() -> impl Iterator<Item = (&'static Group, std::ops::Range<usize>)> {
    let mut from = 0;
    GROUPS.iter().map(move |group| {
        let commands = from..from + group.commands.len();
        from = commands.end;
        (group, commands)
    })
}

/// Returns the group of a command of the table.
pub fn group_of(command: usize) -> &'static Group {
    let mut all = groups().filter(|(_, commands)| commands.contains(&command));
    all.next().map_or(&SEARCH, |(group, _)| group)
}

/// Returns the row of a command in the table.
pub fn index_of(id: &str) -> Option<usize> {
    COMMANDS.iter().position(|c| c.id == id)
}

/// Returns the default keys.
pub fn default_keymap() -> Keymap<Scope> {
    let mut map = Keymap::default();
    for (i, command) in COMMANDS.iter().enumerate() {
        for keys in command.alternatives() {
            map.bind(keys, i, group_of(i).scope);
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_keys_are_unique_and_readable() {
        let mut seen = std::collections::HashMap::new();
        for (i, command) in COMMANDS.iter().enumerate() {
            assert_eq!(index_of(command.id), Some(i), "{}: twice", command.id);
            assert!(!command.doc.is_empty() && !command.name.is_empty());
            for keys in command.alternatives() {
                let tab = group_of(i).scope;
                assert!(
                    Keymap::default().bind(keys, i, tab),
                    "{}: {keys}",
                    command.id
                );
                if let Some(other) = seen.insert((keys, tab), command.id) {
                    panic!("{keys} is bound to {other} and {}", command.id);
                }
            }
        }
    }

    #[test]
    fn a_key_is_one_verb_on_every_tab() {
        let mut verbs = std::collections::HashMap::new();
        for command in &COMMANDS {
            let known = index_of(command.verb).map(|i| COMMANDS[i].verb);
            assert_eq!(known, Some(command.verb), "{}: no such verb", command.id);
            for keys in command.alternatives() {
                let other = *verbs.entry(keys).or_insert(command);
                assert_eq!(
                    other.verb, command.verb,
                    "{keys} is {} and {}",
                    other.id, command.id
                );
            }
        }
        // No key is the beginning of another's sequence.
        for longer in verbs.keys().filter(|keys| keys.contains(' ')) {
            let first = longer.split(' ').next().unwrap_or(longer);
            assert!(!verbs.contains_key(first), "{first} and {longer}");
        }
    }

    #[test]
    fn the_table_knows_which_commands_count() {
        let counts = |id| index_of(id).map(|i| COMMANDS[i].counts);
        assert_eq!(counts("down"), Some(true));
        assert_eq!(counts("step"), Some(true));
        assert_eq!(counts("quit"), Some(false));
    }

    #[test]
    fn what_asks_for_a_text_is_a_command() {
        for id in ASKING {
            assert!(index_of(id).is_some(), "{id}");
        }
    }
}
