//! Something is changed while it is borrowed.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(texts: &mut Vec<String>) -> Result<usize, Busy> {
    let first = &texts[0];
    texts.push(String::new());
    Ok(first.len())
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(texts: &mut Vec<String>) -> Result<usize, Busy> {
    let first = &texts[0];
    texts.push(String::new());
    Ok(first.len())
}

pub struct Client {
    texts: Vec<String>,
}

impl Client {
    #[retry_runtime::retry(on = is_busy)]
    pub fn now(&mut self) -> Result<usize, Busy> {
        let first = &self.texts[0];
        self.texts.push(String::new());
        Ok(first.len())
    }

    #[retry_runtime::retry(on = is_busy)]
    pub async fn later(&mut self) -> Result<usize, Busy> {
        let first = &self.texts[0];
        self.texts.push(String::new());
        Ok(first.len())
    }
}

fn main() {}
