//! The index of the texts in which administrators search.

diesel::table! {
    search_suffixes (subject, suffix, record_id) {
        subject -> Text,
        suffix -> Text,
        record_id -> Text,
    }
}
