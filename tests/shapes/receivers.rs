//! `self` in every form.
#![allow(non_local_definitions, reason = "each shape has its methods beside it")]

use std::borrow::BorrowMut;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;

use retry_runtime::retry;

use super::thrice::{Busy, is_busy, third, third_later, thrice, thrice_later};

/// A client that can neither be copied nor cloned.
struct Client {
    name: String,
    count: u32,
}

impl Client {
    fn new() -> Self {
        Self { name: "client".to_owned(), count: 4 }
    }
}

/// A client that can be cloned.
#[derive(Clone)]
struct Handle {
    name: String,
    count: u32,
}

impl Handle {
    fn new() -> Self {
        Self { name: "handle".to_owned(), count: 4 }
    }
}

#[test]
fn shared_reference() {
    impl Client {
        #[retry(on = is_busy)]
        fn name_of(&self) -> Result<String, Busy> {
            third()?;
            Ok(self.name.clone())
        }

        #[retry(on = is_busy)]
        async fn name_of_later(&self) -> Result<String, Busy> {
            third_later().await?;
            Ok(self.name.clone())
        }
    }
    assert_eq!(thrice(|| Client::new().name_of()).as_deref(), Ok("client"));
    assert_eq!(thrice_later(Client::new().name_of_later()).as_deref(), Ok("client"));
}

#[test]
fn exclusive_reference() {
    impl Client {
        #[retry(on = is_busy)]
        fn add(&mut self) -> Result<u32, Busy> {
            self.count += 1;
            third()?;
            Ok(self.count)
        }

        #[retry(on = is_busy)]
        async fn add_later(&mut self) -> Result<u32, Busy> {
            self.count += 1;
            third_later().await?;
            Ok(self.count)
        }
    }
    assert_eq!(thrice(|| Client::new().add()), Ok(7));
    assert_eq!(thrice_later(Client::new().add_later()), Ok(7));
}

#[test]
fn exclusive_reference_handed_on() {
    fn touch(client: &mut Client) -> &mut u32 {
        client.count += 1;
        &mut client.count
    }

    impl Client {
        #[retry(on = is_busy)]
        fn handed_on(&mut self) -> Result<u32, Busy> {
            *touch(self) += 1;
            third()?;
            Ok(*touch(self))
        }

        #[retry(on = is_busy)]
        async fn handed_on_later(&mut self) -> Result<u32, Busy> {
            *touch(self) += 1;
            third_later().await?;
            Ok(*touch(self))
        }
    }
    assert_eq!(thrice(|| Client::new().handed_on()), Ok(11));
    assert_eq!(thrice_later(Client::new().handed_on_later()), Ok(11));
}

#[test]
fn exclusive_reference_under_another_name() {
    impl Client {
        #[retry(on = is_busy)]
        fn renamed(&mut self) -> Result<u32, Busy> {
            let this = self;
            this.count += 1;
            third()?;
            Ok(this.count)
        }

        #[retry(on = is_busy)]
        async fn renamed_later(&mut self) -> Result<u32, Busy> {
            let this = self;
            this.count += 1;
            third_later().await?;
            Ok(this.count)
        }
    }
    assert_eq!(thrice(|| Client::new().renamed()), Ok(7));
    assert_eq!(thrice_later(Client::new().renamed_later()), Ok(7));
}

#[test]
fn exclusive_reference_taken_apart() {
    impl Client {
        #[retry(on = is_busy)]
        fn apart(&mut self) -> Result<String, Busy> {
            let Self { name, count } = self;
            *count += 1;
            name.push('!');
            third()?;
            Ok(format!("{name}{count}"))
        }

        #[retry(on = is_busy)]
        async fn apart_later(&mut self) -> Result<String, Busy> {
            let Self { name, count } = self;
            *count += 1;
            name.push('!');
            third_later().await?;
            Ok(format!("{name}{count}"))
        }
    }
    assert_eq!(thrice(|| Client::new().apart()).as_deref(), Ok("client!!!7"));
    assert_eq!(thrice_later(Client::new().apart_later()).as_deref(), Ok("client!!!7"));
}

#[test]
fn exclusive_reference_in_moving_closures_and_blocks() {
    impl Client {
        #[retry(on = is_busy)]
        fn moving(&mut self) -> Result<u32, Busy> {
            let mut add = move |n: u32| {
                self.count += n;
                self.count
            };
            add(1);
            third()?;
            Ok(add(1))
        }

        #[retry(on = is_busy)]
        async fn moving_later(&mut self) -> Result<u32, Busy> {
            let add = async move {
                self.count += 1;
                third_later().await?;
                Ok(self.count)
            };
            add.await
        }
    }
    assert_eq!(thrice(|| Client::new().moving()), Ok(8));
    assert_eq!(thrice_later(Client::new().moving_later()), Ok(7));
}

#[test]
fn exclusive_reference_given_to_a_generic() {
    struct Source(Vec<u32>);

    impl Iterator for Source {
        type Item = u32;

        fn next(&mut self) -> Option<u32> {
            self.0.pop()
        }
    }

    fn first(mut source: impl Iterator<Item = u32>) -> Option<u32> {
        source.next()
    }

    impl Source {
        #[retry(on = is_busy)]
        fn first_of(&mut self) -> Result<Option<u32>, Busy> {
            let found = first(self);
            third().map(|_| found)
        }

        #[retry(on = is_busy)]
        async fn first_of_later(&mut self) -> Result<Option<u32>, Busy> {
            let found = first(self);
            third_later().await.map(|_| found)
        }

        #[retry(on = is_busy)]
        fn total(&mut self) -> Result<u32, Busy> {
            let mut sum = 0;
            for n in self {
                third()?;
                sum += n;
            }
            Ok(sum)
        }
    }
    assert_eq!(thrice(|| Source(vec![5, 6, 7, 8]).first_of()), Ok(Some(6)));
    assert_eq!(thrice_later(Source(vec![5, 6, 7, 8]).first_of_later()), Ok(Some(6)));
    assert_eq!(thrice(|| Source(vec![6, 7, 8]).total()), Ok(6));
}

#[test]
fn exclusive_reference_assigned_through() {
    impl Client {
        #[retry(on = is_busy)]
        fn replaced(&mut self) -> Result<u32, Busy> {
            *self = Self { count: self.count * 2, name: String::new() };
            third()?;
            Ok(self.count)
        }

        #[retry(on = is_busy)]
        async fn replaced_later(&mut self) -> Result<u32, Busy> {
            *self = Self { count: self.count * 2, name: String::new() };
            third_later().await?;
            Ok(self.count)
        }
    }
    assert_eq!(thrice(|| Client::new().replaced()), Ok(32));
    assert_eq!(thrice_later(Client::new().replaced_later()), Ok(32));
}

#[test]
fn by_value_and_only_read() {
    impl Client {
        #[retry(on = is_busy)]
        fn read(self) -> Result<usize, Busy> {
            third()?;
            Ok(self.name.len())
        }

        #[retry(on = is_busy)]
        async fn read_later(self) -> Result<usize, Busy> {
            third_later().await?;
            Ok(self.name.len())
        }
    }
    assert_eq!(thrice(|| Client::new().read()), Ok(6));
    assert_eq!(thrice_later(Client::new().read_later()), Ok(6));
}

#[test]
fn by_value_and_copied() {
    #[derive(Clone, Copy)]
    struct Point(u32);

    impl Point {
        fn into_inner(self) -> u32 {
            self.0
        }

        #[retry(on = is_busy)]
        fn moved(self) -> Result<u32, Busy> {
            third()?;
            Ok(self.into_inner())
        }

        #[retry(on = is_busy)]
        async fn moved_later(self) -> Result<u32, Busy> {
            third_later().await?;
            Ok(self.into_inner())
        }
    }
    assert_eq!(thrice(|| Point(7).moved()), Ok(7));
    assert_eq!(thrice_later(Point(7).moved_later()), Ok(7));
}

#[test]
fn by_value_and_cloned() {
    fn eat(handle: Handle) -> String {
        handle.name
    }

    impl Handle {
        #[retry(on = is_busy, clone(self))]
        fn eaten(self) -> Result<String, Busy> {
            let name = eat(self);
            third()?;
            Ok(name)
        }

        #[retry(on = is_busy, clone(self))]
        async fn eaten_later(self) -> Result<String, Busy> {
            let name = eat(self);
            third_later().await?;
            Ok(name)
        }
    }
    assert_eq!(thrice(|| Handle::new().eaten()).as_deref(), Ok("handle"));
    assert_eq!(thrice_later(Handle::new().eaten_later()).as_deref(), Ok("handle"));
}

#[test]
fn by_value_mut_and_cloned() {
    impl Handle {
        #[retry(on = is_busy, clone(self))]
        fn fresh(mut self) -> Result<u32, Busy> {
            self.count += 1;
            third()?;
            Ok(self.count)
        }

        #[retry(on = is_busy, clone(self))]
        async fn fresh_later(mut self) -> Result<u32, Busy> {
            self.count += 1;
            third_later().await?;
            Ok(self.count)
        }
    }
    assert_eq!(thrice(|| Handle::new().fresh()), Ok(5));
    assert_eq!(thrice_later(Handle::new().fresh_later()), Ok(5));
}

#[test]
fn by_value_mut_and_kept() {
    impl Client {
        #[retry(on = is_busy, keep(self))]
        fn kept(mut self) -> Result<u32, Busy> {
            self.count += 1;
            third()?;
            Ok(self.count)
        }

        #[retry(on = is_busy, keep(self))]
        async fn kept_later(mut self) -> Result<u32, Busy> {
            self.count += 1;
            third_later().await?;
            Ok(self.count)
        }
    }
    assert_eq!(thrice(|| Client::new().kept()), Ok(7));
    assert_eq!(thrice_later(Client::new().kept_later()), Ok(7));
}

#[test]
fn by_value_and_returned() {
    impl Handle {
        #[retry(on = is_busy, clone(self))]
        fn with_count(self, count: u32) -> Result<Self, Busy> {
            third()?;
            Ok(Self { count, ..self })
        }

        #[retry(on = is_busy, clone(self))]
        async fn with_count_later(self, count: u32) -> Result<Self, Busy> {
            third_later().await?;
            Ok(Self { count, ..self })
        }
    }
    let now = thrice(|| Handle::new().with_count(9)).map(|handle| (handle.name, handle.count));
    assert_eq!(now, Ok(("handle".to_owned(), 9)));
    let later = thrice_later(Handle::new().with_count_later(9)).map(|handle| (handle.name, handle.count));
    assert_eq!(later, Ok(("handle".to_owned(), 9)));
}

#[test]
fn boxed_self() {
    impl Client {
        #[retry(on = is_busy)]
        fn in_box(self: Box<Self>) -> Result<u32, Busy> {
            third()?;
            Ok(self.count)
        }

        #[retry(on = is_busy)]
        async fn in_box_later(self: Box<Self>) -> Result<u32, Busy> {
            third_later().await?;
            Ok(self.count)
        }
    }
    assert_eq!(thrice(|| Box::new(Client::new()).in_box()), Ok(4));
    assert_eq!(thrice_later(Box::new(Client::new()).in_box_later()), Ok(4));
}

#[test]
fn boxed_mut_self() {
    impl Handle {
        #[retry(on = is_busy, keep(self))]
        fn kept_in_box(mut self: Box<Self>) -> Result<u32, Busy> {
            self.count += 1;
            third()?;
            Ok(self.count)
        }

        #[retry(on = is_busy, clone(self))]
        async fn fresh_in_box(mut self: Box<Self>) -> Result<u32, Busy> {
            self.count += 1;
            third_later().await?;
            Ok(self.count)
        }
    }
    assert_eq!(thrice(|| Box::new(Handle::new()).kept_in_box()), Ok(7));
    assert_eq!(thrice_later(Box::new(Handle::new()).fresh_in_box()), Ok(5));
}

#[test]
fn reference_counted_self() {
    impl Client {
        #[retry(on = is_busy)]
        fn in_rc(self: Rc<Self>) -> Result<usize, Busy> {
            third()?;
            Ok(Rc::strong_count(&self))
        }

        #[retry(on = is_busy)]
        async fn in_rc_later(self: Rc<Self>) -> Result<usize, Busy> {
            third_later().await?;
            Ok(Rc::strong_count(&self))
        }
    }
    assert_eq!(thrice(|| Rc::new(Client::new()).in_rc()), Ok(1));
    assert_eq!(thrice_later(Rc::new(Client::new()).in_rc_later()), Ok(1));
}

#[test]
fn atomically_counted_self() {
    impl Client {
        #[retry(on = is_busy)]
        fn in_arc(self: Arc<Self>) -> Result<usize, Busy> {
            third()?;
            Ok(Arc::strong_count(&self))
        }

        #[retry(on = is_busy)]
        async fn in_arc_later(self: Arc<Self>) -> Result<usize, Busy> {
            third_later().await?;
            Ok(Arc::strong_count(&self))
        }
    }
    assert_eq!(thrice(|| Arc::new(Client::new()).in_arc()), Ok(1));
    assert_eq!(thrice_later(Arc::new(Client::new()).in_arc_later()), Ok(1));
}

#[test]
fn atomically_counted_self_moved_into_a_task() {
    impl Client {
        #[retry(on = is_busy, clone(self))]
        fn spawned(self: Arc<Self>) -> Result<usize, Busy> {
            let length = std::thread::spawn(move || self.name.len()).join();
            third()?;
            Ok(length.unwrap_or_default())
        }

        #[retry(on = is_busy, clone(self))]
        async fn spawned_later(self: Arc<Self>) -> Result<usize, Busy> {
            let length = async move { self.name.len() };
            third_later().await?;
            Ok(length.await)
        }
    }
    assert_eq!(thrice(|| Arc::new(Client::new()).spawned()), Ok(6));
    assert_eq!(thrice_later(Arc::new(Client::new()).spawned_later()), Ok(6));
}

#[test]
fn reference_to_counted_self() {
    impl Client {
        #[retry(on = is_busy)]
        fn shares(self: &Arc<Self>) -> Result<usize, Busy> {
            let another = Arc::clone(self);
            third()?;
            Ok(Arc::strong_count(&another))
        }

        #[retry(on = is_busy)]
        async fn shares_later<'a>(self: &'a Arc<Self>) -> Result<&'a str, Busy> {
            third_later().await?;
            Ok(&self.name)
        }
    }
    assert_eq!(thrice(|| Arc::new(Client::new()).shares()), Ok(2));
    assert_eq!(thrice_later(Arc::new(Client::new()).shares_later()), Ok("client"));
}

#[test]
fn pinned_exclusive_self() {
    impl Client {
        #[retry(on = is_busy, keep(self))]
        fn pinned(mut self: Pin<&mut Self>) -> Result<u32, Busy> {
            self.as_mut().count += 1;
            third()?;
            Ok(self.count)
        }

        #[retry(on = is_busy, keep(self))]
        async fn pinned_later(mut self: Pin<&mut Self>) -> Result<u32, Busy> {
            self.as_mut().count += 1;
            third_later().await?;
            Ok(self.count)
        }
    }
    assert_eq!(thrice(|| Pin::new(&mut Client::new()).pinned()), Ok(7));
    assert_eq!(thrice_later(Pin::new(&mut Client::new()).pinned_later()), Ok(7));
}

#[test]
fn pinned_self_only_read() {
    impl Client {
        #[retry(on = is_busy)]
        fn pinned_read(self: Pin<&mut Self>) -> Result<u32, Busy> {
            third()?;
            Ok(self.count)
        }

        #[retry(on = is_busy)]
        async fn pinned_shared_later(self: Pin<&Self>) -> Result<u32, Busy> {
            third_later().await?;
            Ok(self.get_ref().count)
        }
    }
    assert_eq!(thrice(|| Pin::new(&mut Client::new()).pinned_read()), Ok(4));
    assert_eq!(thrice_later(Pin::new(&Client::new()).pinned_shared_later()), Ok(4));
}

#[test]
fn typed_references() {
    #[allow(clippy::needless_arbitrary_self_type)]
    impl Client {
        #[retry(on = is_busy)]
        fn typed(self: &Self) -> Result<u32, Busy> {
            third()?;
            Ok(self.count)
        }

        #[retry(on = is_busy)]
        async fn typed_later(self: &mut Self) -> Result<u32, Busy> {
            self.count += 1;
            third_later().await?;
            Ok(self.count)
        }
    }
    assert_eq!(thrice(|| Client::new().typed()), Ok(4));
    assert_eq!(thrice_later(Client::new().typed_later()), Ok(7));
}

#[test]
fn explicit_lifetime_lent_out() {
    impl Client {
        #[retry(on = is_busy)]
        fn lent<'a>(&'a self, _other: &str) -> Result<&'a str, Busy> {
            third()?;
            Ok(&self.name)
        }

        #[retry(on = is_busy)]
        async fn lent_later<'a>(&'a self, _other: &str) -> Result<&'a str, Busy> {
            third_later().await?;
            Ok(&self.name)
        }
    }
    let client = Client::new();
    assert_eq!(thrice(|| client.lent("other")), Ok("client"));
    assert_eq!(thrice_later(client.lent_later("other")), Ok("client"));
}

#[test]
fn explicit_lifetime_of_an_exclusive_reference() {
    impl Client {
        #[retry(on = is_busy)]
        fn counted<'a>(&'a mut self, names: &'a [String]) -> Result<u32, Busy> {
            self.count += names.len() as u32;
            third()?;
            Ok(self.count)
        }

        #[retry(on = is_busy)]
        async fn counted_later<'a>(&'a mut self, names: &'a [String]) -> Result<u32, Busy> {
            self.count += names.len() as u32;
            third_later().await?;
            Ok(self.count)
        }
    }
    assert_eq!(thrice(|| Client::new().counted(&[String::new()])), Ok(7));
    assert_eq!(thrice_later(Client::new().counted_later(&[String::new()])), Ok(7));
}

#[test]
fn shared_data_lent_out_of_an_exclusive_reference() {
    impl Client {
        #[retry(on = is_busy)]
        fn borrowed(&mut self) -> Result<&str, Busy> {
            third()?;
            Ok(&self.name)
        }

        #[retry(on = is_busy)]
        async fn borrowed_later(&mut self) -> Result<&str, Busy> {
            third_later().await?;
            Ok(&self.name)
        }
    }
    assert_eq!(thrice(|| Client::new().borrowed().map(str::len)), Ok(6));
    let mut client = Client::new();
    assert_eq!(thrice_later(client.borrowed_later()), Ok("client"));
}

#[test]
fn receiver_with_a_lifetime_of_the_block() {
    struct View<'a> {
        rest: &'a [u32],
    }

    impl<'a> View<'a> {
        #[retry(on = is_busy)]
        fn next(&mut self) -> Result<&'a u32, Busy> {
            let (first, rest) = self.rest.split_first().ok_or(Busy)?;
            self.rest = rest;
            third()?;
            Ok(first)
        }

        #[retry(on = is_busy)]
        async fn next_later(&mut self) -> Result<&'a u32, Busy> {
            let (first, rest) = self.rest.split_first().ok_or(Busy)?;
            self.rest = rest;
            third_later().await?;
            Ok(first)
        }
    }
    let numbers = [5, 6, 7];
    assert_eq!(thrice(|| View { rest: &numbers }.next()), Ok(&7));
    assert_eq!(thrice_later(View { rest: &numbers }.next_later()), Ok(&7));
}

#[test]
fn receiver_that_lives_for_ever() {
    static CLIENT: [u32; 2] = [4, 5];

    trait First {
        fn first_of(&'static self) -> Result<&'static u32, Busy>;
    }

    impl First for [u32; 2] {
        #[retry(on = is_busy)]
        fn first_of(&'static self) -> Result<&'static u32, Busy> {
            third()?;
            self.first().ok_or(Busy)
        }
    }
    assert_eq!(thrice(|| CLIENT.first_of()), Ok(&4));
}

#[test]
fn methods_of_an_enum() {
    enum State {
        Idle,
        Open(u32),
    }

    impl State {
        #[retry(on = is_busy)]
        fn advance(&mut self) -> Result<u32, Busy> {
            match self {
                Self::Idle => *self = Self::Open(1),
                Self::Open(count) => *count += 1,
            }
            third()?;
            if let Self::Open(count) = self { Ok(*count) } else { Err(Busy) }
        }

        #[retry(on = is_busy)]
        async fn advance_later(&mut self) -> Result<u32, Busy> {
            match self {
                Self::Idle => *self = Self::Open(1),
                Self::Open(count) => *count += 1,
            }
            third_later().await?;
            if let Self::Open(count) = self { Ok(*count) } else { Err(Busy) }
        }
    }
    assert_eq!(thrice(|| State::Idle.advance()), Ok(3));
    assert_eq!(thrice_later(State::Idle.advance_later()), Ok(3));
}

#[test]
fn no_receiver() {
    impl Client {
        #[retry(on = is_busy)]
        fn connect(name: &str) -> Result<Self, Busy> {
            third()?;
            Ok(Self { name: name.to_owned(), count: 0 })
        }

        #[retry(on = is_busy)]
        async fn connect_later(name: &str) -> Result<Self, Busy> {
            third_later().await?;
            Ok(Self { name: name.to_owned(), count: 0 })
        }
    }
    assert_eq!(thrice(|| Client::connect("a")).map(|client| client.name).as_deref(), Ok("a"));
    assert_eq!(thrice_later(Client::connect_later("a")).map(|client| client.name).as_deref(), Ok("a"));
}

#[test]
fn annotated_methods_call_each_other() {
    impl Client {
        #[retry(on = is_busy, max = 1)]
        fn inner(&mut self) -> Result<u32, Busy> {
            self.count += 1;
            third()
        }

        #[retry(on = is_busy, strategy = "none")]
        fn outer(&mut self) -> Result<u32, Busy> {
            self.inner()?;
            Ok(self.count)
        }

        #[retry(on = is_busy, max = 1)]
        async fn inner_later(&mut self) -> Result<u32, Busy> {
            self.count += 1;
            third_later().await
        }

        #[retry(on = is_busy, strategy = "none")]
        async fn outer_later(&mut self) -> Result<u32, Busy> {
            self.inner_later().await?;
            Ok(self.count)
        }
    }
    assert_eq!(thrice(|| Client::new().outer()), Ok(7));
    assert_eq!(thrice_later(Client::new().outer_later()), Ok(7));
}

#[test]
#[allow(clippy::literal_string_with_formatting_args, reason = "the shape is about it")]
fn exclusive_self_used_up_beside_its_name_in_a_format_string() {
    #[derive(Debug)]
    struct Connection(u32);

    fn sent(connection: &mut Connection) -> Result<u32, Busy> {
        connection.0 += 1;
        third()
    }

    async fn sent_later(connection: &mut Connection) -> Result<u32, Busy> {
        connection.0 += 1;
        third_later().await
    }

    fn anywhere<C: BorrowMut<Connection>>(mut connection: C) -> u32 {
        connection.borrow_mut().0
    }

    impl Connection {
        #[retry(on = is_busy)]
        fn now(&mut self) -> Result<u32, Busy> {
            let _ = format!("sending over {self:?}");
            sent(self)?;
            Ok(anywhere(self))
        }

        #[retry(on = is_busy)]
        async fn later(&mut self) -> Result<u32, Busy> {
            let _ = format!("sending over {self:?}");
            let this = self;
            sent_later(this).await?;
            Ok(anywhere(this))
        }

        #[retry(on = is_busy)]
        fn in_no_macro(&mut self) -> Result<u32, Busy> {
            let help = "{self} is no format string";
            self.0 += help.len() as u32;
            third()?;
            Ok(anywhere(self))
        }
    }
    assert_eq!(thrice(|| Connection(1).now()), Ok(4));
    assert_eq!(thrice_later(async { Connection(1).later().await }), Ok(4));
    assert_eq!(thrice(|| Connection(1).in_no_macro()), Ok(1 + 3 * 26));
}
