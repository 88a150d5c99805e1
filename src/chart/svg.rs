//! The writer of SVG: elements with their attributes, escaped, and numbers as briefly as possible.

use std::fmt::{self, Display, Write as _};

/// A place or a size: to the right and down.
pub type Pair = (f64, f64);

/// An element with what is inside it.
#[derive(Clone, Debug)]
pub struct Element {
    name: &'static str,
    attributes: String,
    inside: String,
}

impl Element {
    pub fn new(name: &'static str) -> Element {
        Element {
            name,
            attributes: String::new(),
            inside: String::new(),
        }
    }

    /// Returns the element with one more attribute; an empty value leaves it out.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Element {
        let value = escaped(&value.to_string());
        if !value.is_empty() {
            let _ = write!(self.attributes, " {name}=\"{value}\"");
        }
        self
    }

    /// Returns the element with numbers as attributes.
    #[must_use]
    pub fn at<const N: usize>(self, numbers: [(&str, f64); N]) -> Element {
        let with = |element: Element, (name, x): (&str, f64)| element.with(name, number(x));
        numbers.into_iter().fold(self, with)
    }

    /// Returns the element with a text, which a reader may show when the pointer is on the element.
    #[must_use]
    pub fn titled(mut self, words: &str) -> Element {
        self.add(Element::new("title").saying(words));
        self
    }

    /// Returns the element with words inside it.
    #[must_use]
    pub fn saying(mut self, words: &str) -> Element {
        self.inside.push_str(&escaped(words));
        self
    }

    /// Adds an element inside this one.
    pub fn add(&mut self, element: Element) {
        if self.inside.is_empty() && element.name != "title" {
            self.inside.push('\n');
        }
        let _ = writeln!(self.inside, "{element}");
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Element {
            name,
            attributes,
            inside,
        } = self;
        match inside.is_empty() {
            true => write!(f, "<{name}{attributes}/>"),
            false => write!(f, "<{name}{attributes}>{inside}</{name}>"),
        }
    }
}

/// Returns a whole drawing of this size, without the name space that a file of its own needs.
pub fn inline((width, height): Pair) -> Element {
    Element::new("svg")
        .at([("width", width), ("height", height)])
        .with("viewBox", view_box((width, height)))
}

/// Returns a whole drawing of this size as a file.
pub fn file((width, height): Pair) -> Element {
    Element::new("svg")
        .with("xmlns", NAME_SPACE)
        .at([("width", width), ("height", height)])
        .with("viewBox", view_box((width, height)))
}

pub const NAME_SPACE: &str = "http://www.w3.org/2000/svg";

/// Returns the part of the plane that a drawing of this size shows.
pub fn view_box((width, height): Pair) -> String {
    format!("0 0 {} {}", number(width), number(height))
}

/// Returns words, which begin at a place unless an anchor says otherwise.
pub fn text((x, y): Pair, words: &str) -> Element {
    Element::new("text").at([("x", x), ("y", y)]).saying(words)
}

pub fn line((x1, y1): Pair, (x2, y2): Pair) -> Element {
    Element::new("line").at([("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)])
}

/// Returns a rectangle by its upper left corner and its size.
pub fn rect((x, y): Pair, (width, height): Pair) -> Element {
    Element::new("rect").at([("x", x), ("y", y), ("width", width), ("height", height)])
}

pub fn circle((x, y): Pair, radius: f64) -> Element {
    Element::new("circle").at([("cx", x), ("cy", y), ("r", radius)])
}

/// Returns a line through points.
pub fn polyline(points: &[Pair]) -> Element {
    Element::new("polyline").with("points", list(points))
}

pub fn polygon(points: &[Pair]) -> Element {
    Element::new("polygon").with("points", list(points))
}

fn list(points: &[Pair]) -> String {
    let point = |(x, y): &Pair| format!("{},{}", number(*x), number(*y));
    points.iter().map(point).collect::<Vec<String>>().join(" ")
}

/// A path, written command by command.
#[derive(Clone, Debug, Default)]
pub struct Path(String);

impl Path {
    /// Adds a command with its numbers, such as `M` with a place.
    pub fn go(&mut self, command: char, numbers: &[f64]) -> &mut Path {
        self.0.push(command);
        let numbers: Vec<String> = numbers.iter().map(|x| number(*x)).collect();
        self.0.push_str(&numbers.join(" "));
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the path as an element.
    pub fn element(&self) -> Element {
        Element::new("path").with("d", &self.0)
    }
}

/// Returns a number with at most two decimals, as briefly as possible.
pub fn number(x: f64) -> String {
    let text = format!("{x:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_owned(),
        _ => text.to_owned(),
    }
}

/// Returns the text as SVG and HTML write it.
pub fn escaped(words: &str) -> String {
    words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_escaped_and_numbers_brief() {
        let mut group = Element::new("g").with("class", "").titled("1 < 2");
        group.add(text((1.0, -0.001), "\"&\"").with("fill", "a>b"));
        group.add(circle((0.5, 1.254), 3.0));
        let expected = "<g><title>1 &lt; 2</title>\n\
                        <text x=\"1\" y=\"0\" fill=\"a&gt;b\">&quot;&amp;&quot;</text>\n\
                        <circle cx=\"0.5\" cy=\"1.25\" r=\"3\"/>\n</g>";
        assert_eq!(group.to_string(), expected);
        let mut path = Path::default();
        path.go('M', &[1.0, 2.5]).go('h', &[-3.0]).go('z', &[]);
        assert_eq!(path.element().to_string(), "<path d=\"M1 2.5h-3z\"/>");
    }
}
