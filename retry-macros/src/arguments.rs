//! What each attempt receives: which parameters and `once` bindings are cloned, kept or borrowed.

use proc_macro2::{Ident, Span};
use syn::Expr;
use syn::spanned::Spanned;

use crate::fault::Faults;
use crate::function::Function;
use crate::parameters::Binding;
use crate::settings::{Setting, Settings};
use crate::value::Once;

/// The clone of `self`.
pub(crate) struct OfSelf {
    /// The `mut` that the user wrote before it.
    pub(crate) mutability: Option<Span>,
}

/// What each attempt receives other than by borrowing.
#[derive(Default)]
pub(crate) struct Handed {
    /// A fresh clone, bound as `mut` where the user wrote so.
    pub(crate) clones: Vec<Binding>,
    /// One value that all attempts change.
    pub(crate) keeps: Vec<Binding>,
    /// The clones include `self`.
    pub(crate) clone_self: Option<OfSelf>,
}

impl Handed {
    pub(crate) fn clones(&self, name: &Ident) -> bool {
        self.clones.iter().any(|binding| binding.name == *name)
    }

    pub(crate) fn keeps(&self, name: &Ident) -> bool {
        self.keeps.iter().any(|binding| binding.name == *name)
    }
}

pub(crate) fn handed(settings: &Settings, function: &Function, faults: &mut Faults) -> Handed {
    let bindings = function.bindings();
    let once: Vec<&Once> = settings.once.iter().flat_map(|once| &once.value).collect();
    let clones: &[Ident] = settings.clone.as_ref().map_or(&[], |clone| &clone.value);
    let keeps: &[Ident] = settings.keep.as_ref().map_or(&[], |keep| &keep.value);
    let by_value_self = function.sig.receiver().is_some();
    let mut handed = Handed::default();
    // Names that were misspelt, as they are right.
    let mut meant: Vec<Ident> = Vec::new();
    for name in clones {
        if let Some(binding) = bindings.iter().find(|binding| binding.name == *name) {
            handed.clones.push(Binding { named: name.span(), ..binding.clone() });
        } else if let Some(once) = once.iter().find(|once| once.name == *name) {
            let binding = Binding::new(&once.name, once.mutability.as_ref().map(Spanned::span));
            handed.clones.push(Binding { named: name.span(), ..binding });
        } else if name == "self" && by_value_self {
            handed.clone_self = Some(OfSelf { mutability: function.mut_self() });
        } else if !settings.is_unread("once") && !inherited(settings.clone.as_ref()) {
            let known =
                bindings.iter().map(|binding| &binding.name).chain(once.iter().map(|once| &once.name));
            meant.extend(faults.clone_of_nothing(name, known));
        }
    }
    for name in keeps {
        let is_mut =
            bindings.iter().find(|binding| binding.name == *name).is_some_and(|b| b.mutability.is_some());
        let is_self = name == "self" && function.mut_self().is_some();
        if clones.contains(name) {
            faults.clone_and_keep(name);
        } else if is_self {
            handed.keeps.extend(function.receiver().map(|this| Binding::new(&this, function.mut_self())));
        } else if is_mut {
            let binding = bindings.iter().find(|binding| binding.name == *name);
            handed.keeps.extend(binding.cloned());
        } else if once.iter().any(|once| once.name == *name) {
            faults.keep_of_once(name);
        } else if bindings.iter().any(|binding| binding.name == *name) {
            if !inherited(settings.keep.as_ref()) {
                faults.keep_without_mut(name);
            }
        } else if !settings.is_unread("once") && !inherited(settings.keep.as_ref()) {
            let known = bindings.iter().filter(|binding| binding.mutability.is_some());
            meant.extend(faults.keep_of_nothing(name, known.map(|binding| &binding.name)));
        }
    }
    let unread = settings.is_unread("clone") || settings.is_unread("keep");
    let is_said = |name: &Ident| unread || clones.iter().chain(keeps).chain(&meant).any(|said| said == name);
    for binding in &bindings {
        if let Some(place) = binding.mutability.filter(|_| !is_said(&binding.name)) {
            faults.mut_without_word(place, &binding.name.to_string());
        }
    }
    let self_said = unread || clones.iter().chain(keeps).any(|name| name == "self");
    if let Some(place) = function.mut_self().filter(|_| !self_said) {
        faults.mut_without_word(place, "self");
    }
    for once in once {
        if once.mutability.is_some() && !clones.contains(&once.name) {
            handed.keeps.push(Binding::new(&once.name, once.mutability.as_ref().map(Spanned::span)));
        }
    }
    handed
}

/// What a block hands down against the rules, it tells itself.
fn inherited<T>(setting: Option<&Setting<T>>) -> bool {
    setting.is_some_and(Setting::inherited)
}

/// A constant that is made from a parameter is none.
pub(crate) fn no_constants(settings: &Settings, function: &Function, faults: &mut Faults) {
    for (key, expr) in settings.constants() {
        let Some(root) = root(expr) else { continue };
        if root == "self" || function.bindings().iter().any(|binding| binding.name == *root) {
            faults.known_at_run_time(expr, key, &root.to_string());
        }
    }
}

/// The name on which an expression is built: `a` of `a.b().c`.
fn root(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root(&field.base),
        Expr::MethodCall(call) => root(&call.receiver),
        Expr::Paren(paren) => root(&paren.expr),
        Expr::Reference(reference) => root(&reference.expr),
        Expr::Unary(unary) => root(&unary.expr),
        Expr::Cast(cast) => root(&cast.expr),
        _ => None,
    }
}

/// The name in which a place lies: `a` of `a.b`.
pub(crate) fn place_of(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => place_of(&field.base),
        Expr::Paren(paren) => place_of(&paren.expr),
        Expr::Reference(reference) => place_of(&reference.expr),
        _ => None,
    }
}

pub(crate) fn once(settings: &Settings, function: &Function, faults: &mut Faults) -> Vec<Once> {
    let bindings = function.bindings();
    let mut bound = Vec::new();
    for once in settings.once.iter().flat_map(|once| &once.value) {
        let is_own = !inherited(settings.once.as_ref());
        if is_own && bindings.iter().any(|binding| binding.name == once.name) {
            faults.once_shadows(&once.name);
        }
        bound.push(once.clone());
    }
    bound
}
