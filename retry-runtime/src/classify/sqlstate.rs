//! SQLSTATE codes of PostgreSQL and other databases that follow the standard.

/// A failure that the same transaction may not meet again.
pub(super) struct Passing {
    /// The database has certainly rolled everything back, or there was no connection yet.
    pub(super) unprocessed: bool,
}

/// Of codes that are not listed here a retry would be a repetition.
pub(super) fn passing(code: &str) -> Option<Passing> {
    let unprocessed = matches!(
        code,
        // serialization_failure, deadlock_detected
        "40001" | "40P01"
        // too_many_connections, cannot_connect_now, sqlclient_unable_to_establish_sqlconnection
        | "53300" | "57P03" | "08001"
    );
    let lost = matches!(
        code,
        // admin_shutdown, crash_shutdown, idle_session_timeout
        "57P01" | "57P02" | "57P05"
        // connection_exception, connection_does_not_exist, connection_failure, transaction_resolution_unknown
        | "08000" | "08003" | "08006" | "08007"
    );
    (unprocessed || lost).then_some(Passing { unprocessed })
}
