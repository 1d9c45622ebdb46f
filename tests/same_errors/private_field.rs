//! A field of somebody else.

#[derive(Debug)]
pub struct Busy;

fn is_busy(_: &Busy) -> bool {
    true
}

mod other {
    #[derive(Default)]
    pub struct Account {
        cents: u32,
    }

    impl Account {
        fn cents(&self) -> u32 {
            self.cents
        }
    }
}

#[retry_runtime::retry(on = is_busy)]
pub fn now(account: &other::Account) -> Result<u32, Busy> {
    Ok(account.cents)
}

#[retry_runtime::retry(on = is_busy)]
pub async fn later(account: &other::Account) -> Result<u32, Busy> {
    Ok(account.cents())
}

fn main() {}
