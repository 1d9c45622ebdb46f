//! Recognises a body that ends in the block which makes its future, and what `#[async_trait]` writes into that block.
//! Only this file and `instrumented.rs` know how other macros write.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::function::braces;
use crate::instrumented::Nest;
use crate::parameters::Binding;
use crate::tokens::mentions;

/// `before… Box::pin(async move { setup… attempt })`, taken apart.
pub(crate) struct Boxed {
    /// What runs once, when the function is called, and what leads to the block.
    head: Vec<TokenTree>,
    wrap: Wrap,
    /// The parameters as `#[async_trait]` binds them anew; runs once, when the future is first polled.
    pub(crate) setup: TokenStream,
    /// Whether the block is `async move`.
    pub(crate) moves: bool,
    /// What is round the block's own tokens, where they were instrumented.
    pub(crate) nest: Nest,
    /// What is repeated.
    pub(crate) attempt: TokenStream,
    /// The name that stands for `self` in the block.
    pub(crate) this: Option<Ident>,
    /// The `mut` before that name.
    pub(crate) exclusive_self: Option<Span>,
    pub(crate) rebound: Vec<Binding>,
    pub(crate) span: Span,
}

/// What stands round the block.
enum Wrap {
    /// `async move { … }.instrument(span)`: the calls behind the block.
    Methods(Vec<TokenTree>),
    /// `Box::pin(async move { … })`: the parentheses, with the words before the block and the tokens behind it.
    Pin(Group, Vec<TokenTree>, Vec<TokenTree>),
}

/// Methods of a future whose output is that of the future: one of the whole call is as good as one of an attempt.
const METHODS: [&str; 6] =
    ["boxed", "boxed_local", "instrument", "in_current_span", "with_subscriber", "with_current_subscriber"];

impl Boxed {
    /// The body again, with another block in the place of the first.
    pub(crate) fn around(&self, block: TokenTree) -> TokenStream {
        let mut tokens: Vec<TokenTree> = self.head.clone();
        match &self.wrap {
            Wrap::Methods(tail) => {
                tokens.push(block);
                tokens.extend(tail.iter().cloned());
            }
            Wrap::Pin(parentheses, words, tail) => {
                let inside = words.iter().cloned().chain([block]).chain(tail.iter().cloned()).collect();
                let mut group = Group::new(Delimiter::Parenthesis, inside);
                group.set_span(parentheses.span());
                tokens.push(TokenTree::Group(group));
            }
        }
        tokens.into_iter().collect()
    }
}

/// Takes apart a body that ends in an async block.
pub(crate) fn recognise(body: &TokenStream) -> Option<Boxed> {
    let tokens: Vec<TokenTree> = body.clone().into_iter().collect();
    let (head, wrap, block) = ending(&tokens)?;
    let (attempt, nest) = Nest::open(&block.stream());
    let words = if let Wrap::Pin(_, words, _) = &wrap { words } else { &head };
    let moves = words.last().is_some_and(|word| is_word(word, "move"));
    let mut boxed = Boxed {
        head,
        wrap,
        setup: TokenStream::new(),
        moves,
        nest,
        attempt,
        this: None,
        exclusive_self: None,
        rebound: Vec::new(),
        span: block.span(),
    };
    boxed.split_setup();
    Some(boxed)
}

fn ending(tokens: &[TokenTree]) -> Option<(Vec<TokenTree>, Wrap, Group)> {
    let (before, calls) = before_methods(tokens);
    if let Some((head, block)) = block_at_end(before) {
        return Some((head.to_vec(), Wrap::Methods(calls.to_vec()), block));
    }
    let [head @ .., TokenTree::Group(parentheses)] = tokens else { return None };
    let is_pin = head.last().is_some_and(|name| is_word(name, "pin"));
    if !is_pin || parentheses.delimiter() != Delimiter::Parenthesis {
        return None;
    }
    let inside: Vec<TokenTree> = parentheses.stream().into_iter().collect();
    let value = match inside.split_last() {
        Some((last, rest)) if is_punct(last, ',') => rest,
        _ => inside.as_slice(),
    };
    let (words, block) = block_at_end(before_methods(value).0)?;
    // Anything but `async move` before the block would be part of another expression.
    let only_words = words.iter().all(|word| is_word(word, "async") || is_word(word, "move"));
    let tail = inside.get(words.len() + 1..).unwrap_or_default().to_vec();
    only_words.then(|| (head.to_vec(), Wrap::Pin(parentheses.clone(), words.to_vec(), tail), block))
}

/// Cuts calls of such methods off the end.
fn before_methods(tokens: &[TokenTree]) -> (&[TokenTree], &[TokenTree]) {
    let mut before = tokens;
    while let [rest @ .., dot, name, TokenTree::Group(arguments)] = before {
        let is_known = METHODS.iter().any(|method| is_word(name, method));
        if !is_known || !is_punct(dot, '.') || arguments.delimiter() != Delimiter::Parenthesis {
            break;
        }
        before = rest;
    }
    tokens.split_at(before.len())
}

/// Tokens that end in `async { … }` or `async move { … }`: all before the braces, and the braces.
fn block_at_end(tokens: &[TokenTree]) -> Option<(&[TokenTree], Group)> {
    let (last, head) = tokens.split_last()?;
    let TokenTree::Group(block) = last else { return None };
    let block = braces(block.clone());
    let before_move = match head.split_last() {
        Some((word, rest)) if is_word(word, "move") => rest,
        _ => head,
    };
    let is_async = before_move.last().is_some_and(|word| is_word(word, "async"));
    (is_async && block.delimiter() == Delimiter::Brace).then_some((head, block))
}

impl Boxed {
    /// `#[async_trait]` writes `<pin> let __self = self; let a = a; … let __ret: Ret = { BODY }; __ret`. Only what
    /// begins with the last `let` is an attempt; where the shape is another, the whole block is.
    fn split_setup(&mut self) {
        let tokens: Vec<TokenTree> = self.attempt.clone().into_iter().collect();
        let statements = statements(&tokens);
        let Some(result) = statements.iter().position(|statement| is_result(statement)) else { return };
        let (setup, attempt) = statements.split_at(result);
        let (pin, lets) = match setup.split_first() {
            Some((pin, lets)) if pin.first().is_some_and(|token| is_word(token, "if")) => (Some(pin), lets),
            _ => (None, setup),
        };
        // Without a return type there is no pin, and nothing follows.
        if !lets.iter().all(|statement| is_rebinding(statement)) || pin.is_none() && attempt.len() > 1 {
            return;
        }
        for statement in lets {
            self.note(statement);
        }
        self.setup = setup.iter().copied().flatten().cloned().collect();
        self.attempt = attempt.iter().copied().flatten().cloned().collect();
    }

    /// Whether the setup binds the parameter anew, or takes it apart: `let (a, b) = { let __arg1 = __arg1; __arg1 }`.
    pub(crate) fn is_rebound(&self, name: &Ident) -> bool {
        let is_pattern = name.to_string().starts_with("__arg") && mentions(&self.setup, &name.to_string());
        is_pattern || self.rebound.iter().any(|rebound| rebound.name == *name)
    }

    /// Whether a `let` before the block binds the name: there it is no longer the parameter's.
    pub(crate) fn shadows(&self, name: &Ident) -> bool {
        let is_end = |token: &TokenTree| is_punct(token, '=') || is_punct(token, ';');
        self.head.split(|token| is_word(token, "let")).skip(1).any(|bound| {
            let pattern = bound.iter().take_while(|token| !is_end(token));
            mentions(&pattern.cloned().collect(), &name.to_string())
        })
    }

    /// Notes what a `let` of the setup binds.
    fn note(&mut self, statement: &[TokenTree]) {
        let Some(at) = statement.iter().position(|token| is_word(token, "let")) else { return };
        // `let [mut] name = …`, also inside a pattern: every name left of `=`.
        let Some(equals) = statement.iter().position(|token| is_punct(token, '=')) else { return };
        let from_self = statement.get(equals + 1).is_some_and(|token| is_word(token, "self"));
        let pattern: Vec<TokenTree> = statement.get(at + 1..equals).unwrap_or_default().to_vec();
        if from_self {
            self.exclusive_self = pattern.first().filter(|token| is_word(token, "mut")).map(TokenTree::span);
            if let Some(TokenTree::Ident(this)) = pattern.last() {
                self.this = Some(this.clone());
            }
            return;
        }
        let condition: TokenStream = statement.get(..at).unwrap_or_default().iter().cloned().collect();
        let mut found = Vec::new();
        names(&pattern, &mut None, &mut found);
        let is_inside = !pattern.iter().all(|token| matches!(token, TokenTree::Ident(_)));
        self.rebound.extend(found.into_iter().map(|binding| Binding {
            condition: condition.clone(),
            is_inside,
            ..binding
        }));
    }
}

/// Every lower-case name of a pattern, with the `mut` before it.
fn names(pattern: &[TokenTree], mutability: &mut Option<Span>, found: &mut Vec<Binding>) {
    let mut by_ref = false;
    for (at, token) in pattern.iter().enumerate() {
        match token {
            TokenTree::Ident(word) if word == "mut" => *mutability = Some(word.span()),
            TokenTree::Ident(word) if word == "_" => {}
            TokenTree::Ident(word) if word == "ref" => by_ref = true,
            TokenTree::Ident(word) => {
                let is_field = pattern.get(at + 1).is_some_and(|next| is_punct(next, ':'));
                let is_value = word.to_string().starts_with(|c: char| c.is_lowercase() || c == '_');
                if is_value && !is_field {
                    let mutability = mutability.take().filter(|_| !by_ref);
                    found.push(Binding { by_ref, ..Binding::new(word, mutability) });
                }
                *mutability = None;
                by_ref = false;
            }
            TokenTree::Group(group) => {
                let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                names(&inside, mutability, found);
            }
            _ => {}
        }
    }
}

/// Cuts at each `;` on this level; `if … { … }` at the start, which has none, is a statement of its own.
fn statements(tokens: &[TokenTree]) -> Vec<&[TokenTree]> {
    let mut statements = Vec::new();
    let mut rest = tokens;
    while !rest.is_empty() {
        let is_if = rest.first().is_some_and(|token| is_word(token, "if"));
        let end = rest.iter().position(|token| match token {
            TokenTree::Group(group) => is_if && group.delimiter() == Delimiter::Brace,
            token => is_punct(token, ';'),
        });
        let (statement, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
        statements.push(statement);
        rest = after;
    }
    statements
}

/// `let __ret: Ret = { … };` or `let _: () = { … };`
fn is_result(statement: &[TokenTree]) -> bool {
    let [first, name, colon, .., equals, block, end] = statement else { return false };
    is_word(first, "let")
        && (is_word(name, "__ret") || is_word(name, "_"))
        && is_punct(colon, ':')
        && is_punct(equals, '=')
        && is_block(block)
        && is_punct(end, ';')
}

/// `let a = a;`, `let __self = self;` or `let (a, b) = { let __arg1 = __arg1; __arg1 };`, perhaps under a condition.
fn is_rebinding(statement: &[TokenTree]) -> bool {
    let [start @ .., equals, value, end] = statement else { return false };
    let is_let = start.iter().any(|token| is_word(token, "let"));
    let is_name = matches!((start.last(), value), (Some(TokenTree::Ident(name)), TokenTree::Ident(value)) if name == value || value == "self");
    is_let && is_punct(equals, '=') && (is_name || is_argument(value)) && is_punct(end, ';')
}

/// `{ let __arg1 = __arg1; __arg1 }`
fn is_argument(value: &TokenTree) -> bool {
    let TokenTree::Group(group) = value else { return false };
    let last = group.stream().into_iter().last();
    is_block(value) && matches!(last, Some(TokenTree::Ident(name)) if name.to_string().starts_with("__arg"))
}

fn is_block(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

fn is_word(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

fn is_punct(token: &TokenTree, punct: char) -> bool {
    matches!(token, TokenTree::Punct(found) if found.as_char() == punct)
}
