async fn load(&self, key: Key) -> Result<Row, Error> {
    let mut __run = ::retry_runtime::__private::Count::start();
    loop {
        let __delay = {
            let __outcome = async {
                if false {
                    #[allow(unreachable_code)]
                    return ::retry_runtime::__private::never::<Result<Row, Error>>();
                }
                let _ = &self;
                self.table.read(&key).await?.ok_or(Error::Gone)
            }
                .await;
            let mut __delay = ::retry_runtime::__private::None;
            if let ::retry_runtime::__private::Some(__error) = ::retry_runtime::__private::Fallible::error(
                &__outcome,
            ) {
                if ::retry_runtime::__private::answered(__error, is_busy(__error)) {
                    __delay = {
                        use ::retry_runtime::__private::probe::*;
                        (&::retry_runtime::__private::probe::Probe(__error))
                            .__failed(
                                &mut __run,
                                const {
                                    &::retry_runtime::__private::draft().max(3u32).plain()
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
        ::retry_runtime::__private::sleep(__delay).await;
    }
}
