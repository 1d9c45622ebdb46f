async fn load(&self, key: Key) -> Result<Row, Error> {
    let __policy = const { &::retry_runtime::__private::draft().max(3u32).done() };
    let mut __run = ::retry_runtime::__private::Count::start();
    loop {
        let __delay = {
            let __outcome = async {
                if let ::retry_runtime::__private::Some(__never) = ::retry_runtime::__private::None::<
                    Result<Row, Error>,
                > {
                    #[allow(unreachable_code)] return __never;
                }
                let _ = &self;
                { self.table.read(&key).await?.ok_or(Error::Gone) }
            }
                .await;
            let ::retry_runtime::__private::Some(__error) = ::retry_runtime::__private::Fallible::error(
                &__outcome,
            ) else {
                return __outcome;
            };
            if !::retry_runtime::__private::answered(__error, is_busy(__error)) {
                return __outcome;
            }
            match ::retry_runtime::__private::Count::failed(
                &mut __run,
                __policy,
                {
                    use ::retry_runtime::__private::probe::*;
                    (&&&::retry_runtime::__private::probe::Probe(__error)).__hint()
                },
            ) {
                ::retry_runtime::__private::Some(__delay) => __delay,
                ::retry_runtime::__private::None => return __outcome,
            }
        };
        ::retry_runtime::__private::sleep(__delay).await;
    }
}
