fn load(&self, key: Key) -> Result<Row, Error> {
    let policy = const {
        &::retry_runtime::__private::draft()
            .strategy(::retry_runtime::__private::Strategy::Equal)
            .base(::retry_runtime::__private::Duration::from_millis(50))
            .max(3u32)
            .done()
    };
    let mut run = ::retry_runtime::__private::Count::start();
    loop {
        let delay = {
            let outcome = ::retry_runtime::__private::attempt(|| -> Result<Row, Error> {
                let _ = &self;
                { self.table.read(&key)?.ok_or(Error::Gone) }
            });
            let ::retry_runtime::__private::Some(error) = ::retry_runtime::__private::Fallible::error(
                &outcome,
            ) else {
                return outcome;
            };
            if !::retry_runtime::__private::Retryable::is_retryable(&*error) {
                return outcome;
            }
            match ::retry_runtime::__private::Count::failed(
                &mut run,
                policy,
                {
                    use ::retry_runtime::__private::probe::*;
                    (&&&::retry_runtime::__private::probe::Probe(error)).__hint()
                },
            ) {
                ::retry_runtime::__private::Some(delay) => delay,
                ::retry_runtime::__private::None => return outcome,
            }
        };
        ::retry_runtime::__private::block(delay);
    }
}
