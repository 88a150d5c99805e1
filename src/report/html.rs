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
