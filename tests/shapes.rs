//! Every function that one can write can be annotated. Each test is one shape: its body fails twice and succeeds at
//! the third run, so it must run exactly three times, and the value must be right; blocking and async where both exist.

mod support;

#[deny(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
mod shapes {
    pub(crate) mod thrice;

    mod control_flow;
    mod defaults;
    mod futures;
    mod generics;
    mod neighbours;
    mod parameters;
    mod places;
    mod receivers;
    mod returns;
    mod send;
    mod unusual;
}
