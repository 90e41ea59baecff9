//! Writes a zip file whose bytes are taken away as they come into being.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::web::{self, Bytes};
use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::{SimpleFileOptions, StreamWriter};

use crate::error::ApiError;

/// What is written next.
pub(super) enum Step {
    /// A file begins; the one before it is complete.
    Begin(&'static str),
    /// Content of the file.
    Write(Bytes),
    /// The archive is complete.
    Finish,
}

/// The written bytes that have not been taken yet.
#[derive(Default, Clone)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    fn drain(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An archive that is being written.
pub(super) struct Archive {
    /// `None` once the archive is complete.
    writer: Option<ZipWriter<StreamWriter<Output>>>,
    output: Output,
}

impl Default for Archive {
    fn default() -> Self {
        let output = Output::default();
        Self {
            writer: Some(ZipWriter::new_stream(output.clone())),
            output,
        }
    }
}

impl Archive {
    /// Takes a step on a thread that may block, because compressing takes time. Returns the archive with
    /// the bytes that came into being.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub(super) async fn take(mut self, step: Step) -> Result<(Self, Bytes), ApiError> {
        web::block(move || {
            self.write(step)
                .map_err(|error| ApiError::Export(error.to_string()))?;
            let bytes = self.output.drain();
            Ok((self, Bytes::from(bytes)))
        })
        .await
        .map_err(|error| ApiError::Export(error.to_string()))?
    }

    fn write(&mut self, step: Step) -> ZipResult<()> {
        match (step, &mut self.writer) {
            (Step::Begin(name), Some(writer)) => {
                writer.start_file(name, SimpleFileOptions::default())
            }
            (Step::Write(bytes), Some(writer)) => Ok(writer.write_all(&bytes)?),
            (Step::Finish, writer) => match writer.take() {
                Some(writer) => writer.finish().map(drop),
                None => Ok(()),
            },
            (_, None) => Ok(()),
        }
    }
}
