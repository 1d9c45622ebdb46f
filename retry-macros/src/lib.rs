//! The attribute macro of `retry-runtime`. Use that crate: it re-exports the attribute.
//!
//! This file is the door: the whole way from an annotated item to its expansion.

#![forbid(unsafe_code)]

mod arguments;
mod attempt;
mod boxed;
mod call;
mod captures;
mod compared;
mod decision;
mod defaults;
mod derive;
#[cfg(test)]
mod documented;
mod draft;
mod expand;
mod fault;
mod function;
mod hygiene;
mod instrumented;
mod marks;
mod nearest;
mod parameters;
mod policy;
mod relations;
#[cfg(test)]
mod robust;
mod schedule;
mod settings;
mod signature;
#[cfg(test)]
mod snapshot;
mod standing;
mod tokens;
mod value;

use proc_macro2::TokenStream;

use crate::fault::Faults;
use crate::function::Item;
use crate::policy::Policy;
use crate::settings::Settings;

/// Retries the function when its outcome says that this is worth it; see the documentation of `retry-runtime`.
#[proc_macro_attribute]
pub fn retry(attribute: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    annotate(attribute.into(), &item.into()).into()
}

/// Implements `Retryable` from a mark on every variant of an enum, or on a struct.
///
/// - `#[retryable]`: another attempt may succeed.
/// - `#[retryable(after = field)]`: the same; the field (name or index) holds the server's hint, a `Duration` or an
///   `Option<Duration>`.
/// - `#[retryable(unprocessed)]`: the same; the other side certainly did nothing.
/// - `#[permanent]`: the next attempt would fail in the same way.
/// - `#[transparent]`: the only field answers; its type is `Retryable`.
///
/// A variant without a mark does not compile. `#[retryable(crate = path)]` on the type says where the runtime lives
/// when it is renamed or re-exported.
#[proc_macro_derive(Retryable, attributes(retryable, permanent, transparent))]
pub fn derive_retryable(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive::derive(item.into()).into()
}

fn annotate(attribute: TokenStream, item: &TokenStream) -> TokenStream {
    let mut faults = Faults::default();
    let function = match Item::read(item) {
        Item::Function(function) => *function,
        Item::Block(block) => {
            let settings = Settings::read(attribute.clone(), &mut faults);
            let block = block.hand_down(&attribute, &settings, &mut faults);
            return faults.beside(&block);
        }
        Item::Other(place) => {
            faults.no_function(place);
            return faults.beside(item);
        }
    };
    let settings = Settings::read(function.in_place(attribute.clone()), &mut faults).inherit();
    let policy = Policy::decide(&settings, &function, &mut faults);
    match policy {
        Some(policy) if faults.is_empty() && !settings.standing && !function.is_half_typed() => {
            expand::expand(&policy, &function)
        }
        _ => {
            // As written: there nothing has another name yet.
            let settings = Settings::read(attribute, &mut Faults::default()).inherit();
            function.standing(&settings, &faults)
        }
    }
}
