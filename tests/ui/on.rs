//! `on`: what is no function.

use retry_runtime::retry;

struct Busy;

struct Client;

fn is_busy(_: &Busy) -> bool {
    true
}

#[retry(on)]
fn without_a_value() -> Result<(), Busy> {
    Ok(())
}

#[retry(on =)]
fn with_an_empty_value() -> Result<(), Busy> {
    Ok(())
}

#[retry(on(is_busy))]
fn as_a_list() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = "is_busy")]
fn as_a_text() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = "is busy")]
fn as_another_text() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = is_busy())]
fn called() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = true)]
fn as_an_answer() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = 503)]
fn as_a_code() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = none)]
fn switched_off() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = !is_busy)]
fn turned_round() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = is_busy || is_busy)]
fn two_of_them() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = async |error| is_busy(error))]
async fn awaited() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = is_busy, on = is_busy)]
fn twice() -> Result<(), Busy> {
    Ok(())
}

#[retry(on = is_busy, when = Result::is_err)]
fn beside_when() -> Result<(), Busy> {
    Ok(())
}

impl Client {
    fn classify(&self, _: &Busy) -> bool {
        true
    }

    #[retry(on = self)]
    fn the_receiver(&self) -> Result<(), Busy> {
        Ok(())
    }

    #[retry(on = self.classify)]
    fn a_method(&self) -> Result<(), Busy> {
        Ok(())
    }

    #[retry(on = self.classify(error))]
    fn a_method_called(&self) -> Result<(), Busy> {
        Ok(())
    }
}

fn main() {
    let _ = (without_a_value(), called(), twice(), beside_when(), is_busy(&Busy));
    let _ = (Client.a_method(), Client.classify(&Busy));
}
