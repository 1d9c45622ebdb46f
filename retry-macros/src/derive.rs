//! `#[derive(Retryable)]`: the marks on an enum's variants, or on a struct, become an impl of the trait.
//!
//! ```text
//! #[derive(Retryable)]                    impl Retryable for Fault {
//! enum Fault {                                fn is_retryable(&self) -> bool {
//!     #[retryable(after = wait)]                  match self {
//!     Busy { wait: Duration },                        Self::Busy { .. } => true,
//!     #[permanent]                                    Self::Denied { .. } => false,
//!     Denied,                                         Self::Io { 0: asked, .. } => asked.is_retryable(),
//!     #[transparent]                              }
//!     Io(std::io::Error),                     }
//! }                                           …
//! ```
//!
//! What a mark says is read in `marks`. Nothing here knows the attribute `#[retry]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{Generics, Item, Member, Type};

use crate::fault::Faults;
use crate::hygiene::{self, Runtime};
use crate::marks::{Mark, Place, Words};
use crate::tokens;

pub(crate) fn derive(item: TokenStream) -> TokenStream {
    let mut faults = Faults::default();
    let Some(subject) = Subject::read(item, &mut faults) else { return faults.errors() };
    let implementation = subject.implementation(faults.is_empty());
    faults.beside(&implementation)
}

/// The type, and one case for each of its variants.
struct Subject {
    name: Ident,
    generics: Generics,
    runtime: Runtime,
    cases: Vec<Case>,
}

/// A variant, or the whole struct.
struct Case {
    path: TokenStream,
    mark: Mark,
}

impl Subject {
    fn read(item: TokenStream, faults: &mut Faults) -> Option<Self> {
        let (name, generics, words, cases) = match syn::parse2(item) {
            Ok(Item::Enum(item)) => {
                let words = Words::read(&item.attrs, Place::Enum, faults);
                let cases = item.variants.iter().filter_map(|variant| {
                    let name = &variant.ident;
                    let said = format!("{}::{name}", item.ident);
                    let place = Place::Case { said: &said, at: name.span(), fields: &variant.fields };
                    let mark = Words::read(&variant.attrs, place, faults).mark?;
                    Some(Case { path: quote!(Self::#name), mark })
                });
                let cases = cases.collect();
                (item.ident, item.generics, words, cases)
            }
            Ok(Item::Struct(item)) => {
                let said = item.ident.to_string();
                let place = Place::Case { said: &said, at: item.ident.span(), fields: &item.fields };
                let mut words = Words::read(&item.attrs, place, faults);
                let case = words.mark.take().map(|mark| Case { path: quote!(Self), mark });
                (item.ident, item.generics, words, case.into_iter().collect())
            }
            Ok(Item::Union(item)) => {
                faults.derive_of_union(item.union_token.span);
                return None;
            }
            Ok(_) => return None,
            Err(error) => {
                faults.unreadable(error);
                return None;
            }
        };
        let runtime = words.runtime.unwrap_or_default();
        Some(Self { name, generics, runtime, cases })
    }

    /// The impl. After a fault one that answers nothing, so that nobody misses it.
    fn implementation(mut self, sound: bool) -> TokenStream {
        if !sound {
            self.cases.clear();
        }
        self.bound();
        let methods = if sound {
            let (after, unprocessed) = (self.after(), self.unprocessed());
            let retryable = self.retryable();
            quote!(#retryable #after #unprocessed)
        } else {
            quote! { fn is_retryable(&self) -> bool { false } }
        };
        let Self { name, generics, runtime, .. } = &self;
        let (generics, arguments, bounds) = generics.split_for_impl();
        quote! {
            #[automatically_derived]
            impl #generics #runtime::__private::Retryable for #name #arguments #bounds { #methods }
        }
    }

    /// A field that is asked and whose type depends on a parameter has to be `Retryable`.
    fn bound(&mut self) {
        let parameters: Vec<String> =
            self.generics.type_params().map(|parameter| parameter.ident.to_string()).collect();
        let runtime = &self.runtime;
        for case in &self.cases {
            let Mark::Transparent { field, .. } = &case.mark else { continue };
            let tokens = field.to_token_stream();
            if parameters.iter().any(|parameter| tokens::mentions(&tokens, parameter)) {
                let bound = syn::parse_quote!(#field: #runtime::__private::Retryable);
                self.generics.make_where_clause().predicates.push(bound);
            }
        }
    }

    fn retryable(&self) -> TokenStream {
        let arms = self.cases.iter().map(|case| match &case.mark {
            Mark::Retryable { .. } => case.arm(&quote!(true)),
            Mark::Permanent => case.arm(&quote!(false)),
            Mark::Transparent { .. } => case.ask(&self.runtime, "is_retryable"),
        });
        let body = self.matched(arms);
        quote! { fn is_retryable(&self) -> bool { #body } }
    }

    /// Nothing where the trait's own answer, `None`, is right for all.
    fn after(&self) -> Option<TokenStream> {
        let runtime = &self.runtime;
        let speaks =
            |mark: &Mark| matches!(mark, Mark::Transparent { .. } | Mark::Retryable { after: Some(_), .. });
        self.cases.iter().any(|case| speaks(&case.mark)).then(|| {
            let arms = self.cases.iter().map(|case| match &case.mark {
                Mark::Retryable { after: Some(field), .. } => case.after(runtime, field),
                Mark::Transparent { .. } => case.ask(runtime, "retry_after"),
                _ => case.arm(&quote!(#runtime::__private::None)),
            });
            let body = self.matched(arms);
            quote! {
                fn retry_after(&self) -> #runtime::__private::Option<#runtime::__private::Duration> { #body }
            }
        })
    }

    /// Likewise where `false` is right for all.
    fn unprocessed(&self) -> Option<TokenStream> {
        let speaks = |mark: &Mark| {
            matches!(mark, Mark::Transparent { .. } | Mark::Retryable { unprocessed: true, .. })
        };
        self.cases.iter().any(|case| speaks(&case.mark)).then(|| {
            let arms = self.cases.iter().map(|case| match &case.mark {
                Mark::Retryable { unprocessed: true, .. } => case.arm(&quote!(true)),
                Mark::Transparent { .. } => case.ask(&self.runtime, "is_unprocessed"),
                _ => case.arm(&quote!(false)),
            });
            let body = self.matched(arms);
            quote! { fn is_unprocessed(&self) -> bool { #body } }
        })
    }

    fn matched(&self, arms: impl Iterator<Item = TokenStream>) -> TokenStream {
        if self.cases.is_empty() {
            return quote!(match *self {});
        }
        quote!(match self { #(#arms,)* })
    }
}

impl Case {
    /// Braces fit every kind of variant.
    fn arm(&self, answer: &TokenStream) -> TokenStream {
        let path = &self.path;
        quote!(#path { .. } => #answer)
    }

    /// The field answers; that it cannot is told at its type.
    fn ask(&self, runtime: &Runtime, method: &str) -> TokenStream {
        let Mark::Transparent { member, field } = &self.mark else { return TokenStream::new() };
        let path = &self.path;
        let place = hygiene::Place::of(field);
        let asked = hygiene::local_at("asked", place.span());
        let method = Ident::new(method, Span::mixed_site());
        let function = quote!(#runtime::__private::Retryable::#method);
        let answer = place.call(&function, &asked.to_token_stream());
        quote!(#path { #member: #asked, .. } => #answer)
    }

    /// The field as a hint; that its type is none is told there.
    fn after(&self, runtime: &Runtime, (member, field): &(Member, Type)) -> TokenStream {
        let path = &self.path;
        let place = hygiene::Place::of(field);
        let after = hygiene::local_at("after", place.span());
        let function = quote!(#runtime::__private::After::after);
        let answer = place.call(&function, &after.to_token_stream());
        quote!(#path { #member: #after, .. } => #answer)
    }
}
