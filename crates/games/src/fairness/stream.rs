//! The stream of a round's random numbers, computed from seeds or read from published blocks.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::{ClientSeed, ServerSeed};

const WORDS_PER_BLOCK: usize = 8;

/// The 32 bytes of an HMAC: eight words.
pub type Block = [u8; 4 * WORDS_PER_BLOCK];

/// The number of published blocks is not the number that the round needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WrongBlocks {
    /// The round needs more blocks.
    #[error("a block is missing")]
    Missing,
    /// The round needs fewer blocks.
    #[error("there are blocks that the round does not need")]
    Surplus,
}

/// The sequence of a round's random numbers. It is infinite if it is computed from seeds.
///
/// It keeps the blocks that were drawn, so that they can be published once the round is settled.
#[derive(Clone)]
pub struct Stream {
    /// `None` if the blocks were published.
    seeds: Option<Seeds>,
    /// The blocks drawn so far, or all published blocks; in both cases without the cent block, once
    /// that is drawn.
    blocks: Vec<Block>,
    /// The number of words drawn.
    words: usize,
    cent: Option<Block>,
    /// Whether more was drawn than was published.
    is_short: bool,
}

#[derive(Clone)]
struct Seeds {
    key: Hmac<Sha256>,
    prefix: String,
}

impl Seeds {
    /// The HMAC over `clientSeed:nonce:name`.
    fn block(&self, name: &str) -> Block {
        let mut mac = self.key.clone();
        mac.update(self.prefix.as_bytes());
        mac.update(name.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

impl Stream {
    /// The stream of the round with `nonce` under this seed pair.
    #[must_use]
    pub fn new(server_seed: &ServerSeed, client_seed: &ClientSeed, nonce: u64) -> Self {
        // HMAC accepts keys of any length, so this cannot fail; the fallback key is never used.
        let key = Hmac::<Sha256>::new_from_slice(server_seed.as_str().as_bytes())
            .unwrap_or_else(|_| Hmac::<Sha256>::new(&hmac::digest::Key::<Hmac<Sha256>>::default()));
        let prefix = format!("{}:{nonce}:", client_seed.as_str());
        Self {
            seeds: Some(Seeds { key, prefix }),
            blocks: Vec::with_capacity(1),
            words: 0,
            cent: None,
            is_short: false,
        }
    }

    /// The stream of a round whose blocks were published: those drawn, in order, and then the block
    /// of [`Self::cent_word`] if there is one. Words beyond them are zero;
    /// [`Self::check_published`] tells whether there were enough.
    #[must_use]
    pub fn from_blocks(blocks: Vec<Block>) -> Self {
        Self {
            seeds: None,
            blocks,
            words: 0,
            cent: None,
            is_short: false,
        }
    }

    /// Returns the next 32 bits.
    pub fn next_word(&mut self) -> u32 {
        let block = self.words / WORDS_PER_BLOCK;
        if block == self.blocks.len() {
            self.fill();
        }
        let word = self
            .blocks
            .get(block)
            .map_or(0, |block| word_of(block, self.words % WORDS_PER_BLOCK));
        self.words += 1;
        word
    }

    /// Returns the next number in `0..n`: `(word × n) >> 32`. Each number results from either
    /// ⌊2³²/n⌋ or ⌈2³²/n⌉ of the words.
    pub fn below(&mut self, n: u32) -> u32 {
        scale(self.next_word(), n)
    }

    /// The word that rounds a fraction of a cent: the first of the HMAC over
    /// `clientSeed:nonce:cent`. Its block is separate from those of the stream, and the stream does
    /// not advance. Of published blocks it is the one after those drawn so far, so a round draws it
    /// last.
    pub fn cent_word(&mut self) -> u32 {
        if self.cent.is_none() {
            let published_at = self.drawn();
            self.cent = match &self.seeds {
                Some(seeds) => Some(seeds.block("cent")),
                None if published_at < self.blocks.len() => Some(self.blocks.remove(published_at)),
                None => None,
            };
        }
        self.is_short |= self.cent.is_none();
        self.cent.as_ref().map_or(0, |block| word_of(block, 0))
    }

    /// The blocks that decided the round, as they are published: those drawn, in order, and then
    /// the block of [`Self::cent_word`] if it was drawn.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let drawn = self.blocks.iter().take(self.drawn());
        drawn.chain(self.cent.as_ref()).copied().collect()
    }

    /// Checks that the round needed all blocks that were published for it, and no others.
    ///
    /// # Errors
    /// If blocks are missing, or were not needed. A stream from seeds has all its blocks.
    pub fn check_published(&self) -> Result<(), WrongBlocks> {
        if self.is_short {
            Err(WrongBlocks::Missing)
        } else if self.drawn() < self.blocks.len() {
            Err(WrongBlocks::Surplus)
        } else {
            Ok(())
        }
    }

    /// The number of blocks from which words were drawn.
    const fn drawn(&self) -> usize {
        self.words.div_ceil(WORDS_PER_BLOCK)
    }

    fn fill(&mut self) {
        match &self.seeds {
            Some(seeds) => self
                .blocks
                .push(seeds.block(&self.blocks.len().to_string())),
            None => self.is_short = true,
        }
    }
}

/// The big-endian word at an index of a block.
fn word_of(block: &Block, index: usize) -> u32 {
    let (words, _) = block.as_chunks::<4>();
    words
        .get(index)
        .map_or(0, |bytes| u32::from_be_bytes(*bytes))
}

/// Maps a word to `0..n` with a uniform distribution.
#[must_use]
pub fn scale(word: u32, n: u32) -> u32 {
    let high = (u64::from(word) * u64::from(n)) >> 32;
    // Less than n, which is a `u32`.
    u32::try_from(high).unwrap_or(u32::MAX)
}
