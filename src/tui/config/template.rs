//! The commented configuration file that a user can begin with.

/// Every setting with its default, as comments. What has no default shows an example.
pub const TEMPLATE: &str = r#"# The configuration of plyscope. Options on the command line come before it.
# Whatever is wrong here is named with its line and passed over.

# A theme's name (dark, light, sepia, high-contrast, colour-blind, projector, monochrome) or a file.
#theme = "dark"

# How to search: the algorithm (see `plyscope algorithms`), the number of threads (all cores but one
# unless set), and the memory for tree and tables (a quarter of the machine's, at most 4G, unless set).
#algorithm = "alpha-beta"
#threads = 1
#memory = "2G"

# Where a search in the workbench pauses that was given no limits, or "none".
#nodes = "10M"

# Whether the session is kept when the program ends, for the next start to go on with.
#autosave = true

# Whether the workbench begins with the presenter's view, for a class: board, axis and text are large.
#presenter = false

# Folders of Syzygy endgame tables, separated as in PATH.
#syzygy = "/path/to/tables"

# Scores: "pawns", "expected" or "wdl"; from the view of "white", the "root"'s side to move, or the "mover".
# Unless set, the ones chosen last.
#unit = "pawns"
#viewpoint = "white"

# With which options a search by an algorithm begins, as after --set.
#[options.formula]
#select = "Q + 1.5*P*sqrt(N)/(1 + n)"

# Programs that speak UCI, by name: a command, or a table. `trace = true` is for one that contains an emitter.
#[engines]
#stockfish = "stockfish"
#lc0 = { command = "lc0 --weights=/path/to/net", lines = 4, patience = 60, options = { Threads = 1 } }
#mine = { command = "/path/to/engine", trace = true }

# Keys by command: one key, a list of keys, or [] for none. The palette (:) shows the names of commands.
#[keys]
#restart = "x"
"#;
