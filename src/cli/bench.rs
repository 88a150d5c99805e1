use super::Failure;
#[derive(clap::Args, Debug)]
pub struct Arguments {}
pub fn run(_: &Arguments) -> Result<(), Failure> {
    Ok(())
}
