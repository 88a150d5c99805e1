//! The parser's steps over words of the language, and its error messages.

use super::{Expected, Parser};
use crate::breakpoint::words::Keyword;
use formula::is_of_word;

impl Parser<'_> {
    pub(super) fn keyword_stands(&mut self, keyword: Keyword) -> bool {
        let cursor = &mut self.cursor;
        cursor.skip_space();
        let stands = cursor.word(is_of_word).eq_ignore_ascii_case(keyword.name());
        if !stands {
            cursor.note(Expected::Keyword(keyword));
        }
        stands
    }

    pub(super) fn keyword(&mut self, keyword: Keyword) -> bool {
        let stands = self.keyword_stands(keyword);
        if stands {
            self.cursor.at += keyword.name().len();
        }
        stands
    }
}
