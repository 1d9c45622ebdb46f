//! Item -> `Function`: the signature is read, the body stays tokens. Answers what one may ask of a signature.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream, Parser};
use syn::{Attribute, PathArguments, ReturnType, Signature, Token, Type, Visibility};

use crate::boxed::{self, Boxed};
use crate::defaults::Block;
use crate::hygiene::Place;
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

    /// Whether the signature returns a `Box`, without a `Pin` round it.
    pub(crate) fn returns_box(&self) -> bool {
        match &self.sig.output {
            ReturnType::Type(_, ty) => match bare(ty) {
                Type::Path(ty) => ty.path.segments.last().is_some_and(|last| last.ident == "Box"),
                _ => false,
            },
            ReturnType::Default => false,
        }
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
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        ty => ty,
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
