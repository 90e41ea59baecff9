//! The memory allocator, configured to return freed memory immediately.
//!
//! A password hash needs 19 MiB for some milliseconds. The C library's allocator retains that much
//! for every thread that has ever computed one, and so does mimalloc by default.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// `mi_option_purge_delay` of mimalloc.h, the same number in its versions 2 and 3: how long freed
/// memory is kept before it is returned to the operating system, in milliseconds.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Configures the allocator. Must be called first, while there is only one thread.
pub(crate) fn set_up() {
    #[expect(
        unsafe_code,
        reason = "an option of the C library, which stores a number"
    )]
    // SAFETY: no other thread runs yet, and an option takes any value.
    unsafe {
        libmimalloc_sys::mi_option_set(PURGE_DELAY, 0);
    }
}
