//! How an attempt gets at what lies outside of it: references borrowed anew, clones, and what an async block captures.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

use crate::arguments::{self, OfSelf};
use crate::expand::{Writer, ours, shadowing};
use crate::function::Shape;
use crate::hygiene::{Place, local, ours_at};
use crate::parameters::{Binding, Borrowed};
use crate::tokens;

impl Writer<'_> {
    /// How the body gets at references. What stands behind `&mut` is borrowed anew, so that the body may use up the
    /// reference; an async block captures it uniquely by that, and what is only read through it need not be `Sync` for
    /// the future to be `Send`. What is lent out for longer than an attempt is left alone. Other references are captured
    /// as a whole: then an error about what is behind one has the words that it has without a closure.
    pub(crate) fn reborrowed(&self, mut body: TokenStream, is_captured: bool) -> (TokenStream, TokenStream) {
        let handed = &self.policy.handed;
        // In a block that does not own the reference, that would be a reference to a variable which ends before it.
        let is_borrowed_twice = matches!(&self.function.shape, Shape::Block(boxed) if !boxed.moves);
        let mut reborrowed = TokenStream::new();
        for Borrowed { name, condition, place, is_exclusive, is_lent } in self.function.borrowed() {
            // What a setting borrows of it for the whole call, the body can only go round.
            let is_lent = is_lent || self.is_borrowed_from(&name);
            let is_left_alone = is_exclusive && is_lent || handed.clones(&name) || handed.keeps(&name);
            if is_left_alone || !tokens::uses(&body, &name.to_string()) {
                continue;
            }
            let is_taken = is_exclusive && name == "self" && tokens::takes_self(&body);
            let is_in_text = is_taken && tokens::is_self_in_text(&body);
            if is_in_text {
                body = tokens::reborrow_self(body);
            }
            if is_exclusive && name != "self" {
                let quiet = shadowing();
                reborrowed.extend(quote_spanned!(ours()=> #condition #quiet let #name = &mut *#name;));
            } else if is_taken && !is_in_text {
                // `self` cannot be bound anew.
                let this = local("this");
                reborrowed.extend(quote_spanned!(ours()=> let #this = &mut *#name;));
                body = tokens::replace_self(body, &this);
            } else if name == "self" {
                if is_exclusive && is_captured {
                    reborrowed.extend(quote_spanned!(ours()=> let _ = &mut *#name;));
                }
                if !is_borrowed_twice {
                    reborrowed.extend(quote_spanned!(ours()=> let _ = &#name;));
                }
            } else if !is_borrowed_twice {
                // With a type, and at the user's, advice to make it another one is advice about that.
                let (quiet, ty) = (shadowing(), place.over(quote_spanned!(ours()=> &_)));
                reborrowed.extend(quote_spanned!(ours()=> #condition #quiet let #name: #ty = #name;));
            }
        }
        for Binding { name, condition, .. } in &handed.keeps {
            if is_captured && tokens::uses(&body, &name.to_string()) {
                reborrowed.extend(quote_spanned!(ours()=> #condition let _ = &mut #name;));
            }
        }
        (reborrowed, body)
    }

    /// Whether the budget or the token is a field behind the reference.
    fn is_borrowed_from(&self, name: &Ident) -> bool {
        let shared = self.budget().into_iter().chain(self.cancel());
        shared.filter_map(arguments::place_of).any(|root| root == name)
    }

    /// The clones that an attempt gets. An async block captures the originals uniquely: they need not be `Sync`.
    pub(crate) fn cloned(&self, mut body: TokenStream, is_captured: bool) -> (TokenStream, TokenStream) {
        let mut cloned = TokenStream::new();
        for Binding { name, named, mutability, by_ref, condition, .. } in &self.policy.handed.clones {
            let mutability = mutability.map(|span| Ident::new("mut", span));
            if is_captured && !by_ref {
                cloned.extend(quote_spanned!(ours()=> #condition let _ = &mut #name;));
            }
            let (clone, quiet) = (self.clone_of(name, Place::at(*named)), shadowing());
            cloned.extend(quote_spanned!(ours()=> #condition #quiet let #mutability #name = #clone;));
        }
        if let (Some(OfSelf { mutability }), Some(receiver)) =
            (&self.policy.handed.clone_self, self.function.receiver())
        {
            let this = local("this");
            let mutability = mutability.map(|span| Ident::new("mut", span));
            if is_captured && self.function.has_owned_receiver() {
                cloned.extend(quote_spanned!(ours()=> let _ = &mut #receiver;));
            }
            let clone = self.clone_of(&receiver, Place::of(&receiver));
            cloned.extend(quote_spanned!(ours()=> let #mutability #this = #clone;));
            body = tokens::replace_self(body, &this);
        }
        (cloned, body)
    }

    /// The span of a closure or an async block. With the user's own, errors name what is captured as the user does; but
    /// before edition 2021 the captures would be whole variables, from which nothing can be lent out.
    pub(crate) fn capture_span(&self) -> Span {
        let span = self.body_span();
        let is_lent = self.function.borrowed().iter().any(|borrowed| {
            borrowed.is_exclusive && (borrowed.is_lent || self.is_borrowed_from(&borrowed.name))
        });
        if is_lent { ours_at(span) } else { span }
    }
}
