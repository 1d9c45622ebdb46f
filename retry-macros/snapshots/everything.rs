async fn pay(&mut self, mut order: Order) -> Result<Receipt, Error> {
    const {
        ::retry_runtime::__private::at_least_one(
                RETRIES,
                "`max` must be at least 1: it counts the retries after the first attempt; a function without retries needs no attribute",
            )
            .hold()
    };
    let __entry = ::retry_runtime::__private::Clock::now(
        ::retry_runtime::__private::Clock::Async,
    );
    let key = new_key();
    let mut tries = 0;
    let __policy = const {
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
    let mut __run = ::retry_runtime::__private::Call::entered(
        __policy,
        ::retry_runtime::__private::Clock::Async,
        __entry,
    );
    loop {
        let now = ::retry_runtime::__private::Call::attempt(&mut __run, __policy);
        let __delay = {
            let __outcome = {
                let mut __attempt = ::retry_runtime::__private::pin!(
                    async { if false { #[allow(unreachable_code)] return
                    ::retry_runtime::__private::never:: < Result < Receipt, Error > > ();
                    } let _ = & mut * self; let _ = & self; let _ = & mut order;
                    #[allow(clippy::shadow_reuse, clippy::shadow_same,
                    clippy::shadow_unrelated)] let order =
                    ::retry_runtime::__private::Clone::clone(& order);
                    #[allow(clippy::diverging_sub_expression)] let __ret : Result <
                    Receipt, Error > = { self.send(order, key, now.number()). await };
                    #[allow(unreachable_code)] __ret }
                );
                ::retry_runtime::__private::inside(
                        ::retry_runtime::__private::Call::deadline(&__run),
                        ::retry_runtime::__private::Pin::as_mut(&mut __attempt),
                    )
                    .await
            };
            let ::retry_runtime::__private::Some(__error) = ::retry_runtime::__private::Fallible::error(
                &__outcome,
            ) else {
                return __outcome;
            };
            if !::retry_runtime::__private::asks(__error, |e| self.is_transient(e)) {
                return __outcome;
            }
            match ::retry_runtime::__private::Call::failed(
                &mut __run,
                __policy,
                ::retry_runtime::__private::hinted(__error, hint_of(__error)),
            ) {
                ::retry_runtime::__private::Step::Wait(__delay) => {
                    ::retry_runtime::__private::Told::told(
                        note(
                            &::retry_runtime::__private::Call::retrying(
                                &__run,
                                __error,
                                __delay,
                            ),
                        ),
                    );
                    __delay
                }
                ::retry_runtime::__private::Step::GiveUp(__reason) => {
                    ::retry_runtime::__private::tells(
                        &::retry_runtime::__private::Call::given_up(
                            &__run,
                            __error,
                            __reason,
                        ),
                        |event| self.alert(event),
                    );
                    return __outcome;
                }
            }
        };
        ::retry_runtime::__private::sleep(__delay).await;
    }
}
