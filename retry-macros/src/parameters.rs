//! Parameters: what they bind, which of them are references, and what may be borrowed from them.

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Lifetime, Pat, ReceiverKind, Type};

use crate::function::{Function, Shape, bare};
use crate::hygiene::Place;
use crate::tokens;

/// A name that a parameter binds.
#[derive(Clone)]
pub(crate) struct Binding {
    pub(crate) name: Ident,
    /// Where the attribute names it, or else the signature.
    pub(crate) named: Span,
    /// The `mut` that the user wrote before it.
    pub(crate) mutability: Option<Span>,
    /// Whether it is bound by `ref`.
    pub(crate) by_ref: bool,
    /// Whether it stands inside of a pattern, where a `mut` could change what is bound.
    pub(crate) is_inside: bool,
    /// The `#[cfg(…)]` of its parameter: what is written about it stands under the same condition.
    pub(crate) condition: TokenStream,
}

/// A parameter that is a reference.
pub(crate) struct Borrowed {
    pub(crate) name: Ident,
    pub(crate) condition: TokenStream,
    /// Where its type is written.
    pub(crate) place: Place,
    /// Whether it is `&mut …`.
    pub(crate) is_exclusive: bool,
    /// Whether the output may be borrowed from it.
    pub(crate) is_lent: bool,
}

impl Function {
    /// Every name that a parameter binds, without `self`.
    pub(crate) fn bindings(&self) -> Vec<Binding> {
        let mut bindings = Vec::new();
        for input in &self.sig.inputs {
            if let FnArg::Typed(typed) = input {
                collect(&typed.pat, &condition(&typed.attrs), false, &mut bindings);
            }
        }
        if let Shape::Block(boxed) = &self.shape {
            // There the parameters are bound anew, and only there the user's `mut` is to be seen.
            bindings.retain(|binding| !boxed.is_rebound(&binding.name));
            bindings.extend(boxed.rebound.iter().cloned());
            // `let mut __self = self` stands there for a `&mut self` as well as for a `mut self`.
            let by_value = !self.has_exclusive_receiver();
            if let Some(this) = &boxed.this {
                let mutability = boxed.exclusive_self.filter(|_| by_value);
                bindings.push(Binding::new(this, mutability));
            }
        }
        bindings
    }

    /// The `mut` of a by-value `mut self`.
    pub(crate) fn mut_self(&self) -> Option<Span> {
        match self.sig.receiver() {
            Some(receiver) if !matches!(receiver.kind, ReceiverKind::Reference(..)) => {
                receiver.mutability.as_ref().map(Spanned::span)
            }
            _ => None,
        }
    }

    /// The receiver as the body names it.
    pub(crate) fn receiver(&self) -> Option<Ident> {
        let this = match &self.shape {
            Shape::Block(boxed) => boxed.this.clone(),
            _ => None,
        };
        let receiver = || self.sig.receiver().map(|receiver| Ident::new("self", receiver.self_token.span));
        this.or_else(receiver)
    }

    /// Whether `self` is there, and not behind a reference.
    pub(crate) fn has_owned_receiver(&self) -> bool {
        self.sig.receiver().is_some_and(|receiver| match &receiver.kind {
            ReceiverKind::Reference(..) => false,
            ReceiverKind::Typed(_, ty) => !matches!(bare(ty), Type::Reference(_)),
            _ => true,
        })
    }

    /// Parameters that are references, the receiver included.
    pub(crate) fn borrowed(&self) -> Vec<Borrowed> {
        let mut borrowed: Vec<Borrowed> = Vec::new();
        for input in &self.sig.inputs {
            let (attrs, place, references, is_self): (_, _, Vec<_>, _) = match input {
                FnArg::Receiver(receiver) => {
                    let place = Place::of(&receiver.self_token);
                    let reference = self.receiver().zip(receiver_reference(&receiver.kind));
                    (&receiver.attrs, place, reference.into_iter().collect(), true)
                }
                FnArg::Typed(typed) => match &*typed.pat {
                    Pat::Ident(pat) if pat.by_ref.is_none() => {
                        let reference = type_reference(&typed.ty);
                        let reference = reference.map(|reference| (pat.ident.clone(), reference));
                        (&typed.attrs, Place::of(&typed.ty), reference.into_iter().collect(), false)
                    }
                    pat => (&typed.attrs, Place::of(&typed.ty), exclusive(pat, &typed.ty), false),
                },
            };
            let is_there = |name: &Ident| !matches!(&self.shape, Shape::Block(boxed) if boxed.shadows(name));
            let references = references.into_iter().filter(|(name, _)| is_there(name));
            borrowed.extend(references.map(|(name, Reference { lifetime, is_exclusive })| Borrowed {
                name,
                condition: condition(attrs),
                place,
                is_exclusive,
                is_lent: self.lends(lifetime, is_self),
            }));
        }
        borrowed
    }

    fn has_exclusive_receiver(&self) -> bool {
        self.sig.receiver().is_some_and(|receiver| is_exclusive_receiver(&receiver.kind))
    }

    /// Whether the output says that it may be borrowed from a parameter `&'lifetime …`, `mut` or not.
    fn lends(&self, lifetime: Option<&Lifetime>, is_self: bool) -> bool {
        let output = self.output().map(ToTokens::to_token_stream).unwrap_or_default();
        match lifetime.filter(|lifetime| lifetime.ident != "_") {
            Some(lifetime) => tokens::mentions_lifetime(&output, Some(&lifetime.ident)),
            None => {
                let from_self = self.sig.receiver().is_some_and(|receiver| match &receiver.kind {
                    ReceiverKind::Reference(..) => true,
                    ReceiverKind::Typed(_, ty) => tokens::mentions_lifetime(&ty.to_token_stream(), None),
                    _ => false,
                });
                (is_self || !from_self) && tokens::mentions_lifetime(&output, None)
            }
        }
    }
}

impl Binding {
    pub(crate) fn new(name: &Ident, mutability: Option<Span>) -> Self {
        let condition = TokenStream::new();
        Self {
            name: name.clone(),
            named: name.span(),
            mutability,
            by_ref: false,
            is_inside: false,
            condition,
        }
    }
}

/// What a `&` says.
struct Reference<'a> {
    lifetime: Option<&'a Lifetime>,
    is_exclusive: bool,
}

/// Of `&self`, `&mut self` or `self: &…`.
fn receiver_reference(kind: &ReceiverKind) -> Option<Reference<'_>> {
    match kind {
        ReceiverKind::Reference(_, lifetime, mutability) => {
            Some(Reference { lifetime: lifetime.as_ref(), is_exclusive: mutability.is_some() })
        }
        ReceiverKind::Typed(_, ty) => type_reference(ty),
        _ => None,
    }
}

fn type_reference(ty: &Type) -> Option<Reference<'_>> {
    match bare(ty) {
        Type::Reference(reference) => Some(Reference {
            lifetime: reference.lifetime.as_ref(),
            is_exclusive: reference.mutability.is_some(),
        }),
        _ => None,
    }
}

/// The names inside of a pattern that are `&mut …`, as far as its type tells: a part of a tuple, or what is bound by
/// reference since the whole is `&mut …`.
fn exclusive<'a>(pat: &Pat, ty: &'a Type) -> Vec<(Ident, Reference<'a>)> {
    let name = |pat: &Pat| match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.mutability.is_none() && pat.subpat.is_none() => {
            Some(pat.ident.clone())
        }
        _ => None,
    };
    match (pat, bare(ty)) {
        (Pat::Paren(pat), ty) => exclusive(&pat.pat, ty),
        (Pat::Ident(_), Type::Reference(reference)) if reference.mutability.is_some() => {
            let reference = Reference { lifetime: reference.lifetime.as_ref(), is_exclusive: true };
            name(pat).map(|name| (name, reference)).into_iter().collect()
        }
        (Pat::Tuple(pat), Type::Tuple(ty)) if pat.elems.len() == ty.elems.len() => {
            pat.elems.iter().zip(&ty.elems).flat_map(|(pat, ty)| exclusive(pat, ty)).collect()
        }
        (pat, Type::Reference(reference)) if reference.mutability.is_some() => {
            // Deeper inside, there may be shared references between.
            let parts: Vec<&Pat> = match pat {
                Pat::Tuple(pat) => pat.elems.iter().collect(),
                Pat::TupleStruct(pat) => pat.elems.iter().collect(),
                Pat::Slice(pat) => pat.elems.iter().collect(),
                Pat::Struct(pat) => pat.fields.iter().map(|field| &*field.pat).collect(),
                _ => Vec::new(),
            };
            let reference = || Reference { lifetime: reference.lifetime.as_ref(), is_exclusive: true };
            // A capital letter names a value.
            let is_variable = |name: &Ident| !name.to_string().starts_with(char::is_uppercase);
            let names = parts.into_iter().filter_map(name).filter(is_variable);
            names.map(|name| (name, reference())).collect()
        }
        _ => Vec::new(),
    }
}

fn is_exclusive_receiver(kind: &ReceiverKind) -> bool {
    receiver_reference(kind).is_some_and(|reference| reference.is_exclusive)
}

/// The `#[cfg(…)]` among the attributes.
fn condition(attrs: &[Attribute]) -> TokenStream {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).map(ToTokens::to_token_stream).collect()
}

fn collect(pat: &Pat, condition: &TokenStream, is_inside: bool, bindings: &mut Vec<Binding>) {
    let mut each = |pat: &Pat| collect(pat, condition, true, bindings);
    match pat {
        Pat::Ident(pat) => {
            let by_ref = pat.by_ref.is_some();
            let mutability = pat.mutability.as_ref().filter(|_| !by_ref).map(Spanned::span);
            bindings.push(Binding {
                by_ref,
                is_inside,
                condition: condition.clone(),
                ..Binding::new(&pat.ident, mutability)
            });
            if let Some((_, inner)) = &pat.subpat {
                collect(inner, condition, true, bindings);
            }
        }
        Pat::Or(pat) => pat.cases.iter().take(1).for_each(each),
        Pat::Paren(pat) => each(&pat.pat),
        Pat::Reference(pat) => each(&pat.pat),
        Pat::Slice(pat) => pat.elems.iter().for_each(each),
        Pat::Struct(pat) => pat.fields.iter().for_each(|field| each(&field.pat)),
        Pat::Tuple(pat) => pat.elems.iter().for_each(each),
        Pat::TupleStruct(pat) => pat.elems.iter().for_each(each),
        Pat::Type(pat) => each(&pat.pat),
        _ => {}
    }
}
