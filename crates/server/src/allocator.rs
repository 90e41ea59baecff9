//! The memory allocator, configured to return freed memory immediately and to use small pages.
//!
//! A password hash needs 19 MiB for some milliseconds. The C library's allocator retains that much
//! for every thread that has ever computed one, and so does mimalloc by default. mimalloc also asks for huge
//! pages, of 2 MiB, of which each thread would have several that it hardly uses.

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
    // Where that is not possible, the server only takes more memory.
    #[cfg(target_os = "linux")]
    rustix::thread::disable_transparent_huge_pages(true).unwrap_or_default();
}
