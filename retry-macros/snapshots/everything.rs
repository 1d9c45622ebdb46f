async fn pay(&mut self, mut order: Order) -> Result<Receipt, Error> {
    const {
        ::retry_runtime::__private::at_least_one(
                RETRIES,
                "`max` must be at least 1: it counts the retries after the first attempt; a function without retries needs no attribute",
            )
            .hold()
    };
    let entry = ::retry_runtime::__private::Clock::now(
        ::retry_runtime::__private::Clock::Async,
    );
    let key = new_key();
    let mut tries = 0;
    let policy = const {
        &::retry_runtime::__private::draft()
            .max(
                ::retry_runtime::__private::at_least_one(
                        RETRIES,
                        "`max` must be at least 1: it counts the retries after the first attempt; a function without retries needs no attribute",
                    )
                    .value,
            )
            .deadline(::retry_runtime::__private::Duration::from_millis(2500))
            .retry_after_mode(::retry_runtime::__private::RetryAfterMode::Replace)
            .done()
    };
    let mut run = ::retry_runtime::__private::Call::entered(
        policy,
        ::retry_runtime::__private::Clock::Async,
        entry,
    );
    loop {
        let now = ::retry_runtime::__private::Call::attempt(&mut run, policy);
        let delay = {
            let outcome = {
                let mut attempt = ::retry_runtime::__private::pin!(
                    async { if let ::retry_runtime::__private::Some(never) =
                    ::retry_runtime::__private::None:: < Result < Receipt, Error > > {
                    #[allow(unreachable_code)] return never; } let _ = & mut * self; let
                    _ = & self; let _ = & mut order; #[allow(clippy::shadow_reuse,
                    clippy::shadow_same, clippy::shadow_unrelated)] let order =
                    ::retry_runtime::__private::Clone::clone(& order); let ret : Result <
                    Receipt, Error > = { self.send(order, key, now.number()). await };
                    #[allow(unreachable_code)] ret }
                );
                ::retry_runtime::__private::inside(
                        ::retry_runtime::__private::Call::deadline(&run),
                        attempt.as_mut(),
                    )
                    .await
            };
            let ::retry_runtime::__private::Some(error) = ::retry_runtime::__private::Fallible::error(
                &outcome,
            ) else {
                return outcome;
            };
            if !::retry_runtime::__private::asks(error, |e| self.is_transient(e)) {
                return outcome;
            }
            match ::retry_runtime::__private::Call::failed(
                &mut run,
                policy,
                ::retry_runtime::__private::hinted(error, hint_of(error)),
            ) {
                ::retry_runtime::__private::Step::Wait(delay) => {
                    ::retry_runtime::__private::Told::told(
                        note(
                            &::retry_runtime::__private::Call::retrying(
                                &run,
                                error,
                                delay,
                            ),
                        ),
                    );
                    delay
                }
                ::retry_runtime::__private::Step::GiveUp(reason) => {
                    ::retry_runtime::__private::tells(
                        &::retry_runtime::__private::Call::given_up(&run, error, reason),
                        |event| self.alert(event),
                    );
                    return outcome;
                }
            }
        };
        ::retry_runtime::__private::sleep(delay).await;
    }
}
