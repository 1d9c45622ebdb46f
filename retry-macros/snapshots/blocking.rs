fn load(&self, key: Key) -> Result<Row, Error> {
    let mut __run = ::retry_runtime::__private::Count::start();
    loop {
        let __delay = {
            let __outcome = ::retry_runtime::__private::attempt(|| -> Result<Row, Error> {
                let _ = &self;
                self.table.read(&key)?.ok_or(Error::Gone)
            });
            let mut __delay = ::retry_runtime::__private::None;
            if let ::retry_runtime::__private::Some(__error) = ::retry_runtime::__private::Fallible::error(
                &__outcome,
            ) {
                if ::retry_runtime::__private::Retryable::is_retryable(&*__error) {
                    __delay = {
                        use ::retry_runtime::__private::probe::*;
                        (&::retry_runtime::__private::probe::Probe(__error))
                            .__failed(
                                &mut __run,
                                const {
                                    &::retry_runtime::__private::draft()
                                        .strategy(::retry_runtime::__private::Strategy::Equal)
                                        .base(::retry_runtime::__private::Duration::from_millis(50))
                                        .max(3u32)
                                        .plain()
                                },
                            )
                    };
                }
            }
            match __delay {
                ::retry_runtime::__private::Some(__delay) => __delay,
                ::retry_runtime::__private::None => return __outcome,
            }
        };
        ::retry_runtime::__private::block(__delay);
    }
}
