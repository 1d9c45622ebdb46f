//! Item -> `Function`: the signature is read, the body stays tokens. Answers what one may ask of a signature.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{
    Attribute, FnArg, Pat, PathArguments, ReceiverKind, ReturnType, Signature, Token, Type, Visibility,
};

use crate::boxed::{self, Boxed};
use crate::defaults::Block;
use crate::hygiene::Place;

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
}

/// Where the loop goes.
pub(crate) enum Shape {
    Blocking,
    Async,
    /// Returns a future, and the body ends in the block that makes it.
    Block(Boxed),
    /// Returns a future that the whole body makes.
    Future,
}

/// A name that a parameter binds.
pub(crate) struct Binding {
    pub(crate) name: Ident,
    /// The `mut` that the user wrote before it.
    pub(crate) mutability: Option<Span>,
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
                Some(boxed) => Shape::Block(boxed),
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

    /// What one attempt returns, where the signature says so.
    pub(crate) fn output(&self) -> Option<&Type> {
        match (&self.shape, &self.sig.output) {
            (Shape::Blocking | Shape::Async, ReturnType::Type(_, output)) => Some(output),
            (Shape::Blocking | Shape::Async, ReturnType::Default) => None,
            (Shape::Block(_) | Shape::Future, output) => future_output(output),
        }
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
                collect(&typed.pat, &mut bindings);
            }
        }
        if let Shape::Block(boxed) = &self.shape {
            // There the parameters are bound anew, and only there the user's `mut` is to be seen.
            for rebound in &boxed.rebound {
                bindings.retain(|binding| binding.name != rebound.name);
                bindings.push(Binding { name: rebound.name.clone(), mutability: rebound.mutability });
            }
            // `let mut __self = self` stands there for a `&mut self` as well as for a `mut self`.
            let by_value = !self.has_exclusive_receiver();
            if let Some(this) = &boxed.this {
                let mutability = boxed.exclusive_self.filter(|_| by_value);
                bindings.push(Binding { name: this.clone(), mutability });
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

    /// Parameters of a type `&mut …`, the receiver included: each attempt borrows them anew.
    pub(crate) fn exclusive(&self) -> Vec<Ident> {
        if let Shape::Block(boxed) = &self.shape {
            if let Some(this) = boxed.this.as_ref().filter(|_| self.has_exclusive_receiver()) {
                return core::iter::once(this.clone()).chain(self.exclusive_arguments()).collect();
            }
        }
        let receiver = self.sig.receiver().filter(|receiver| is_exclusive_receiver(&receiver.kind));
        let receiver = receiver.map(|receiver| Ident::new("self", receiver.self_token.span));
        receiver.into_iter().chain(self.exclusive_arguments()).collect()
    }

    fn has_exclusive_receiver(&self) -> bool {
        self.sig.receiver().is_some_and(|receiver| is_exclusive_receiver(&receiver.kind))
    }

    fn exclusive_arguments(&self) -> impl Iterator<Item = Ident> {
        self.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) if is_exclusive(&typed.ty) => match &*typed.pat {
                Pat::Ident(pat) if pat.by_ref.is_none() => Some(pat.ident.clone()),
                _ => None,
            },
            _ => None,
        })
    }
}

impl Parse for Body {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let group: Group = input.parse()?;
        let span = group.span();
        let split = |input: ParseStream<'_>| {
            let attrs = input.call(Attribute::parse_inner).unwrap_or_default();
            let inner_attrs = attrs.iter().map(ToTokens::to_token_stream).collect();
            Ok(Self { inner_attrs, tokens: input.parse()?, span })
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

fn is_exclusive_receiver(kind: &ReceiverKind) -> bool {
    match kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_some(),
        ReceiverKind::Typed(_, ty) => is_exclusive(ty),
        _ => false,
    }
}

fn is_exclusive(ty: &Type) -> bool {
    matches!(ty, Type::Reference(reference) if reference.mutability.is_some())
}

fn collect(pat: &Pat, bindings: &mut Vec<Binding>) {
    match pat {
        Pat::Ident(pat) => {
            let mutability = pat.mutability.as_ref().filter(|_| pat.by_ref.is_none()).map(Spanned::span);
            bindings.push(Binding { name: pat.ident.clone(), mutability });
            if let Some((_, inner)) = &pat.subpat {
                collect(inner, bindings);
            }
        }
        Pat::Or(pat) => pat.cases.iter().take(1).for_each(|case| collect(case, bindings)),
        Pat::Paren(pat) => collect(&pat.pat, bindings),
        Pat::Reference(pat) => collect(&pat.pat, bindings),
        Pat::Slice(pat) => pat.elems.iter().for_each(|elem| collect(elem, bindings)),
        Pat::Struct(pat) => pat.fields.iter().for_each(|field| collect(&field.pat, bindings)),
        Pat::Tuple(pat) => pat.elems.iter().for_each(|elem| collect(elem, bindings)),
        Pat::TupleStruct(pat) => pat.elems.iter().for_each(|elem| collect(elem, bindings)),
        Pat::Type(pat) => collect(&pat.pat, bindings),
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
