//! `clone`: names of nothing, and `mut` without a word.

use retry_runtime::retry;

struct Client;

#[retry(clone(payload))]
fn of_nothing(order: String) -> std::io::Result<()> {
    drop(order);
    Ok(())
}

#[retry(clone(ordre))]
fn misspelt(mut order: String) -> std::io::Result<()> {
    order.push('!');
    Ok(())
}

#[retry(clone(order, order))]
fn twice(order: String) -> std::io::Result<()> {
    drop(order);
    Ok(())
}

#[retry(clone(order), clone(order))]
fn in_two_lists(order: String) -> std::io::Result<()> {
    drop(order);
    Ok(())
}

#[retry(clone(order), keep(order))]
fn also_kept(mut order: String) -> std::io::Result<()> {
    order.push('!');
    Ok(())
}

#[retry(clone())]
fn empty(order: String) -> std::io::Result<()> {
    drop(order);
    Ok(())
}

#[retry(clone = order)]
fn with_an_equals_sign(mut order: String) -> std::io::Result<()> {
    order.push('!');
    Ok(())
}

#[retry(clone order)]
fn without_parentheses(mut order: String) -> std::io::Result<()> {
    order.push('!');
    Ok(())
}

#[retry(clone(&order))]
fn by_reference(mut order: String) -> std::io::Result<()> {
    order.push('!');
    Ok(())
}

#[retry(clone(order.lines))]
fn a_field(order: String) -> std::io::Result<()> {
    drop(order);
    Ok(())
}

#[retry(clone(order receipt))]
fn without_a_comma(order: String, receipt: String) -> std::io::Result<()> {
    drop((order, receipt));
    Ok(())
}

#[retry(clone(self))]
fn without_a_receiver() -> std::io::Result<()> {
    Ok(())
}

#[retry]
fn neither_cloned_nor_kept(mut count: u32) -> std::io::Result<()> {
    count += 1;
    assert!(count > 0);
    Ok(())
}

#[retry]
fn in_a_pattern((mut first, [_, mut last]): (u32, [u32; 2])) -> std::io::Result<()> {
    first += last;
    last += first;
    assert!(last > 0);
    Ok(())
}

impl Client {
    #[retry]
    fn a_receiver(mut self) -> std::io::Result<()> {
        self = Client;
        drop(self);
        Ok(())
    }
}

fn main() {
    let _ = (misspelt(String::new()), neither_cloned_nor_kept(1), Client.a_receiver());
}
