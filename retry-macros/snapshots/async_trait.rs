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
        let mut __run = ::retry_runtime::__private::Count::start();
        loop {
            let __delay = {
                let __outcome = async {
                    if false {
                        #[allow(unreachable_code)]
                        return ::retry_runtime::__private::never::<
                            Result<Receipt, Error>,
                        >();
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
                    let __ret: Result<Receipt, Error> = {
                        let __ret: Result<Receipt, Error> = { __self.send(order).await };
                        #[allow(unreachable_code)] __ret
                    };
                    #[allow(unreachable_code)] __ret
                }
                    .await;
                let mut __delay = ::retry_runtime::__private::None;
                if let ::retry_runtime::__private::Some(__error) = ::retry_runtime::__private::Fallible::error(
                    &__outcome,
                ) {
                    if ::retry_runtime::__private::asks(
                        __error,
                        |e| __self.is_transient(e),
                    ) {
                        __delay = {
                            use ::retry_runtime::__private::probe::*;
                            (&::retry_runtime::__private::probe::Probe(__error))
                                .__failed(
                                    &mut __run,
                                    const { &::retry_runtime::__private::draft().plain() },
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
    })
}
