//! Item -> `Function`: the signature is read, the body stays tokens. Answers what one may ask of a signature.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{
    Attribute, FnArg, Lifetime, Pat, PathArguments, ReceiverKind, ReturnType, Signature, Token, Type,
    Visibility,
};

use crate::boxed::{self, Boxed};
use crate::defaults::Block;
use crate::hygiene::{self, Place};
use crate::instrumented::Nest;

/// What the attribute stands on.
pub(crate) enum Item {
    Function(Box<Function>),
    Block(Block),
    /// Something that cannot be retried, and its first token.
    Other(Span),
}

pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    /// `None` where a `;` stands for it.
    pub(crate) body: Option<Body>,
    pub(crate) shape: Shape,
    pub(crate) item: TokenStream,
}

pub(crate) struct Body {
    /// `#![…]` at its start: only legal as the first thing in a function.
    pub(crate) inner_attrs: TokenStream,
    pub(crate) tokens: TokenStream,
    pub(crate) span: Span,
    /// Its tokens without what an instrumentation has put round them, and that.
    pub(crate) own: TokenStream,
    pub(crate) nest: Nest,
    /// The user's own braces and all between them, where nothing was taken out: errors about their end are told once.
    pub(crate) whole: Option<Group>,
}

/// Where the loop goes.
pub(crate) enum Shape {
    Blocking,
    Async,
    /// Returns a future, and the body ends in the block that makes it.
    Block(Box<Boxed>),
    /// Returns a future that the whole body makes.
    Future,
}

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
    /// The `#[cfg(…)]` of its parameter: what is written about it stands under the same condition.
    pub(crate) condition: TokenStream,
}

/// A parameter that is a reference.
pub(crate) struct Borrowed {
    pub(crate) name: Ident,
    pub(crate) condition: TokenStream,
    /// Whether it is `&mut …`.
    pub(crate) is_exclusive: bool,
    /// Whether the output may be borrowed from it.
    pub(crate) is_lent: bool,
}

impl Item {
    pub(crate) fn read(item: &TokenStream) -> Self {
        let read = |input: ParseStream<'_>| Function::read(input, item);
        match read.parse2(item.clone()) {
            Ok(function) => Self::Function(Box::new(function)),
            Err(_) => match Block::read(item) {
                Some(block) => Self::Block(block),
                None => Self::Other(first_word(item)),
            },
        }
    }
}

/// The first token that is no attribute.
fn first_word(item: &TokenStream) -> Span {
    let mut tokens = item.clone().into_iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                tokens.next();
            }
            token => return token.span(),
        }
    }
    Span::call_site()
}

impl Function {
    fn read(input: ParseStream<'_>, item: &TokenStream) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let sig: Signature = input.parse()?;
        let body =
            if input.parse::<Option<Token![;]>>()?.is_some() { None } else { Some(input.parse::<Body>()?) };
        let shape = match &body {
            _ if sig.asyncness.is_some() => Shape::Async,
            Some(body) => match boxed::recognise(&body.tokens) {
                Some(boxed) => Shape::Block(Box::new(boxed)),
                None if future_output(&sig.output).is_some() => Shape::Future,
                None => Shape::Blocking,
            },
            None => Shape::Blocking,
        };
        Ok(Self { attrs, vis, sig, body, shape, item: item.clone() })
    }

    /// Whether it waits without blocking.
    pub(crate) fn is_async(&self) -> bool {
        !matches!(self.shape, Shape::Blocking)
    }

    /// Whether an attempt is a block that captures what it uses, and holds it while it runs.
    pub(crate) fn captures(&self) -> bool {
        matches!(self.shape, Shape::Async | Shape::Block(_))
    }

    /// What one attempt returns, where the signature says so.
    pub(crate) fn output(&self) -> Option<&Type> {
        match (&self.shape, &self.sig.output) {
            (Shape::Blocking | Shape::Async, ReturnType::Type(_, output)) => Some(output),
            (Shape::Blocking | Shape::Async, ReturnType::Default) => None,
            (Shape::Block(_) | Shape::Future, output) => future_output(output),
        }
    }

    /// Whether the body ends where it cannot, as in `self.` or `let a = b`: it is still being written.
    pub(crate) fn is_half_typed(&self) -> bool {
        let Some(body) = &self.body else { return false };
        let (mut last_two, mut begins, mut is_let) = ([None, None], true, false);
        for token in body.tokens.clone() {
            let punct = if let TokenTree::Punct(punct) = &token { Some(punct.as_char()) } else { None };
            if begins {
                is_let = matches!(&token, TokenTree::Ident(word) if word == "let");
            }
            begins = punct == Some(';');
            is_let &= !begins;
            let [_, last] = last_two;
            last_two = [last, punct];
        }
        let is_open = match last_two {
            [Some('.'), Some('.')] => false,
            [_, Some(last)] => ".:=+-*/&|,<".contains(last),
            _ => false,
        };
        is_open || is_let
    }

    /// Whether the path is the name of a parameter.
    pub(crate) fn is_bound(&self, path: &syn::Path) -> bool {
        path.get_ident().is_some_and(|name| self.bindings().iter().any(|known| known.name == *name))
    }

    /// Where errors about the output belong.
    pub(crate) fn output_place(&self) -> Place {
        self.output().map_or_else(|| Place::at(self.sig.ident.span()), Place::of)
    }

    /// Where errors about the error's type belong: at the `E` of a `Result<T, E>`, where it is written so.
    pub(crate) fn error_place(&self) -> Place {
        let Some(Type::Path(output)) = self.output() else { return self.output_place() };
        let last = output.path.segments.last().filter(|last| last.ident == "Result");
        match last.map(|last| &last.arguments) {
            Some(PathArguments::AngleBracketed(arguments)) if arguments.args.len() == 2 => {
                arguments.args.last().map_or_else(|| self.output_place(), Place::of)
            }
            _ => self.output_place(),
        }
    }

    /// Every name that a parameter binds, without `self`.
    pub(crate) fn bindings(&self) -> Vec<Binding> {
        let mut bindings = Vec::new();
        for input in &self.sig.inputs {
            if let FnArg::Typed(typed) = input {
                collect(&typed.pat, &condition(&typed.attrs), &mut bindings);
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
        let mut borrowed = Vec::new();
        for input in &self.sig.inputs {
            let (name, attrs, reference, is_self) = match input {
                FnArg::Receiver(receiver) => {
                    (self.receiver(), &receiver.attrs, receiver_reference(&receiver.kind), true)
                }
                FnArg::Typed(typed) => match &*typed.pat {
                    Pat::Ident(pat) if pat.by_ref.is_none() => {
                        (Some(pat.ident.clone()), &typed.attrs, type_reference(&typed.ty), false)
                    }
                    _ => continue,
                },
            };
            borrowed.extend(name.zip(reference).map(|(name, Reference { lifetime, is_exclusive })| {
                Borrowed {
                    name,
                    condition: condition(attrs),
                    is_exclusive,
                    is_lent: self.lends(lifetime, is_self),
                }
            }));
        }
        borrowed
    }

    fn has_exclusive_receiver(&self) -> bool {
        self.sig.receiver().is_some_and(|receiver| is_exclusive_receiver(&receiver.kind))
    }

    /// Whether the output says that it may be borrowed from a parameter `&'lifetime mut …`.
    fn lends(&self, lifetime: Option<&Lifetime>, is_self: bool) -> bool {
        let output = self.output().map(ToTokens::to_token_stream).unwrap_or_default();
        match lifetime.filter(|lifetime| lifetime.ident != "_") {
            Some(lifetime) => hygiene::mentions_lifetime(&output, Some(&lifetime.ident)),
            None => {
                let from_self = self.sig.receiver().is_some_and(|receiver| match &receiver.kind {
                    ReceiverKind::Reference(..) => true,
                    ReceiverKind::Typed(_, ty) => hygiene::mentions_lifetime(&ty.to_token_stream(), None),
                    _ => false,
                });
                (is_self || !from_self) && hygiene::mentions_lifetime(&output, None)
            }
        }
    }
}

impl Binding {
    pub(crate) fn new(name: &Ident, mutability: Option<Span>) -> Self {
        let condition = TokenStream::new();
        Self { name: name.clone(), named: name.span(), mutability, by_ref: false, condition }
    }
}

impl Parse for Body {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let place = input.span();
        let TokenTree::Group(group) = input.parse()? else { return Err(syn::Error::new(place, "no body")) };
        let group = braces(group);
        let span = group.span();
        let split = |input: ParseStream<'_>| {
            let attrs = input.call(Attribute::parse_inner).unwrap_or_default();
            let inner_attrs: TokenStream = attrs.iter().map(ToTokens::to_token_stream).collect();
            let tokens = input.parse()?;
            let (own, nest) = Nest::open(&tokens);
            let is_whole = inner_attrs.is_empty() && nest.is_empty();
            let whole = is_whole.then(|| group.clone());
            Ok(Self { inner_attrs, tokens, span, own, nest, whole })
        };
        split.parse2(group.stream())
    }
}

/// A block with the user's braces: without them `dead_code` would go silent.
pub(crate) fn braced(tokens: TokenStream, span: Span) -> TokenTree {
    let mut group = Group::new(proc_macro2::Delimiter::Brace, tokens);
    group.set_span(span);
    TokenTree::Group(group)
}

/// A block that came through a `macro_rules` argument stands in invisible brackets.
pub(crate) fn braces(group: Group) -> Group {
    let mut inside = group.stream().into_iter();
    match (group.delimiter(), inside.next(), inside.next()) {
        (Delimiter::None, Some(TokenTree::Group(inner)), None) => braces(inner),
        _ => group,
    }
}

/// A type without the invisible brackets that a `macro_rules` argument brings.
fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        ty => ty,
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

fn is_exclusive_receiver(kind: &ReceiverKind) -> bool {
    receiver_reference(kind).is_some_and(|reference| reference.is_exclusive)
}

/// The `#[cfg(…)]` among the attributes.
fn condition(attrs: &[Attribute]) -> TokenStream {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).map(ToTokens::to_token_stream).collect()
}

fn collect(pat: &Pat, condition: &TokenStream, bindings: &mut Vec<Binding>) {
    let mut each = |pat: &Pat| collect(pat, condition, bindings);
    match pat {
        Pat::Ident(pat) => {
            let by_ref = pat.by_ref.is_some();
            let mutability = pat.mutability.as_ref().filter(|_| !by_ref).map(Spanned::span);
            bindings.push(Binding {
                by_ref,
                condition: condition.clone(),
                ..Binding::new(&pat.ident, mutability)
            });
            if let Some((_, inner)) = &pat.subpat {
                collect(inner, condition, bindings);
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

/// `T` of `impl Future<Output = T>`, `Pin<Box<dyn Future<Output = T>>>` or `BoxFuture<'_, T>`.
fn future_output(output: &ReturnType) -> Option<&Type> {
    match output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => output_of(ty),
    }
}

fn output_of(ty: &Type) -> Option<&Type> {
    let bounds = match ty {
        Type::ImplTrait(ty) => &ty.bounds,
        Type::TraitObject(ty) => &ty.bounds,
        Type::Paren(ty) => return output_of(&ty.elem),
        Type::Group(ty) => return output_of(&ty.elem),
        Type::Path(ty) => {
            let last = ty.path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            let inner = arguments.args.iter().rev().find_map(|argument| match argument {
                syn::GenericArgument::Type(ty) => Some(ty),
                _ => None,
            })?;
            let name = last.ident.to_string();
            return match name.as_str() {
                "BoxFuture" | "LocalBoxFuture" => Some(inner),
                "Pin" | "Box" => output_of(inner),
                _ => None,
            };
        }
        _ => return None,
    };
    bounds.iter().find_map(|bound| {
        let syn::TypeParamBound::Trait(bound) = bound else { return None };
        let last = bound.path.segments.last()?;
        let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        arguments.args.iter().find_map(|argument| match argument {
            syn::GenericArgument::AssocType(assoc) if assoc.ident == "Output" => Some(&assoc.ty),
            _ => None,
        })
    })
}
