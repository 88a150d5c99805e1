//! What the client is told without asking: stops, news, progress, events.

use std::io::{self, Write};
use std::time::Instant;

use serde::Serialize;

use super::desk::Desk;
use super::message::Notification;
use crate::describe::{self, NewsReport, PointReport};
use crate::framing::Speaker;
use report::event::json::EventJson;
use report::text::Style;
use search::Event;

/// The events in one message at most.
const TOGETHER: usize = 1000;

#[derive(Serialize)]
struct NewsNotice {
    session: u64,
    news: Vec<NewsReport>,
}

#[derive(Serialize)]
struct EventsNotice {
    session: u64,
    events: Vec<EventJson>,
}

#[derive(Serialize)]
struct ProgressNotice {
    session: u64,
    nodes: u64,
    time_ms: u64,
    points: Vec<PointReport>,
}

/// Tells what has happened in a session since the last call.
///
/// # Errors
/// If the output can't be written to.
pub fn tell<W: Write>(number: u64, desk: &mut Desk, speaker: &mut Speaker<W>) -> io::Result<()> {
    let stop = desk.search.stop();
    desk.ran |= stop.is_none() && desk.search.session().is_some();
    tell_events(number, desk, speaker)?;
    tell_progress(number, desk, speaker)?;
    // Those who wait for it are told by their answers.
    if !desk.parked.is_empty() {
        return Ok(());
    }
    if let Some(stop) = stop.filter(|_| desk.ran) {
        desk.ran = false;
        let news = desk.search.take_news();
        if desk.subscription.stops {
            let method = match stop.ended {
                Some(_) => "ended",
                None => "stopped",
            };
            let report = describe::stop(number, &desk.search, Some(&stop), news);
            speaker.send(&Notification::new(method, report))?;
        }
        return Ok(());
    }
    let news = desk.search.take_news();
    if !news.is_empty() && desk.subscription.stops {
        let news = news.into_iter().map(NewsReport::from).collect();
        let notice = NewsNotice {
            session: number,
            news,
        };
        speaker.send(&Notification::new("news", notice))?;
    }
    Ok(())
}

fn tell_events<W: Write>(number: u64, desk: &mut Desk, speaker: &mut Speaker<W>) -> io::Result<()> {
    let Some(session) = desk.search.session().filter(|_| desk.subscription.events) else {
        return Ok(());
    };
    let now = session.event_position().now;
    // Going back, events happen again.
    desk.events_told = desk.events_told.min(now);
    loop {
        let told = desk.events_told;
        let news: Vec<(u64, Event)> = session.with_log(|log| {
            let later = log.iter().skip_while(|(n, _)| *n <= told);
            let later = later.take_while(|(n, _)| *n <= now).take(TOGETHER);
            later.map(|(n, event)| (n, event.clone())).collect()
        });
        let Some((last, _)) = news.last() else {
            return Ok(());
        };
        desk.events_told = *last;
        let reader = session.reader();
        let events = news
            .iter()
            .map(|(n, event)| EventJson::new(&reader, *n, event, Style::default()));
        let notice = EventsNotice {
            session: number,
            events: events.collect(),
        };
        speaker.send(&Notification::new("events", notice))?;
    }
}

fn tell_progress<W: Write>(
    number: u64,
    desk: &mut Desk,
    speaker: &mut Speaker<W>,
) -> io::Result<()> {
    let (Some(every), Some(session)) = (desk.subscription.progress, desk.search.session()) else {
        return Ok(());
    };
    let is_due = desk.progress_told.is_none_or(|at| at.elapsed() >= every);
    if !is_due && desk.search.stop().is_none() {
        return Ok(());
    }
    let points = session.progress();
    desk.points_told = desk.points_told.min(points.len());
    if points.len() == desk.points_told {
        return Ok(());
    }
    let new = points[desk.points_told..].iter();
    let status = session.status();
    let notice = ProgressNotice {
        session: number,
        nodes: status.totals.nodes,
        time_ms: status.elapsed.as_millis() as u64,
        points: new.map(|point| PointReport::new(session, point)).collect(),
    };
    desk.points_told = points.len();
    desk.progress_told = Some(Instant::now());
    speaker.send(&Notification::new("progress", notice))
}
