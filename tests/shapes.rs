//! Every function that one can write can be annotated. Each test is one shape: its body fails twice and succeeds at
//! the third run, so it must run exactly three times, and the value must be right; blocking and async where both exist.

mod support;

#[deny(warnings, clippy::all, clippy::pedantic, clippy::nursery)]
#[allow(
    clippy::boxed_local,
    clippy::elidable_lifetime_names,
    clippy::needless_return,
    clippy::option_if_let_else,
    clippy::cast_possible_truncation,
    clippy::future_not_send,
    clippy::items_after_statements,
    clippy::let_and_return,
    clippy::manual_async_fn,
    clippy::needless_lifetimes,
    clippy::needless_pass_by_ref_mut,
    clippy::needless_pass_by_value,
    clippy::never_loop,
    clippy::ptr_arg,
    clippy::redundant_pub_crate,
    clippy::significant_drop_in_scrutinee,
    clippy::toplevel_ref_arg,
    clippy::trivially_copy_pass_by_ref,
    clippy::type_complexity,
    clippy::unnecessary_wraps,
    clippy::unused_async,
    clippy::unused_self,
    reason = "some shapes are what these advise against"
)]
mod shapes {
    pub(crate) mod thrice;

    mod control_flow;
    mod defaults;
    mod futures;
    mod generics;
    mod guards;
    mod limits;
    mod macros;
    mod neighbours;
    mod parameters;
    mod places;
    mod receivers;
    mod returns;
    mod send;
    mod unusual;
}
