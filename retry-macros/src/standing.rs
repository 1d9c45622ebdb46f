//! A function whose attribute has faults: as it was written, with the errors, and with what the settings promised still
//! bound and mentioned. Nothing else in the crate fails because of it, and editors keep working.
//!
//! ```text
//! #[retry(max = 0, on = |e| is_busy(e), attempt = now)]
//! fn load(&self) -> Result<Row, Error> { BODY }
//!
//! fn load(&self) -> Result<Row, Error> {
//!     ::core::compile_error! { "`max` must be at least 1: …" }
//!     if false { let _ = |e| is_busy(e); }        // so that no import is called unused
//!     let now = promised();
//!     BODY
//! }
//! ```

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::{Expr, ExprPath, PathArguments};

use crate::fault::Faults;
use crate::function::{Body, Function, braced};
use crate::hygiene::{Place, Runtime, ours_at};
use crate::settings::Settings;
use crate::tokens;
use crate::value::{Cancel, Function as Callable, Length, Max, Once, OrNone, Strategy, Timeout, Value};

impl Function {
    pub(crate) fn standing(&self, settings: &Settings, faults: &Faults) -> TokenStream {
        let Some(Body { inner_attrs, tokens, span, whole, .. }) = &self.body else {
            return faults.beside(&self.item);
        };
        // In the user's own braces, where the body ends too early; round a single expression they would be unnecessary.
        let whole = whole.as_ref().filter(|_| self.is_half_typed() || tokens::has_statements(tokens));
        let tokens = whole.map_or_else(|| tokens.clone(), ToTokens::to_token_stream);
        let here = Span::mixed_site();
        // In the body, the errors also mark it as broken: the compiler then asks nothing about the types of what is
        // mentioned, and a closure has none here.
        let (errors, mentions) = (faults.errors(), self.mentions(settings, !faults.is_empty()));
        let promises = self.promises(settings);
        let inside = quote_spanned!(here=> #inner_attrs #errors #mentions #promises #tokens);
        let (attrs, vis, sig, block) = (&self.attrs, &self.vis, &self.sig, braced(inside, *span));
        quote_spanned!(here=> #(#attrs)* #vis #sig #block)
    }

    /// The names that the body may use.
    fn promises(&self, settings: &Settings) -> TokenStream {
        let here = Span::mixed_site();
        let runtime =
            settings.runtime.as_ref().map_or_else(Runtime::default, |runtime| Runtime::at(&runtime.value));
        let bindings = self.bindings();
        let is_parameter = |name: &Ident| bindings.iter().any(|binding| binding.name == *name);
        let mut promises = TokenStream::new();
        for Once { mutability, name, value } in settings.once.iter().flat_map(|once| &once.value) {
            if !is_parameter(name) {
                promises.extend(quote_spanned!(here=> #[allow(unused)] let #mutability #name = #value;));
            }
        }
        let is_once =
            |name: &Ident| settings.once.iter().flat_map(|once| &once.value).any(|once| once.name == *name);
        let is_free = |name: &Ident| !is_parameter(name) && !is_once(name);
        if let Some(attempt) = settings.attempt.as_ref().filter(|attempt| is_free(&attempt.value)) {
            let name = &attempt.value;
            promises
                .extend(quote_spanned!(here=> #[allow(unused)] let #name = #runtime::__private::promised();));
        }
        promises
    }

    /// What the attribute names, so that none of it counts as unused.
    fn mentions(&self, settings: &Settings, is_broken: bool) -> TokenStream {
        let here = Span::mixed_site();
        let mut mentions = TokenStream::new();
        let mut expressions = TokenStream::new();
        for value in settings.mentions() {
            match value {
                Written::Path(path) if self.is_importable(&path) => {
                    // A name that nobody knows is told at itself.
                    let place = ours_at(Place::of(&path).end().span());
                    let path = path.path;
                    mentions.extend(quote_spanned!(place=> #[allow(unused_imports)] use #path as _;));
                }
                Written::Path(path) => expressions.extend(quote_spanned!(here=> let _ = #path;)),
                Written::Other(expr) => expressions.extend(quote_spanned!(here=> let _ = #expr;)),
            }
        }
        if is_broken && !expressions.is_empty() {
            mentions.extend(quote_spanned!(here=> #[allow(warnings)] if false { #expressions }));
        }
        mentions
    }

    /// Whether `use path as _` can name it: neither a parameter nor something behind a type.
    fn is_importable(&self, path: &ExprPath) -> bool {
        let is_type = |name: &Ident| name.to_string().starts_with(|c: char| c.is_uppercase());
        let mut before_last = path.path.segments.iter().rev().skip(1);
        let is_plain = path.qself.is_none()
            && path.path.segments.iter().all(|segment| matches!(segment.arguments, PathArguments::None))
            && !before_last.any(|segment| is_type(&segment.ident));
        is_plain && !self.is_bound(&path.path)
    }
}

/// Something that the user wrote as a value, or in one.
pub(crate) enum Written {
    Path(ExprPath),
    Other(TokenStream),
}

/// Says what of a value the compiler must have seen.
pub(crate) trait Mention {
    fn mention(&self) -> Option<Written>;
}

/// Values without a name of the user's, and what is bound instead.
macro_rules! nothing {
    ($($kind:ty),*) => {$(
        impl Mention for $kind {
            fn mention(&self) -> Option<Written> {
                None
            }
        }
    )*};
}
nothing!(&'static str, bool, Ident, Vec<Ident>, Vec<Once>, syn::Path);

impl Mention for Expr {
    fn mention(&self) -> Option<Written> {
        Some(match self {
            Self::Path(path) => Written::Path(path.clone()),
            other => Written::Other(other.to_token_stream()),
        })
    }
}

impl Mention for Callable {
    fn mention(&self) -> Option<Written> {
        Some(match self {
            Self::Path(path) => Written::Path(path.clone()),
            Self::Closure(closure) => Written::Other(closure.to_token_stream()),
        })
    }
}

impl Mention for Strategy {
    fn mention(&self) -> Option<Written> {
        match self {
            Self::Path(path) => Some(Written::Path(path.clone())),
            Self::Named(_) => None,
        }
    }
}

impl<T> Mention for Value<T> {
    fn mention(&self) -> Option<Written> {
        match self {
            Self::Constant(expr) => expr.mention(),
            Self::Known(..) => None,
        }
    }
}

impl Mention for Length {
    fn mention(&self) -> Option<Written> {
        self.value.mention()
    }
}

impl Mention for Max {
    fn mention(&self) -> Option<Written> {
        match self {
            Self::Retries(retries) => retries.mention(),
            Self::Unlimited(_) => None,
        }
    }
}

impl Mention for Timeout {
    fn mention(&self) -> Option<Written> {
        match self {
            Self::Length(length) => length.mention(),
            Self::Deadline(_) => None,
        }
    }
}

impl Mention for Cancel {
    fn mention(&self) -> Option<Written> {
        match self {
            Self::Token(token) => token.mention(),
            Self::Dropped(_) => None,
        }
    }
}

impl<T: Mention> Mention for OrNone<T> {
    fn mention(&self) -> Option<Written> {
        self.some().and_then(T::mention)
    }
}
