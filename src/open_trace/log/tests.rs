use super::*;
use std::time::Instant;

/// Longer than any test takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder that only this test uses, removed at its end; it must be empty then.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("plyscope-log-{name}-{}", std::process::id());
        Folder(std::env::temp_dir().join(name))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn spool(folder: &Folder, budget: u64) -> Arc<Log> {
    Arc::new(Log::spool(&folder.0, budget).expect("a spool"))
}

/// The byte at an offset of the streams here.
fn byte(at: u64) -> u8 {
    (at % 251) as u8
}

fn stretch(from: u64, count: u64) -> Vec<u8> {
    (from..from + count).map(byte).collect()
}

#[test]
fn a_reader_waits_for_what_comes_and_ends_with_the_stream() {
    let folder = Folder::new("waits");
    let log = spool(&folder, 1 << 20);
    let mut reader = log.shared_reader_from(0, PATIENCE);
    let reads = std::thread::spawn(move || {
        let mut all = Vec::new();
        reader.read_to_end(&mut all).map(|_| all)
    });
    for part in 0..100 {
        assert!(log.append(&stretch(part * 777, 777)).expect("written"));
    }
    log.finish(End::default());
    let all = reads.join().expect("no panic").expect("read");
    assert_eq!(all, stretch(0, 77_700));
    assert!(!log.append(b"more").expect("not written"));
    assert_eq!((log.len(), log.starts_at()), (77_700, 0));
    // On Unix nothing is left behind even if the program is killed.
    #[cfg(unix)]
    assert_eq!(std::fs::read_dir(&folder.0).expect("a folder").count(), 0);
}

#[test]
fn the_patience_of_a_reader_ends_and_it_may_ask_again() {
    let folder = Folder::new("patience");
    let log = spool(&folder, 1 << 20);
    let mut reader = log.reader_from(0, Duration::from_millis(20));
    let begun = Instant::now();
    let nothing = reader.read(&mut [0; 8]).expect_err("nothing has come");
    assert_eq!(nothing.kind(), io::ErrorKind::WouldBlock);
    assert!(begun.elapsed() >= Duration::from_millis(20));
    log.append(b"abc").expect("written");
    assert_eq!(reader.read(&mut [0; 8]).expect("read"), 3);
    log.finish(End::default());
    assert_eq!(reader.read(&mut [0; 8]).expect("the end"), 0);
}

#[test]
fn only_what_was_read_is_forgotten_and_whoever_appends_waits_for_the_reader() {
    const BUDGET: u64 = 64 << 10;
    let folder = Folder::new("forgets");
    let log = spool(&folder, BUDGET);
    let sends = {
        let log = Arc::clone(&log);
        std::thread::spawn(move || {
            for part in 0..200 {
                log.append(&stretch(part * 1_000, 1_000)).expect("written");
            }
            log.finish(End::default());
        })
    };
    while !log.is_full() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let full = log.len();
    assert!(full <= BUDGET && log.starts_at() == 0, "{full}");
    let mut slow = log.reader_from(0, PATIENCE);
    let mut all = Vec::new();
    let mut reader = log.reader_from(0, PATIENCE);
    reader.read_exact(&mut vec![0; 60_000]).expect("read");
    // The slower one still needs all of it.
    std::thread::sleep(Duration::from_millis(20));
    assert!(log.is_full() && log.starts_at() == 0);
    drop(reader);
    slow.read_to_end(&mut all).expect("read");
    assert_eq!(all, stretch(0, 200_000));
    sends.join().expect("no panic");
    assert!(log.len() - log.starts_at() <= BUDGET);
    let mut late = log.reader_from(0, PATIENCE);
    let forgotten = late.read(&mut [0; 8]).expect_err("forgotten");
    assert_eq!(
        forgotten.to_string(),
        "this part of the stream is forgotten"
    );
    // Going back reaches as far as the budget.
    let mut last = log.reader_from(log.starts_at(), PATIENCE);
    let mut rest = Vec::new();
    last.read_to_end(&mut rest).expect("read");
    assert_eq!(rest, stretch(log.starts_at(), 200_000 - log.starts_at()));
    assert!(log.save_as(&folder.0.join("saved")).is_err());
}

#[test]
fn a_full_spool_takes_the_end() {
    let folder = Folder::new("full");
    let log = spool(&folder, 1);
    let sends = {
        let log = Arc::clone(&log);
        std::thread::spawn(move || log.append(&[7; 100_000]))
    };
    while !log.is_full() {
        std::thread::sleep(Duration::from_millis(1));
    }
    log.finish(End {
        cut_short: Some("nobody reads it".to_owned()),
    });
    assert!(!sends.join().expect("no panic").expect("not written"));
    log.finish(End::default());
    assert!(log.ended().is_some_and(|end| end.cut_short.is_some()) && !log.is_full());
}

#[test]
fn what_can_not_be_kept_is_an_error_and_the_rest_stays() {
    let folder = Folder::new("lost");
    let log = spool(&folder, 64 << 10);
    std::fs::remove_dir_all(&folder.0).expect("removed");
    std::fs::write(&folder.0, "in the way").expect("a file");
    assert!(log.append(&stretch(0, 10_000)).is_err());
    std::fs::remove_file(&folder.0).expect("removed");
    log.finish(End::default());
    let mut all = Vec::new();
    let mut reader = log.reader_from(0, PATIENCE);
    reader.read_to_end(&mut all).expect("read");
    assert_eq!(all, stretch(0, 4_096));
}

#[test]
fn what_came_is_saved_and_opens_as_a_recorded_stream() {
    let folder = Folder::new("saves");
    let log = spool(&folder, 1 << 20);
    log.append(&stretch(0, 300_000)).expect("written");
    let file = folder.0.join("search.plytrace");
    log.save_as(&file).expect("saved");
    // A copy is no reader: what nobody else read is kept.
    assert_eq!(log.store().read, 0);
    let recorded = Arc::new(Log::open(&file).expect("a file"));
    let mut all = Vec::new();
    let mut reader = recorded.reader_from(100_000, PATIENCE);
    reader.read_to_end(&mut all).expect("read");
    assert_eq!(all, stretch(100_000, 200_000));
    assert!(recorded.append(b"x").is_ok_and(|taken| !taken));
    assert!(Log::open(&folder.0).is_err());
}

#[test]
fn whoever_steers_is_told_what_is_wanted() {
    let folder = Folder::new("wants");
    let log = spool(&folder, 1 << 20);
    log.want(Want::Until(7));
    let (said, heard) = std::sync::mpsc::channel();
    log.steer(move |want| said.send(want).expect("a listener"));
    for want in [Want::Until(7), Want::All, Want::All, Want::Until(9)] {
        log.want(want);
    }
    let told: Vec<Want> = heard.try_iter().collect();
    assert_eq!(told, [Want::Until(7), Want::All, Want::Until(9)]);
    // While it is paused, what is wanted is only remembered.
    log.pause(true);
    log.pause(true);
    log.want(Want::All);
    log.want(Want::Until(11));
    log.pause(false);
    let told: Vec<Want> = heard.try_iter().collect();
    assert_eq!(told, [Want::Nothing, Want::Until(11)]);
}
