//! Horizontal bars of shares.

use ratatui::style::Style;

use crate::pen::Pen;

/// Draws a bar of `share` (0 to 1) of `columns`; a positive share shows at least half a cell.
pub fn bar(pen: &mut Pen, x: u16, y: u16, columns: u16, share: f32, style: Style) {
    let halves = (share.clamp(0.0, 1.0) * f32::from(columns) * 2.0).round() as u16;
    let halves = halves.max(u16::from(share > 0.0));
    for i in 0..halves / 2 {
        pen.char(x + i, y, pen.glyphs.bar, style);
    }
    if halves % 2 == 1 && halves / 2 < columns {
        pen.char(x + halves / 2, y, pen.glyphs.bar_half, style);
    }
}
