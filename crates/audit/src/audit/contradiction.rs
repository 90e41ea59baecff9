//! What speaks against a house: something that it has published and that cannot be true.

use glasshouse_games::published::ReplayError;
use glasshouse_transparency::Hash;
use glasshouse_transparency::entry::{BundleError, EntryError};
use glasshouse_transparency::keys::NoteError;
use glasshouse_transparency::origin::Origin;
use glasshouse_transparency::tile::{Tile, TilePath};

/// The house contradicts itself or the rules of its games.
#[derive(Debug, thiserror::Error)]
pub enum Contradiction {
    /// The checkpoint is not signed by the house, or is of another log.
    #[error("the checkpoint is refused: {reason}. It says:\n{note}")]
    Checkpoint {
        /// Why.
        reason: NoteError,
        /// The signed text.
        note: String,
    },
    /// The checkpoint has a cosignature that does not match it.
    #[error(
        "the house serves a checkpoint with a cosignature of {witness} that does not match it. It says:\n\
         {note}"
    )]
    Cosignature {
        /// The witness.
        witness: Origin,
        /// The checkpoint with its signatures.
        note: String,
    },
    /// The house has no log any more.
    #[error("the house serves no log, but has signed this checkpoint:\n{0}")]
    Gone(String),
    /// The log is smaller than one that was signed before.
    #[error(
        "the log was truncated: it has {now} entries, but {before} were signed before, so the \
         entries from {now} on are missing. Signed before:\n{note_before}\nserved now:\n{note_now}"
    )]
    Truncated {
        /// The number of entries that was signed before.
        before: u64,
        /// The number of entries now.
        now: u64,
        /// The checkpoint from before.
        note_before: String,
        /// The checkpoint that is served.
        note_now: String,
    },
    /// The log does not continue one that was signed before.
    #[error(
        "the log was forked: its first {before} entries are not those that were signed before. \
         Signed before:\n{note_before}\nserved now:\n{note_now}"
    )]
    Forked {
        /// The number of entries that was signed before.
        before: u64,
        /// The checkpoint from before.
        note_before: String,
        /// The checkpoint that is served.
        note_now: String,
    },
    /// Entries are not served, although they are a part of the signed tree.
    #[error(
        "the entries {first} to {last} are not served, but the signed log of {size} contains them"
    )]
    EntriesMissing {
        /// The index of the first entry that is not served.
        first: u64,
        /// The index of the last one that was requested.
        last: u64,
        /// The size of the log.
        size: u64,
    },
    /// A file with entries is malformed.
    #[error("the entries {first} to {last} are served in a malformed file: {reason}")]
    MalformedBundle {
        /// The index of the first entry.
        first: u64,
        /// The index of the last entry.
        last: u64,
        /// What is wrong.
        reason: BundleError,
    },
    /// A tile of hashes is not served.
    #[error("{} is not served with {} hashes, but the signed log of {size} contains it", TilePath::Hashes(*tile), tile.width())]
    TileMissing {
        /// The tile.
        tile: Tile,
        /// The size of the log.
        size: u64,
    },
    /// A tile does not agree with the entries.
    #[error(
        "{} does not agree with the entries below it, beginning with entry {at}, and the served tiles \
         do not lead to the signed root of {size} entries",
        TilePath::Hashes(*tile)
    )]
    WrongTile {
        /// The tile.
        tile: Tile,
        /// The index of the first entry that it does not agree with.
        at: u64,
        /// The size of the log.
        size: u64,
    },
    /// The served tiles are not those of the signed tree.
    #[error(
        "the served tiles do not lead to the signed root of {size} entries; this was noticed at \
         entry {at}"
    )]
    WrongTiles {
        /// The size of the log.
        size: u64,
        /// The number of entries that were verified before.
        at: u64,
    },
    /// An entry is wrong.
    #[error("entry {index}: {problem}. It says:\n{line}")]
    Entry {
        /// The index of the entry.
        index: u64,
        /// The entry as it is served.
        line: String,
        /// What is wrong.
        problem: EntryProblem,
    },
    /// The words of the rounds are not random.
    #[error(
        "the words of the {blocks} published blocks are not uniformly distributed: chi-square is \
         {statistic:.1} with 255 degrees of freedom, and the probability of a value this far from \
         255 is {p_value:.1e}"
    )]
    Words {
        /// The number of blocks.
        blocks: u64,
        /// Chi-square over the counts of the 256 values of bytes.
        statistic: f64,
        /// The probability.
        p_value: f64,
    },
    /// A game does not return what it promises.
    #[error(
        "{game} has returned {measured:.4} % of all stakes, but {expected:.4} % follow from the \
         rules: that is {deviations:+.1} standard deviations, and its probability is at most \
         {bound:.1e}"
    )]
    Return {
        /// The name of the game.
        game: &'static str,
        /// The measured RTP in percent.
        measured: f64,
        /// The expected RTP of the bets that were placed, in percent.
        expected: f64,
        /// The distance in standard deviations.
        deviations: f64,
        /// An upper bound of the probability.
        bound: f64,
    },
    /// The log does not name a key that signs for it.
    #[error("no entry of the log names the key {0}")]
    UnnamedKey(String),
    /// The published rules are not those that the log names.
    #[error(
        "the published rules have the SHA-256 {served}, but entry {index} names {logged} as the \
         current ones"
    )]
    OtherRules {
        /// The index of the entry.
        index: u64,
        /// The hash in the log.
        logged: String,
        /// The hash of what is served.
        served: String,
    },
    /// The published rules promise another return than the game has.
    #[error(
        "the published rules promise a return of {published} % for {game}, but it is {exact} %"
    )]
    OtherReturn {
        /// The name of the game.
        game: String,
        /// The published RTP.
        published: String,
        /// The RTP that follows from the rules.
        exact: &'static str,
    },
}

/// What is wrong with an entry.
#[derive(Debug, thiserror::Error)]
pub enum EntryProblem {
    /// It is not the entry in the signed tree.
    #[error("its hash is {served}, but the signed tree has {signed} in its place{}", and_also(also.as_deref()))]
    NotInTree {
        /// The leaf hash of what is served.
        served: Hash,
        /// The leaf hash in the tree.
        signed: Hash,
        /// What else is wrong with what is served.
        also: Option<Box<Self>>,
    },
    /// It is not text.
    #[error("it is not text in UTF-8")]
    NotText,
    /// It is not in the form of entries.
    #[error("{0}")]
    Form(EntryError),
    /// A round contradicts the rules.
    #[error("{0}")]
    Round(ReplayError),
    /// It is from long before the entry before it.
    #[error("its time is {second}, but an entry before it is from {before} (seconds since 1970)")]
    Earlier {
        /// The entry's time.
        second: i64,
        /// The latest time before it.
        before: i64,
    },
    /// It is from the future.
    #[error("its time is {second}, but it is {now} now (seconds since 1970)")]
    Future {
        /// The entry's time.
        second: i64,
        /// The computer's time.
        now: i64,
    },
    /// The books are not the sums of the rounds before.
    #[error(
        "of {game} it states {}, but the entries before it add up to {}",
        totals(*stated),
        totals(*computed)
    )]
    Books {
        /// The name of the game.
        game: String,
        /// Rounds, stakes and payouts as stated.
        stated: [i64; 3],
        /// Rounds, stakes and payouts of the entries before it.
        computed: [i64; 3],
    },
    /// The books name a game twice.
    #[error("it states {0} twice")]
    BooksTwice(String),
    /// The books are of a day that was not over, or not after that of the books before.
    #[error("its day is not over at its time, or not after the day of the books before")]
    BooksDay,
    /// It names something as a key that is none of this log.
    #[error("it does not name a key of {0}")]
    Key(String),
    /// It is not the first entry, so the log cannot follow another one.
    #[error("only the first entry can refer to another log")]
    Restart,
    /// Only a newer version of this program can verify it.
    #[error("{0}")]
    Newer(String),
}

fn and_also(problem: Option<&EntryProblem>) -> String {
    problem.map_or_else(String::new, |problem| {
        format!(". What is served is wrong in itself, too: {problem}")
    })
}

fn totals([rounds, stake, payout]: [i64; 3]) -> String {
    format!("{rounds} rounds with stakes of {stake} and payouts of {payout} cents")
}
