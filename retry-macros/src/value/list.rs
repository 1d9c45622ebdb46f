//! What stands in parentheses: names, and the bindings of `once`. Every item is judged, whatever stands before it.

use proc_macro2::{Ident, TokenTree};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Token};

use super::{Asked, Once};
use crate::fault::Faults;

/// `clone(a, b)`: the names of parameters.
pub(crate) fn names(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Vec<Ident>> {
    let mut names: Vec<Ident> = Vec::new();
    let mut all_known = true;
    while !input.is_empty() {
        let place = input.span();
        let is_mut = input.parse::<Option<Token![mut]>>().is_ok_and(|word| word.is_some());
        let name = input.call(Ident::parse_any);
        let is_plain = !is_mut && name.is_ok();
        if !is_plain {
            faults.no_name(place, asked.key, asked.shape);
        }
        // What was meant is known all the same, and is no further mistake.
        match name.ok().or_else(|| next_name(input)) {
            Some(name) if names.contains(&name) => faults.named_twice(&name, asked.key),
            Some(name) => names.push(name),
            None => all_known = false,
        }
        let is_stray =
            is_plain && !input.is_empty() && !input.peek(Token![,]) && !input.peek(Ident::peek_any);
        if is_stray {
            faults.no_name(input.span(), asked.key, asked.shape);
        }
        next_item(input, is_plain && !is_stray, "names", faults);
    }
    all_known.then_some(names)
}

/// The next name before a comma.
fn next_name(input: ParseStream<'_>) -> Option<Ident> {
    while !input.is_empty() && !input.peek(Token![,]) {
        if let Ok(name) = input.call(Ident::parse_any) {
            return Some(name);
        }
        let _: syn::Result<TokenTree> = input.parse();
    }
    None
}

/// The comma between two items of a list, whatever stands before it. Told only where nothing else was.
fn next_item(input: ParseStream<'_>, is_clean: bool, what: &str, faults: &mut Faults) {
    if !input.is_empty() && !input.peek(Token![,]) {
        if is_clean {
            faults.no_comma_in_list(input.span(), what);
            if input.peek(Ident::peek_any) {
                return;
            }
        }
        while !input.is_empty() && !input.peek(Token![,]) {
            let _: syn::Result<TokenTree> = input.parse();
        }
    }
    let _: syn::Result<Option<Token![,]>> = input.parse();
}

/// `once(key = …, mut tries = 0)`.
pub(crate) fn once(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Vec<Once>> {
    let mut bindings: Vec<Once> = Vec::new();
    let mut all_named = true;
    while !input.is_empty() {
        let place = input.span();
        let is_let = input.parse::<Option<Token![let]>>().is_ok_and(|word| word.is_some());
        let mutability = input.parse().ok().flatten();
        let name: Option<Ident> = input.parse().ok();
        let value = input.parse::<Token![=]>().and_then(|_| input.parse::<Expr>()).ok();
        let is_clean = !is_let && name.is_some() && value.is_some();
        // A binding without a value is bound to the error: the body has no further one because of it.
        let value = match value {
            Some(value) if is_clean => value,
            _ => Expr::Verbatim(faults.no_binding(place)),
        };
        match name {
            Some(name) if bindings.iter().any(|other| other.name == name) => {
                faults.named_twice(&name, asked.key);
            }
            Some(name) => bindings.push(Once { mutability, name, value }),
            None => all_named = false,
        }
        next_item(input, is_clean, "bindings", faults);
    }
    all_named.then_some(bindings)
}
