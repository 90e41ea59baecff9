//! The allocator, set to give memory back at once.
//!
//! A password hash takes 19 MiB for some milliseconds. The C library's allocator keeps them for every
//! thread that ever hashed one, and so does this one unless told otherwise.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// `mi_option_purge_delay` of mimalloc.h, the same number in its versions 2 and 3: the milliseconds
/// for which freed memory is kept before the operating system gets it back.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;

/// Sets the allocator up. To be called first, while there is one thread.
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
