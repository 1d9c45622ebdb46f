//! Errors of the body stay on the user's line, and there is one of each.

use retry_runtime::{always, retry};

struct Busy;

struct Client {
    sent: Vec<String>,
}

#[retry(on = always)]
fn a_wrong_type(n: u32) -> Result<String, Busy> {
    if n == 0 {
        return Err(Busy);
    }
    Ok("ready")
}

#[retry(on = always)]
async fn a_wrong_type_later(n: u32) -> Result<String, Busy> {
    if n == 0 {
        return Err(Busy);
    }
    Ok("ready")
}

#[retry(on = always)]
async fn a_wrong_return_later() -> Result<String, Busy> {
    return Ok(7);
}

#[retry(on = always)]
fn an_unknown_name() -> Result<u32, Busy> {
    Ok(nowhere)
}

#[retry(on = always)]
async fn an_unknown_method(text: String) -> Result<usize, Busy> {
    Ok(text.length())
}

#[retry(on = always)]
fn a_moved_argument(text: String) -> Result<(), Busy> {
    drop(text);
    Ok(())
}

#[retry(on = always)]
async fn a_moved_argument_later(text: String) -> Result<(), Busy> {
    drop(text);
    Ok(())
}

#[retry(on = always)]
fn a_second_borrow(texts: &mut Vec<String>) -> Result<(), Busy> {
    let first = &texts[0];
    texts.push(String::new());
    drop(first.len());
    Ok(())
}

#[retry(on = always)]
fn a_question_of_another_error(text: &str) -> Result<u32, Busy> {
    Ok(text.parse()?)
}

#[retry(on = always)]
fn a_missing_value(n: u32) -> Result<u32, Busy> {
    if n == 0 {
        Err(Busy)
    }
}

#[retry(on = always)]
fn a_stray_break(n: u32) -> Result<u32, Busy> {
    break;
    Ok(n)
}

#[retry(on = always)]
async fn a_stray_continue(n: u32) -> Result<u32, Busy> {
    continue;
    Ok(n)
}

#[retry(on = always)]
fn an_await_in_a_blocking_function() -> Result<(), Busy> {
    std::future::ready(()).await;
    Ok(())
}

impl Client {
    #[retry(on = always)]
    fn changes_what_it_borrows(&self) -> Result<(), Busy> {
        self.sent.push(String::new());
        Ok(())
    }

    #[retry(on = always)]
    async fn moves_out_of_what_it_borrows(&self) -> Result<Vec<String>, Busy> {
        Ok(self.sent)
    }
}

#[retry(when = |()| false)]
fn returns_nothing() {
    3
}

#[retry(when = |()| false)]
async fn returns_nothing_later() {
    3
}

#[retry(when = |_| false)]
fn never_returns(times: u32) -> ! {
    let _ = times;
}

#[retry(on = always)]
fn changes_what_is_lent(texts: &Vec<String>) -> Result<(), Busy> {
    texts.push(String::new());
    Ok(())
}

impl Client {
    #[retry(on = always)]
    async fn lends_of_another(&self, other: &Client) -> Result<&[String], Busy> {
        let _ = self.sent.len();
        Ok(&other.sent)
    }
}

fn main() {
    let _ = (a_wrong_type(1), an_unknown_name(), a_missing_value(1));
}
