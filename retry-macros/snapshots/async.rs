async fn load(&self, key: Key) -> Result<Row, Error> {
    let policy = const { &::retry_runtime::__private::draft().max(3u32).done() };
    let mut run = ::retry_runtime::__private::Count::start();
    loop {
        let delay = {
            let outcome = async {
                if let ::retry_runtime::__private::Some(never) = ::retry_runtime::__private::None::<
                    Result<Row, Error>,
                > {
                    #[allow(unreachable_code)] return never;
                }
                let _ = &self;
                { self.table.read(&key).await?.ok_or(Error::Gone) }
            }
                .await;
            let ::retry_runtime::__private::Some(error) = ::retry_runtime::__private::Fallible::error(
                &outcome,
            ) else {
                return outcome;
            };
            if !::retry_runtime::__private::answered(error, is_busy(error)) {
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
        ::retry_runtime::__private::sleep(delay).await;
    }
}
