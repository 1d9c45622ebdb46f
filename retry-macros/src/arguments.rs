//! What each attempt receives: which parameters and `once` bindings are cloned, kept or borrowed.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;

use crate::fault::Faults;
use crate::function::Function;
use crate::settings::Settings;
use crate::value::Once;

/// What each attempt receives other than by borrowing.
#[derive(Default)]
pub(crate) struct Handed {
    /// A fresh clone, bound as `mut` where the user wrote so.
    pub(crate) clones: Vec<(Ident, Option<Span>)>,
    /// One value that all attempts change.
    pub(crate) keeps: Vec<Ident>,
    pub(crate) clone_self: Option<Option<Span>>,
}

pub(crate) fn handed(settings: &Settings, function: &Function, faults: &mut Faults) -> Handed {
    let bindings = function.bindings();
    let once: Vec<&Once> = settings.once.iter().flat_map(|once| &once.value).collect();
    let clones: &[Ident] = settings.clone.as_ref().map_or(&[], |clone| &clone.value);
    let keeps: &[Ident] = settings.keep.as_ref().map_or(&[], |keep| &keep.value);
    let by_value_self = function.sig.receiver().is_some();
    let mut handed = Handed::default();
    for name in clones {
        if let Some(binding) = bindings.iter().find(|binding| binding.name == *name) {
            handed.clones.push((binding.name.clone(), binding.mutability));
        } else if let Some(once) = once.iter().find(|once| once.name == *name) {
            handed.clones.push((once.name.clone(), once.mutability.as_ref().map(Spanned::span)));
        } else if name == "self" && by_value_self {
            handed.clone_self = Some(function.mut_self());
        } else {
            faults.clone_of_nothing(name);
        }
    }
    for name in keeps {
        let is_mut =
            bindings.iter().find(|binding| binding.name == *name).is_some_and(|b| b.mutability.is_some());
        let is_self = name == "self" && function.mut_self().is_some();
        if clones.contains(name) {
            faults.clone_and_keep(name);
        } else if is_self {
            handed.keeps.push(name.clone());
        } else if is_mut {
            let binding = bindings.iter().find(|binding| binding.name == *name);
            handed.keeps.extend(binding.map(|binding| binding.name.clone()));
        } else {
            faults.keep_of_nothing(name);
        }
    }
    for binding in &bindings {
        let said = clones.contains(&binding.name) || keeps.contains(&binding.name);
        if let Some(place) = binding.mutability.filter(|_| !said) {
            faults.mut_without_word(place, &binding.name.to_string());
        }
    }
    let self_said = clones.iter().chain(keeps).any(|name| name == "self");
    if let Some(place) = function.mut_self().filter(|_| !self_said) {
        faults.mut_without_word(place, "self");
    }
    for once in once {
        let cloned = clones.contains(&once.name);
        if once.mutability.is_some() && !cloned {
            handed.keeps.push(once.name.clone());
        }
    }
    handed
}

pub(crate) fn once(settings: &Settings, function: &Function, faults: &mut Faults) -> Vec<Once> {
    let bindings = function.bindings();
    let mut bound = Vec::new();
    for once in settings.once.iter().flat_map(|once| &once.value) {
        if bindings.iter().any(|binding| binding.name == once.name) {
            faults.once_shadows(&once.name);
        }
        bound.push(once.clone());
    }
    bound
}
