//! What may stand right of `=`: durations, counts, paths and closures, names. Reading only; nothing is compared here.

use std::time::Duration;

use proc_macro2::{Ident, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, ExprLit, ExprPath, Lit, Token, UnOp};

use crate::fault::Faults;

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

pub(crate) fn length(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Length> {
    let expr = expression(asked, input, faults)?;
    if is_none(asked, &expr, faults) || is_odd_number(asked, &expr, faults) {
        return None;
    }
    let written = asked.key.to_string();
    match written.strip_suffix("_ms") {
        Some(bare) => milliseconds(asked, bare, expr, faults),
        None => with_unit(asked, expr, faults),
    }
}

fn milliseconds(asked: &Asked<'_>, bare: &str, expr: Expr, faults: &mut Faults) -> Option<Length> {
    let unit = Unit::Milliseconds;
    let value = match literal(&expr) {
        Some(Lit::Int(number)) => match number.base10_parse::<u64>() {
            Ok(ms) => Value::Known(Duration::from_millis(ms), expr),
            Err(_) => {
                faults.out_of_range(&expr, asked.key, "a `u64`, at most 18_446_744_073_709_551_615");
                return None;
            }
        },
        Some(Lit::Str(_)) => {
            faults.text_for_ms(&expr, asked.key, bare);
            return None;
        }
        Some(Lit::Float(_)) => {
            faults.fraction_for_ms(&expr, asked.key, bare);
            return None;
        }
        _ if is_literal(&expr) || is_no_constant(&expr) => {
            faults.wrong_kind(&expr, asked.key, asked.shape);
            return None;
        }
        _ => Value::Constant(expr),
    };
    Some(Length { value, unit })
}

fn with_unit(asked: &Asked<'_>, expr: Expr, faults: &mut Faults) -> Option<Length> {
    let unit = Unit::Duration;
    let value = match literal(&expr) {
        Some(Lit::Str(text)) => match duration(&text.value()) {
            Ok(duration) => Value::Known(duration, expr),
            Err(NoDuration::TooLong) => {
                faults.too_long(&expr, asked.key);
                return None;
            }
            Err(NoDuration::Unreadable) => {
                faults.no_duration(&expr, asked.key);
                return None;
            }
        },
        Some(Lit::Int(_)) => {
            faults.no_unit(&expr, asked.key, true);
            return None;
        }
        Some(Lit::Float(_)) => {
            faults.no_unit(&expr, asked.key, false);
            return None;
        }
        _ if is_literal(&expr) || is_no_constant(&expr) => {
            faults.wrong_kind(&expr, asked.key, asked.shape);
            return None;
        }
        _ => Value::Constant(expr),
    };
    Some(Length { value, unit })
}

/// Why a text is no duration.
enum NoDuration {
    Unreadable,
    TooLong,
}

/// `"1.5s"`: digits, perhaps a point and more digits, a unit. Rounded to the nearest nanosecond.
fn duration(text: &str) -> Result<Duration, NoDuration> {
    let (whole, fraction, nanos_per_unit) = parts(text).ok_or(NoDuration::Unreadable)?;
    let too_long = |_| NoDuration::TooLong;
    // Only digits are left: a number that cannot be read is too large.
    let whole: u64 = whole.parse().map_err(|_| NoDuration::TooLong)?;
    let fraction = fraction.get(..15).unwrap_or(fraction);
    let part: u128 = fraction.parse().unwrap_or(0);
    let scale: u128 = fraction.chars().fold(1, |scale, _| scale * 10);
    let nanos = u128::from(whole) * nanos_per_unit + (part * nanos_per_unit + scale / 2) / scale;
    let seconds = u64::try_from(nanos / 1_000_000_000).map_err(too_long)?;
    Ok(Duration::new(seconds, u32::try_from(nanos % 1_000_000_000).map_err(too_long)?))
}

/// The digits before and behind the point, and the nanoseconds of the unit.
fn parts(text: &str) -> Option<(&str, &str, u128)> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(split);
    let nanos_per_unit = match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60 * 1_000_000_000,
        "h" => 3_600 * 1_000_000_000,
        _ => return None,
    };
    let (whole, fraction) = match number.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, fraction)) => (whole, fraction),
        None => (number, ""),
    };
    (!whole.is_empty() && !fraction.contains('.')).then_some((whole, fraction, nanos_per_unit))
}

pub(crate) fn max(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Max> {
    let expr = expression(asked, input, faults)?;
    let text = match literal(&expr) {
        Some(Lit::Str(text)) => Some(text.value()),
        _ => None,
    };
    match (word(&expr).map(ToString::to_string).as_deref(), text.as_deref()) {
        (Some("unlimited"), _) => return Some(Max::Unlimited(expr)),
        (Some("none"), _) => {
            faults.no_retries(&expr);
            return None;
        }
        (Some("infinite" | "infinity" | "forever"), _) | (_, Some("unlimited" | "infinite" | "forever")) => {
            faults.endless(&expr);
            return None;
        }
        _ if is_odd_number(asked, &expr, faults) => return None,
        _ => {}
    }
    match literal(&expr) {
        Some(Lit::Int(number)) => match number.base10_parse::<u32>() {
            Ok(retries) => Some(Max::Retries(Value::Known(retries, expr))),
            Err(_) => {
                faults.out_of_range(
                    &expr,
                    asked.key,
                    "a `u32`, at most 4_294_967_295, or the word `unlimited`",
                );
                None
            }
        },
        _ if is_literal(&expr) || is_no_constant(&expr) => {
            faults.wrong_kind(&expr, asked.key, asked.shape);
            None
        }
        _ => Some(Max::Retries(Value::Constant(expr))),
    }
}

pub(crate) fn factor(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Value<f64>> {
    let expr = expression(asked, input, faults)?;
    if is_none(asked, &expr, faults) {
        return None;
    }
    let (sign, bare) = match &expr {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => (-1.0, &*unary.expr),
        bare => (1.0, bare),
    };
    let number: Option<f64> = match literal(bare) {
        Some(Lit::Int(number)) => number.base10_parse().ok(),
        Some(Lit::Float(number)) => number.base10_parse().ok(),
        _ => None,
    };
    match number {
        Some(number) => Some(Value::Known(sign * number, expr)),
        None if is_literal(&expr) || is_no_constant(&expr) => {
            faults.wrong_kind(&expr, asked.key, asked.shape);
            None
        }
        None => Some(Value::Constant(expr)),
    }
}

pub(crate) fn flag(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<bool> {
    let expr = expression(asked, input, faults)?;
    if let Some(Lit::Bool(flag)) = literal(&expr) {
        return Some(flag.value);
    }
    faults.wrong_kind(&expr, asked.key, asked.shape);
    None
}

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

pub(crate) fn timeout(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Timeout> {
    let ahead = input.fork();
    let is_word = ahead.parse::<Ident>().is_ok_and(|word| word == "deadline");
    if is_word && (ahead.is_empty() || ahead.peek(Token![,])) {
        return any(asked, input, faults).map(Timeout::Deadline);
    }
    length(asked, input, faults).map(Timeout::Length)
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

/// `clone(a, b)`: the names of parameters.
pub(crate) fn names(asked: &Asked<'_>, input: ParseStream<'_>, faults: &mut Faults) -> Option<Vec<Ident>> {
    let mut names: Vec<Ident> = Vec::new();
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
            None => {}
        }
        let is_stray =
            is_plain && !input.is_empty() && !input.peek(Token![,]) && !input.peek(Ident::peek_any);
        if is_stray {
            faults.no_name(input.span(), asked.key, asked.shape);
        }
        next_item(input, is_plain && !is_stray, "names", faults);
    }
    Some(names)
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

impl Function {
    /// Where it stands.
    pub(crate) fn place(&self) -> crate::hygiene::Place {
        match self {
            Self::Path(path) => crate::hygiene::Place::of(path),
            Self::Closure(closure) => crate::hygiene::Place::of(closure),
        }
    }
}
