//! What may stand right of `=`: durations, counts, paths and closures, names. Reading only; nothing is compared here.

mod function;
mod length;
mod list;
mod number;

use std::time::Duration;

use proc_macro2::Ident;
use syn::parse::ParseStream;
use syn::{Expr, ExprLit, ExprPath, Lit, Token, UnOp};

use crate::fault::Faults;

pub(crate) use self::function::{function, mode, strategy};
pub(crate) use self::length::{length, timeout};
pub(crate) use self::list::{names, once};
pub(crate) use self::number::{factor, flag, max};

/// A value that is known while expanding, or a constant that the compiler evaluates.
#[derive(Clone)]
pub(crate) enum Value<T> {
    Known(T, Expr),
    Constant(Expr),
}

impl<T: Copy> Value<T> {
    pub(crate) fn known(&self) -> Option<T> {
        match self {
            Self::Known(value, _) => Some(*value),
            Self::Constant(_) => None,
        }
    }

    /// What the compiler has to evaluate.
    pub(crate) fn constant(&self) -> Option<&Expr> {
        match self {
            Self::Constant(expr) => Some(expr),
            Self::Known(..) => None,
        }
    }

    /// What the user wrote.
    pub(crate) fn written(&self) -> &Expr {
        match self {
            Self::Known(_, expr) | Self::Constant(expr) => expr,
        }
    }
}

/// The unit in which a constant is given.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Milliseconds,
    Duration,
}

#[derive(Clone)]
pub(crate) struct Length {
    pub(crate) value: Value<Duration>,
    pub(crate) unit: Unit,
}

#[derive(Clone)]
pub(crate) enum Max {
    Retries(Value<u32>),
    Unlimited(Expr),
}

/// A setting that the bare word `none` switches off.
#[derive(Clone)]
pub(crate) enum OrNone<T> {
    None,
    Some(T),
}

impl<T> OrNone<T> {
    pub(crate) fn some(&self) -> Option<&T> {
        match self {
            Self::Some(value) => Some(value),
            Self::None => None,
        }
    }
}

#[derive(Clone)]
pub(crate) enum Function {
    Path(ExprPath),
    Closure(Expr),
}

#[derive(Clone)]
pub(crate) enum Strategy {
    /// The name of the runtime's variant.
    Named(&'static str),
    Path(ExprPath),
}

/// How long one attempt may run.
#[derive(Clone)]
pub(crate) enum Timeout {
    Length(Length),
    /// All that the deadline leaves.
    Deadline(Expr),
}

/// What ends a call from outside.
#[derive(Clone)]
pub(crate) enum Cancel {
    Token(Expr),
    /// Whoever owns the future drops it.
    Dropped(Expr),
}

/// One binding of `once`.
#[derive(Clone)]
pub(crate) struct Once {
    pub(crate) mutability: Option<Token![mut]>,
    pub(crate) name: Ident,
    pub(crate) value: Expr,
}

/// How a reader is told apart from its neighbours: the key as written, and what to write.
pub(crate) struct Asked<'a> {
    pub(crate) key: &'a Ident,
    pub(crate) shape: &'static str,
}

/// Reads an expression; what a `macro_rules` argument or parentheses wrap is unwrapped.
fn expression(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Expr> {
    let place = input.span();
    let read: syn::Result<Expr> = input.parse();
    let Ok(mut expr) = read else {
        faults.no_expression(place, asked.key, asked.shape);
        return None;
    };
    while let Expr::Group(group) = expr {
        expr = *group.expr;
    }
    Some(expr)
}

fn word(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) if path.attrs.is_empty() && path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

fn literal(expr: &Expr) -> Option<&Lit> {
    match expr {
        Expr::Lit(ExprLit { lit, attrs }) if attrs.is_empty() => Some(lit),
        _ => None,
    }
}

/// A negative number, or one whose suffix is no type of ours: what to write instead is told.
fn is_odd_number(asked: &Asked<'_>, expr: &Expr, faults: &mut Faults) -> bool {
    let key = asked.key.to_string();
    match expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) && is_literal(&unary.expr) => {
            faults.negative(expr, asked.key, asked.shape);
        }
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => match number.suffix() {
            "" => return false,
            "u32" if key == "max" => return false,
            "u64" if key.ends_with("_ms") => return false,
            unit @ ("ns" | "us" | "ms" | "s" | "m" | "h") if asked.shape.contains("ms") => {
                let bare = key.strip_suffix("_ms").unwrap_or(&key);
                faults.number_with_unit(expr, bare, &format!("{}{unit}", number.base10_digits()));
            }
            _ => faults.typed_number(expr, asked.key, number.base10_digits()),
        },
        _ => return false,
    }
    true
}

/// The bare word `none` where nothing can be switched off.
fn is_none(asked: &Asked<'_>, expr: &Expr, faults: &mut Faults) -> bool {
    let is_none = word(expr).is_some_and(|word| word == "none");
    if is_none {
        faults.cannot_be_off(expr, asked.key);
    }
    is_none
}

/// Whether this is a literal or the negation of one: never a constant of the user's.
fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => is_literal(&unary.expr),
        _ => literal(expr).is_some(),
    }
}

/// Whether this can only be a value made at run time or no value at all.
fn is_no_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Closure(_) | Expr::Tuple(_) | Expr::Assign(_) | Expr::Range(_) | Expr::Array(_))
}

pub(crate) fn or_none<T>(
    read: impl Fn(&Asked<'_>, ParseStream<'_>, &mut Faults) -> Option<T>,
) -> impl Fn(&Asked<'_>, ParseStream<'_>, &mut Faults) -> Option<OrNone<T>> {
    move |asked, input, faults| {
        let ahead = input.fork();
        if ahead.parse::<Ident>().is_ok_and(|word| word == "none")
            && (ahead.is_empty() || ahead.peek(Token![,]))
        {
            let _: syn::Result<Ident> = input.parse();
            return Some(OrNone::None);
        }
        read(asked, input, faults).map(OrNone::Some)
    }
}

pub(crate) fn cancel(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Cancel> {
    let expr = any(asked, input, faults)?;
    Some(if word(&expr).is_some_and(|word| word == "dropped") {
        Cancel::Dropped(expr)
    } else {
        Cancel::Token(expr)
    })
}

pub(crate) fn any(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Expr> {
    expression(asked, input, faults)
}

pub(crate) fn path(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<syn::Path> {
    let place = input.span();
    let read: syn::Result<syn::Path> = input.call(syn::Path::parse_mod_style);
    if read.is_err() {
        faults.no_expression(place, asked.key, asked.shape);
    }
    read.ok()
}

pub(crate) fn binding(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Ident> {
    let expr = expression(asked, input, faults)?;
    match (word(&expr), literal(&expr)) {
        (Some(name), _) if matches!(name.to_string().as_str(), "self" | "Self" | "super" | "crate") => {
            faults.keyword_for_binding(name);
        }
        (Some(name), _) => return Some(name.clone()),
        (None, Some(Lit::Int(number))) => {
            let attempts: Option<u64> = number.base10_parse().ok();
            faults.count_for_binding(
                &expr,
                attempts.filter(|attempts| *attempts > 1).map(|attempts| attempts - 1),
            );
        }
        _ => faults.wrong_kind(&expr, asked.key, asked.shape),
    }
    None
}

impl Function {
    /// Where it stands.
    pub(crate) fn place(&self) -> crate::hygiene::Place {
        match self {
            Self::Path(path) => crate::hygiene::Place::of(path),
            Self::Closure(closure) => crate::hygiene::Place::of(closure),
        }
    }
}
