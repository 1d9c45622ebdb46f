#[automatically_derived]
impl<E> ::retry_runtime::__private::Retryable for Fault<E>
where
    E: ::retry_runtime::__private::Retryable,
{
    fn is_retryable(&self) -> bool {
        match self {
            Self::Busy { .. } => true,
            Self::Refused { .. } => true,
            Self::Inner { 0: __asked, .. } => {
                ::retry_runtime::__private::Retryable::is_retryable(__asked)
            }
            Self::Denied { .. } => false,
        }
    }
    fn retry_after(
        &self,
    ) -> ::retry_runtime::__private::Option<::retry_runtime::__private::Duration> {
        match self {
            Self::Busy { wait: __after, .. } => {
                ::retry_runtime::__private::After::after(__after)
            }
            Self::Refused { .. } => ::retry_runtime::__private::None,
            Self::Inner { 0: __asked, .. } => {
                ::retry_runtime::__private::Retryable::retry_after(__asked)
            }
            Self::Denied { .. } => ::retry_runtime::__private::None,
        }
    }
    fn is_unprocessed(&self) -> bool {
        match self {
            Self::Busy { .. } => false,
            Self::Refused { .. } => true,
            Self::Inner { 0: __asked, .. } => {
                ::retry_runtime::__private::Retryable::is_unprocessed(__asked)
            }
            Self::Denied { .. } => false,
        }
    }
}
