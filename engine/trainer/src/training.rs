//! The training loop: epochs, losses, checkpoints and the network file.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use engine::network::{KingBuckets, NetworkFile};
use engine::packed::PackedPosition;
use foundation::failure::OrUnable as _;
use foundation::{Failure, Printer, files};
use rand::SeedableRng as _;
use rand::rngs::ChaCha8Rng;

use crate::adam::Adam;
use crate::checkpoint::{self, Checkpoint};
use crate::data::{BUFFER, Dataset};
use crate::filter::Filter;
use crate::gradient::Worker;
use crate::hidden;
use crate::model::{Model, Shape};
use crate::objective::Objective;
use crate::quantise::{dequantise, quantise};
use crate::teachers::Teachers;

/// The most positions that are used for validation, or a few more.
const MAX_VALIDATION: usize = 500_000;
/// Time between two lines within an epoch.
const INTERVAL: Duration = Duration::from_secs(10);
/// The largest absolute score that is used to scale the output to the scores.
const CALIBRATED: i32 = 1_000;

#[derive(Clone, Debug)]
pub struct Settings {
    pub shape: Shape,
    /// Checkpoint or network of another training whose weights to start with.
    pub from: Option<PathBuf>,
    pub epochs: usize,
    pub batch: usize,
    pub rate: f32,
    pub final_rate: f32,
    pub decay: f32,
    pub objective: Objective,
    /// Checkpoints or networks whose mean opinion has this share in what stands for a score.
    pub teachers: Vec<PathBuf>,
    pub teacher_share: f32,
    pub seed: u64,
    pub filter: Filter,
    pub validation_every: usize,
}

impl Settings {
    /// Everything but the data on which the network depends.
    fn describe(&self) -> String {
        let Objective {
            scale,
            result_share,
            lambda,
        } = self.objective;
        let from = self
            .from
            .as_ref()
            .map_or_else(String::new, |from| format!("from {} ", from.display()));
        let mut teachers = String::new();
        for teacher in &self.teachers {
            let _ = write!(teachers, "teacher {} ", teacher.display());
        }
        if !self.teachers.is_empty() {
            let _ = write!(teachers, "teacher-share {} ", self.teacher_share);
        }
        let filter = self.filter;
        let later = if lambda > 0.0 {
            format!("lambda {lambda} ")
        } else {
            String::new()
        };
        let shape = self.shape;
        let buckets = match shape.king_buckets {
            KingBuckets::ONE => String::new(),
            layout => format!("king-buckets {layout} "),
        };
        let second = match shape.second {
            0 => String::new(),
            second => format!("second {second} "),
        };
        format!(
            "{from}{teachers}{buckets}{filter}{later}hidden {} {second}epochs {} batch {} rate {} final-rate {} decay {} scale {scale} result-share \
             {result_share} seed {} validation-every {}",
            shape.hidden,
            self.epochs,
            self.batch,
            self.rate,
            self.final_rate,
            self.decay,
            self.seed,
            self.validation_every
        )
    }

    /// The learning rate after this fraction of the training.
    fn rate_at(&self, progress: f32) -> f32 {
        let angle = progress.clamp(0.0, 1.0) * std::f32::consts::PI;
        self.final_rate + (self.rate - self.final_rate) * f32::midpoint(1.0, angle.cos())
    }
}

/// The state of a training.
struct Training<'a> {
    settings: &'a Settings,
    model: Model,
    adam: Adam,
    worker: Worker,
    printer: Printer,
}

/// Trains, prints the losses of each epoch and writes the network after each. The threads are those of
/// the pool that it runs in.
pub fn run(
    settings: &Settings,
    data: &[PathBuf],
    out: &Path,
    resume: bool,
    printer: Printer,
) -> Result<(), Failure> {
    let mut dataset = Dataset::open(data, settings.filter, settings.validation_every)?;
    let validation = dataset.validation(settings.objective, MAX_VALIDATION)?;
    let own_scores = dataset.validation(settings.objective.without_lambda(), MAX_VALIDATION)?;
    printer.note(&format!(
        "{} games, {} positions; {} positions for validation",
        dataset.games,
        dataset.positions,
        validation.len()
    ));
    if dataset.ignored > 0 {
        printer.note(&format!(
            "{} bytes behind the last whole games are ignored",
            dataset.ignored
        ));
    }
    if validation.is_empty() {
        return Err(
            Failure::unable("there are too few positions to keep some for validation")
                .hint("generate more with the engine's `datagen`"),
        );
    }
    let description = format!("{} positions {}", settings.describe(), dataset.positions);
    let checkpoint_path = checkpoint::path(out);
    let (mut training, first) = start(settings, &description, &checkpoint_path, resume, printer)?;
    let models: Result<Vec<_>, _> = (settings.teachers.iter())
        .map(|path| read_model(path))
        .collect();
    let teachers = Teachers {
        models: models?,
        share: settings.teacher_share,
    };
    if !teachers.models.is_empty() {
        printer.note("the teachers judge all positions");
        dataset.teach(&teachers, settings.objective)?;
    }
    printer.result(&format!(
        "{description}\nepoch  training  validation  positions/s"
    ));
    for epoch in first..settings.epochs {
        let (loss, speed) = training.epoch(&dataset, epoch)?;
        let validated = training.validate(&validation);
        if !(loss.is_finite() && validated.is_finite()) {
            return Err(Failure::unable(format!(
                "epoch {}: expected finite losses, got {loss} in training and {validated} in \
                 validation; nothing is written",
                epoch + 1
            ))
            .hint("train with a lower --rate"));
        }
        printer.result(&format!(
            "{:>5}  {loss:>8.6}  {validated:>10.6}  {speed:>11.0}",
            epoch + 1
        ));
        let scale = training.calibrated_scale(&own_scores);
        // The network first: what an interruption leaves out is made again.
        if settings.shape.second == 0 {
            let network = quantise(&training.model, scale);
            network.check().map_err(|what| {
                Failure::unable(format!("epoch {}: {what}", epoch + 1))
                    .hint("the weights grew too large; train with a lower --rate")
            })?;
            files::replace(out, network.to_bytes())?;
        }
        let checkpoint = Checkpoint {
            settings: description.clone(),
            epochs: epoch as u64 + 1,
            model: training.model,
            adam: training.adam,
        };
        checkpoint.write(&checkpoint_path)?;
        (training.model, training.adam) = (checkpoint.model, checkpoint.adam);
        if epoch + 1 == settings.epochs {
            printer.result(&match settings.shape.second {
                0 => format!(
                    "an output of 1 stands for {scale} centipawns, as the scores of the data demand"
                ),
                _ => format!(
                    "no engine has second values: teach with --teacher {}",
                    checkpoint_path.display()
                ),
            });
        }
    }
    Ok(())
}

/// A new training, or that of the checkpoint, and the number of completed epochs.
fn start<'a>(
    settings: &'a Settings,
    description: &str,
    path: &Path,
    resume: bool,
    printer: Printer,
) -> Result<(Training<'a>, usize), Failure> {
    let (model, adam, epochs) = if resume {
        let checkpoint = Checkpoint::read(path)?;
        if checkpoint.settings != description {
            return Err(Failure::unable(format!(
                "the checkpoint is of another training:\n  got      {}\n  expected {description}",
                checkpoint.settings
            ))
            .hint("resume with the settings and data it was started with, or start anew"));
        }
        (
            checkpoint.model,
            checkpoint.adam,
            checkpoint.epochs as usize,
        )
    } else {
        let model = match &settings.from {
            Some(from) => first_weights(from, settings)?,
            None => Model::random(
                settings.shape,
                &mut ChaCha8Rng::seed_from_u64(settings.seed),
            ),
        };
        let adam = Adam::new(&settings.shape);
        (model, adam, 0)
    };
    let training = Training {
        settings,
        worker: Worker::new(model.parameters.len()),
        model,
        adam,
        printer,
    };
    Ok((training, epochs))
}

/// The model of a checkpoint or network.
pub fn read_model(path: &Path) -> Result<Model, Failure> {
    let bytes = fs::read(path).or_unable(format_args!("read `{}`", path.display()))?;
    if let Some(checkpoint) = Checkpoint::parse(&bytes) {
        return Ok(checkpoint.model);
    }
    let network = NetworkFile::from_bytes(&bytes).map_err(|what| {
        Failure::unable(format!(
            "`{}` is neither a checkpoint nor a network: {what}",
            path.display()
        ))
        .hint("name a network, or the FILE.checkpoint that stands beside it")
    })?;
    Ok(dequantise(&network))
}

/// The weights of a checkpoint or network of another training, which may be smaller.
fn first_weights(path: &Path, settings: &Settings) -> Result<Model, Failure> {
    let model = read_model(path)?;
    let (own, shape) = (model.shape, settings.shape);
    let refuse = |what: &str, expected: String, got: String, option: &str| {
        Err(Failure::unable(format!(
            "{}: expected {what} {expected}, got {got}",
            path.display()
        ))
        .hint(format!("train with {option} {got}")))
    };
    if own.hidden > shape.hidden {
        let expected = format!("{} at most", shape.hidden);
        let got = own.hidden.to_string();
        return refuse("a hidden layer of", expected, got, "--hidden");
    }
    if own.second != shape.second && own.second > 0 {
        let expected = format!("{} or none", shape.second);
        let got = own.second.to_string();
        return refuse("second values of", expected, got, "--second");
    }
    if own.king_buckets != shape.king_buckets && own.king_buckets != KingBuckets::ONE {
        let expected = format!("{} or a single one", shape.king_buckets);
        let got = own.king_buckets.to_string();
        return refuse("king buckets", expected, got, "--king-buckets");
    }
    Ok(model.grow(shape, &mut ChaCha8Rng::seed_from_u64(settings.seed)))
}

impl Training<'_> {
    /// One pass over the data. Returns the mean loss and the positions per second.
    fn epoch(&mut self, dataset: &Dataset, epoch: usize) -> Result<(f64, f64), Failure> {
        let start = Instant::now();
        let mut printed = start;
        let (mut sum, mut seen) = (0.0, 0_usize);
        let mut reader = dataset.epoch(self.settings.objective, self.settings.seed, epoch);
        let size = self.settings.batch;
        thread::scope(|scope| {
            // The next buffer is read and shuffled while the current one is used.
            let (sender, batches) = mpsc::sync_channel(BUFFER / size + 1);
            scope.spawn(move || {
                while let Some(batch) = reader.batch(size).transpose() {
                    let is_last = batch.is_err();
                    if sender.send((batch, reader.progress())).is_err() || is_last {
                        break;
                    }
                }
            });
            for (batch, progress) in batches {
                let batch = batch?;
                let progress = (epoch as f32 + progress) / self.settings.epochs as f32;
                let (loss, gradient) =
                    self.worker
                        .gradient(&self.model, self.settings.objective, &batch);
                let rate = self.settings.rate_at(progress);
                self.adam
                    .step(&mut self.model, gradient, rate, self.settings.decay);
                sum += loss * batch.len() as f64;
                seen += batch.len();
                if printed.elapsed() >= INTERVAL {
                    printed = Instant::now();
                    self.note_progress(epoch, progress, sum / seen as f64, seen, start.elapsed());
                }
            }
            Ok::<(), Failure>(())
        })?;
        if seen == 0 {
            return Err(Failure::unable("the filter leaves no position to train on")
                .hint("lower --min-ply and --min-pieces, or raise --max-score"));
        }
        let speed = seen as f64 / start.elapsed().as_secs_f64().max(1e-6);
        Ok((sum / seen as f64, speed))
    }

    fn note_progress(
        &self,
        epoch: usize,
        progress: f32,
        loss: f64,
        seen: usize,
        elapsed: Duration,
    ) {
        let epochs = self.settings.epochs;
        let this_epoch = (progress * epochs as f32 - epoch as f32).max(1e-6);
        let rest = elapsed.as_secs_f32() * (1.0 - progress) * epochs as f32 / this_epoch;
        self.printer.note(&format!(
            "epoch {} of {epochs}, loss {loss:.6}, {:.0} positions/s, {:.0} min left",
            epoch + 1,
            seen as f64 / elapsed.as_secs_f64(),
            (rest / 60.0).ceil()
        ));
    }

    fn validate(&mut self, positions: &[PackedPosition]) -> f64 {
        let objective = self.settings.objective;
        self.worker.loss(&self.model, objective, positions) / positions.len().max(1) as f64
    }

    /// The centipawns of an output of 1 that fit the outputs to the scores of the data best.
    /// Otherwise the weight of the result in the target, and how well scores predict results,
    /// would stretch or shrink centipawns, and with them all margins of the search.
    fn calibrated_scale(&self, positions: &[PackedPosition]) -> i32 {
        let (mut products, mut squares) = (0.0, 0.0);
        for (position, output) in positions
            .iter()
            .zip(hidden::outputs(&self.model, positions))
        {
            let score = match position.side() {
                cozy_chess::Color::White => position.score(),
                cozy_chess::Color::Black => -position.score(),
            };
            if score.abs() <= CALIBRATED {
                let output = f64::from(output);
                products += output * f64::from(score);
                squares += output * output;
            }
        }
        let scale = products / squares;
        if scale.is_finite() && (1.0..=10_000.0).contains(&scale) {
            scale.round() as i32
        } else {
            self.settings.objective.scale.round() as i32
        }
    }
}

#[cfg(test)]
mod tests;
