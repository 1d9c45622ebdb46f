fn load(&self) -> Result<Row, Error> {
    ::core::compile_error! {
        "a number alone says no unit: milliseconds are `cap_ms = 4`, seconds `cap = \"4s\"`"
    }
    ::core::compile_error! {
        "`max` must be at least 1: it counts the retries after the first attempt; a function without retries needs no attribute"
    }
    #[allow(unused_imports)]
    use is_busy as _;
    #[allow(unused)]
    let now = ::retry_runtime::__private::promised();
    self.read(now.number())
}
