//! Numbers and answers.

use syn::parse::ParseStream;
use syn::{Expr, Lit, UnOp};

use super::{
    Asked, Max, Value, expression, is_literal, is_no_constant, is_none, is_odd_number, literal, word,
};
use crate::fault::Faults;

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
        Some(Lit::Int(number)) => {
            let Ok(retries) = number.base10_parse() else {
                let range = "a `u32`, at most 4_294_967_295, or the word `unlimited`";
                faults.out_of_range(&expr, asked.key, range);
                return None;
            };
            Some(Max::Retries(Value::Known(retries, expr)))
        }
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
