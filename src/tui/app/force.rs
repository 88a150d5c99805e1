//! What is forced on a search: more nodes for one node, moves left out.

use super::App;

impl App {
    /// Gives the selected node the next nodes: so many times ten thousand.
    pub fn search_more(&mut self, times: usize) {
        let _ = times;
    }

    pub fn never(&mut self) {}

    pub fn only(&mut self) {}
}
