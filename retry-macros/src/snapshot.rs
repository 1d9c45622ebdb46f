//! What the attribute makes of a function, kept as text: a change of the expansion is seen in review.

#![allow(clippy::needless_pass_by_value, reason = "tests write `quote!` at the call")]

use proc_macro2::TokenStream;
use quote::quote;

use crate::annotate;

fn check(name: &str, attribute: TokenStream, item: TokenStream) {
    compare(name, &annotate(attribute, &item));
}

/// Compares with `snapshots/<name>.rs`; with `SNAPSHOT=overwrite` in the environment writes it.
fn compare(name: &str, expansion: &TokenStream) {
    let file = syn::parse_str(&expansion.to_string()).expect("an expansion is a file of items");
    let text = prettyplease::unparse(&file);
    let path = format!("{}/snapshots/{name}.rs", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("SNAPSHOT").is_some_and(|wish| wish == "overwrite") {
        std::fs::write(&path, &text).expect("snapshots can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == text,
        "the expansion differs from {path}; read it, then write it with SNAPSHOT=overwrite:\n{text}"
    );
}

#[test]
fn an_async_function() {
    check(
        "async",
        quote!(max = 3, on = is_busy),
        quote! {
            async fn load(&self, key: Key) -> Result<Row, Error> {
                self.table.read(&key).await?.ok_or(Error::Gone)
            }
        },
    );
}

#[test]
fn a_blocking_function() {
    check(
        "blocking",
        quote!(strategy = "equal", base_ms = 50, max = 3),
        quote! {
            fn load(&self, key: Key) -> Result<Row, Error> {
                self.table.read(&key)?.ok_or(Error::Gone)
            }
        },
    );
}

#[test]
fn a_body_that_cannot_be_left() {
    check(
        "in_place",
        quote!(max = 3, on = is_busy),
        quote! {
            async fn load(&self, key: &Key) -> Result<Row, Error> {
                self.table.read(key).await
            }
        },
    );
}

#[test]
fn with_everything() {
    check(
        "everything",
        quote!(
            on = |e| self.is_transient(e),
            retry_after = hint_of,
            retry_after_mode = "replace",
            deadline = "2.5s",
            max = RETRIES,
            clone(order),
            once(key = new_key(), mut tries = 0),
            attempt = now,
            on_retry = note,
            on_give_up = |event| self.alert(event)
        ),
        quote! {
            async fn pay(&mut self, order: Order) -> Result<Receipt, Error> {
                self.send(order, key, now.number()).await
            }
        },
    );
}

#[test]
fn under_async_trait() {
    check(
        "async_trait",
        quote!(clone(order), on = |e| self.is_transient(e)),
        quote! {
            fn pay<'life0, 'async_trait>(
                &'life0 mut self,
                order: Order
            ) -> ::core::pin::Pin<Box<
                dyn ::core::future::Future<Output = Result<Receipt, Error>> + ::core::marker::Send + 'async_trait
            >>
            where
                'life0: 'async_trait,
                Self: 'async_trait
            {
                Box::pin(async move {
                    if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<Result<Receipt, Error>> {
                        #[allow(unreachable_code)]
                        return __ret;
                    }
                    let mut __self = self;
                    let order = order;
                    let __ret: Result<Receipt, Error> = { __self.send(order).await };
                    #[allow(unreachable_code)]
                    __ret
                })
            }
        },
    );
}

#[test]
fn a_fault_leaves_the_function_standing() {
    check(
        "fault",
        quote!(max = 0, cap = 4, on = is_busy, attempt = now),
        quote! {
            fn load(&self) -> Result<Row, Error> {
                self.read(now.number())
            }
        },
    );
}

#[test]
fn a_derived_impl() {
    compare(
        "derive",
        &crate::derive::derive(quote! {
            enum Fault<E> {
                #[retryable(after = wait)]
                Busy { wait: Duration },
                #[retryable(unprocessed)]
                Refused,
                #[transparent]
                Inner(E),
                #[permanent]
                Denied,
            }
        }),
    );
}
