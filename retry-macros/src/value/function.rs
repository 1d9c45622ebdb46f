//! Functions: by path or as a closure; strategies and modes, which have names as well.

use quote::ToTokens;
use syn::parse::ParseStream;
use syn::{Expr, ExprLit, ExprPath, Lit};

use super::{Asked, Function, Strategy, expression, is_none, literal};
use crate::fault::Faults;

/// The strategies: as written, and the runtime's variant.
pub(crate) const STRATEGIES: &[(&str, &str)] = &[
    ("none", "None"),
    ("full", "Full"),
    ("equal", "Equal"),
    ("decorrelated", "Decorrelated"),
    ("plus_minus", "PlusMinus"),
    ("smooth", "Smooth"),
];

const MODES: &[(&str, &str)] = &[("floor", "Floor"), ("replace", "Replace"), ("ceiling", "Ceiling")];

pub(crate) fn function(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Function> {
    let mut expr = expression(asked, input, faults)?;
    while let Expr::Paren(inner) = expr {
        expr = *inner.expr;
    }
    if is_none(asked, &expr, faults) {
        return None;
    }
    match expr {
        Expr::Path(path) if path.path.is_ident("self") => {
            faults.wrong_kind(&path, asked.key, asked.shape);
            None
        }
        Expr::Path(path) => Some(Function::Path(path)),
        Expr::Closure(closure) if closure.asyncness.is_some() && asked.key != "sleep" => {
            faults.async_closure(&closure, asked.key);
            None
        }
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            match text.parse::<ExprPath>() {
                Ok(path) if path.path.is_ident("none") => faults.word_as_text(&text, asked.key, "none"),
                Ok(path) => faults.function_as_text(&text, asked.key, &path),
                Err(_) => faults.wrong_kind(&text, asked.key, asked.shape),
            }
            None
        }
        Expr::Closure(_) => Some(Function::Closure(expr)),
        Expr::Field(field) => {
            let method = field.to_token_stream().to_string().replace(' ', "");
            faults.method_as_path(&field, asked.key, &method);
            None
        }
        Expr::Call(call) => {
            faults.called(&call, asked.key);
            // The function is named all the same.
            match *call.func {
                Expr::Path(path) => Some(Function::Path(path)),
                _ => None,
            }
        }
        Expr::MethodCall(call) => {
            let (receiver, method) = (&call.receiver, &call.method);
            let method = quote::quote!(#receiver.#method).to_string().replace(' ', "");
            faults.method_called(&call, asked.key, &method);
            None
        }
        other => {
            faults.wrong_kind(&other, asked.key, asked.shape);
            None
        }
    }
}

pub(crate) fn strategy(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Strategy> {
    let expr = expression(asked, input, faults)?;
    if let Some(Lit::Str(text)) = literal(&expr) {
        let written = text.value();
        let known = STRATEGIES.iter().find(|(name, _)| *name == written);
        if known.is_none() {
            let names: Vec<&str> = STRATEGIES.iter().map(|(name, _)| *name).collect();
            faults.unknown_name(&expr, "strategy", &written, &names);
        }
        return known.map(|(_, variant)| Strategy::Named(variant));
    }
    if let Some(name) = without_quotes(&expr, STRATEGIES, "Strategy") {
        faults.name_without_quotes(&expr, asked.key, name);
        return None;
    }
    match expr {
        Expr::Path(path) => Some(Strategy::Path(path)),
        other => {
            faults.wrong_kind(&other, asked.key, asked.shape);
            None
        }
    }
}

/// A known name written as a word, or as a variant of the runtime's type.
fn without_quotes(expr: &Expr, known: &[(&'static str, &str)], owner: &str) -> Option<&'static str> {
    let Expr::Path(path) = expr else { return None };
    let mut segments = path.path.segments.iter().rev();
    let last = segments.next()?.ident.to_string();
    let is_ours = segments.next().is_none_or(|segment| segment.ident == owner);
    known.iter().find(|(name, variant)| is_ours && (last == *name || last == *variant)).map(|(name, _)| *name)
}

pub(crate) fn mode(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<&'static str> {
    let expr = expression(asked, input, faults)?;
    if let Some(Lit::Str(text)) = literal(&expr) {
        let written = text.value();
        let known = MODES.iter().find(|(name, _)| *name == written);
        if known.is_none() {
            let names: Vec<&str> = MODES.iter().map(|(name, _)| *name).collect();
            faults.unknown_name(&expr, "mode", &written, &names);
        }
        return known.map(|(_, variant)| *variant);
    }
    match without_quotes(&expr, MODES, "RetryAfterMode") {
        Some(name) => faults.name_without_quotes(&expr, asked.key, name),
        None => faults.wrong_kind(&expr, asked.key, asked.shape),
    }
    None
}
