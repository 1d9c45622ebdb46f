//! A body that is still being typed: one error of the parser, the function is known, and its settings are still judged.

use retry_runtime::{always, retry};

struct Client {
    sent: u32,
}

impl Client {
    #[retry(on = always)]
    fn send(&self) -> Result<u32, ()> {
        self.
    }

    #[retry(on = always, max = 0)]
    async fn send_later(&self) -> Result<u32, ()> {
        let sent = self.sent
    }

    #[retry(on = always)]
    async fn ask(&self) -> Result<u32, ()> {
        self.send_later().await?;
        self.sent.
    }
}

fn main() {
    let client = Client { sent: 1 };
    let _ = (client.send(), client.send_later(), client.ask());
}
