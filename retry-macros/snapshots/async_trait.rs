fn pay<'life0, 'async_trait>(
    &'life0 mut self,
    order: Order,
) -> ::core::pin::Pin<
    Box<
        dyn ::core::future::Future<
            Output = Result<Receipt, Error>,
        > + ::core::marker::Send + 'async_trait,
    >,
>
where
    'life0: 'async_trait,
    Self: 'async_trait,
{
    Box::pin(async move {
        if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
            Result<Receipt, Error>,
        > {
            #[allow(unreachable_code)] return __ret;
        }
        let mut __self = self;
        let mut order = order;
        let policy = const { &::retry_runtime::__private::draft().done() };
        let mut run = ::retry_runtime::__private::Count::start();
        loop {
            let delay = {
                let outcome = async {
                    if let ::retry_runtime::__private::Some(never) = ::retry_runtime::__private::None::<
                        Result<Receipt, Error>,
                    > {
                        #[allow(unreachable_code)] return never;
                    }
                    #[allow(
                        clippy::shadow_reuse,
                        clippy::shadow_same,
                        clippy::shadow_unrelated
                    )]
                    let __self = &mut *__self;
                    let _ = &mut order;
                    #[allow(
                        clippy::shadow_reuse,
                        clippy::shadow_same,
                        clippy::shadow_unrelated
                    )]
                    let order = ::retry_runtime::__private::Clone::clone(&order);
                    let ret: Result<Receipt, Error> = {
                        let __ret: Result<Receipt, Error> = { __self.send(order).await };
                        #[allow(unreachable_code)] __ret
                    };
                    #[allow(unreachable_code)] ret
                }
                    .await;
                let ::retry_runtime::__private::Some(error) = ::retry_runtime::__private::Fallible::error(
                    &outcome,
                ) else {
                    return outcome;
                };
                if !::retry_runtime::__private::asks(error, |e| __self.is_transient(e)) {
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
    })
}
