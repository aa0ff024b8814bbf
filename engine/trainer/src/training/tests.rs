//! Trainings on small data sets, from position files to the network.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;

use engine::network::{HIDDEN, INPUTS, KingBuckets, Network};
use engine::packed::{FileHeader, Outcome, PackedPosition, pack_game};
use engine::position::Position;
use foundation::printer::OutputArgs;
use rand::RngExt as _;
use rayon::ThreadPoolBuilder;
use tempfile::TempDir;

use super::*;
use crate::gradient::{SHARD, Worker};
use crate::inputs::Inputs;

mod data;

/// Games of random moves; a side that is ahead in material counts as the winner.
fn games(count: usize, seed: u64) -> Vec<Vec<PackedPosition>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..count)
        .map(|_| {
            let mut position =
                Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
                    .unwrap();
            let mut packed = Vec::new();
            for ply in 0..80 {
                let moves = position.moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.random_range(0..moves.len())];
                packed.push(PackedPosition::new(&position, ply, material(&position), mv));
                position = position.play(mv);
            }
            let balance = packed.last().map_or(0, PackedPosition::score);
            let outcome = match balance {
                1.. => Outcome::WhiteWins,
                0 => Outcome::Draw,
                _ => Outcome::BlackWins,
            };
            packed
                .into_iter()
                .map(|position| position.with_outcome(outcome))
                .collect()
        })
        .collect()
}

/// Centipawns of material for the side to move.
fn material(position: &Position) -> i32 {
    let board = position.board();
    let values = [100, 300, 300, 500, 900, 0];
    cozy_chess::Piece::ALL
        .iter()
        .zip(values)
        .map(|(&piece, value)| {
            let ours = board.colored_pieces(board.side_to_move(), piece).len() as i32;
            let theirs = board.colored_pieces(!board.side_to_move(), piece).len() as i32;
            value * (ours - theirs)
        })
        .sum()
}

fn folder(count: usize) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let header = FileHeader {
        seed: 1,
        nodes: 1,
        block: 0,
    };
    let mut bytes = header.pack().to_vec();
    for (number, game) in games(count, 1).iter().enumerate() {
        bytes.extend(pack_game(number as u64, game));
    }
    fs::write(folder.path().join("000000.positions"), bytes).unwrap();
    folder
}

const SHAPE: Shape = Shape {
    hidden: 32,
    king_buckets: KingBuckets::ONE,
    second: 0,
};

fn settings() -> Settings {
    Settings {
        shape: SHAPE,
        from: None,
        epochs: 3,
        batch: 64,
        rate: 0.001,
        final_rate: 0.0001,
        decay: 0.0,
        objective: Objective {
            scale: 400.0,
            result_share: 0.3,
            lambda: 0.0,
        },
        teachers: Vec::new(),
        teacher_share: 0.0,
        seed: 7,
        filter: Filter::default(),
        validation_every: 10,
    }
}

/// Kings of random games reach all of these buckets.
fn three_buckets() -> KingBuckets {
    "0011/2222/2222/2222/2222/2222/2222/2222".parse().unwrap()
}

fn quiet() -> Printer {
    Printer::new(OutputArgs {
        quiet: true,
        ..OutputArgs::default()
    })
}

fn train(settings: &Settings, data: &TempDir, resume: bool) -> Result<Vec<u8>, Failure> {
    let out = data.path().join("net");
    run(settings, &[data.path().to_owned()], &out, resume, quiet())?;
    Ok(fs::read(out).unwrap())
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap().install(work)
}

#[test]
fn the_gradient_of_a_large_step_does_not_depend_on_threads() {
    let positions = games(2, 3).concat().into_iter().cycle();
    let positions: Vec<PackedPosition> = positions.take(5 * SHARD / 2).collect();
    let model = Model::random(SHAPE, &mut ChaCha8Rng::seed_from_u64(1));
    let of = |threads| {
        on_threads(threads, || {
            let mut worker = Worker::new(model.parameters.len());
            let (loss, gradient) = worker.gradient(&model, settings().objective, &positions);
            (loss, gradient.to_vec())
        })
    };
    let alone = of(1);
    assert!(alone.1.iter().any(|&slope| slope != 0.0));
    assert_eq!(alone, of(2));
    assert_eq!(alone, of(3));
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    compare_gradient_with_differences(SHAPE);
    compare_gradient_with_differences(Shape {
        king_buckets: three_buckets(),
        second: 3,
        ..SHAPE
    });
}

fn compare_gradient_with_differences(shape: Shape) {
    let positions: Vec<PackedPosition> = games(2, 3).concat();
    let objective = settings().objective;
    let mut model = Model::random(shape, &mut ChaCha8Rng::seed_from_u64(1));
    // New second values count for nothing, so their weights would have no gradient.
    shape.split_mut(&mut model.parameters)[6].fill(0.7);
    let size = model.parameters.len();
    let mut worker = Worker::new(size);
    let (loss, gradient) = worker.gradient(&model, objective, &positions);
    let gradient = gradient.to_vec();
    let count = positions.len() as f64;
    let mut other = Worker::new(size);
    assert!((loss - other.loss(&model, objective, &positions) / count).abs() < 1e-9);
    // The largest of each kind of parameter: rounding hides the differences of small ones.
    let lengths = shape.split(&gradient).map(<[f32]>::len);
    let ends = lengths.into_iter().scan(0, |end, length| {
        *end += length;
        Some(*end - length..*end)
    });
    // The rows of the first king bucket alone, too.
    for range in ends.chain(std::iter::once(0..INPUTS * 32)) {
        let mut largest: Vec<usize> = range.collect();
        largest.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
        for &index in largest.iter().take(12) {
            let kept = model.parameters[index];
            let step = 0.01;
            let mut at = |value: f32| {
                model.parameters[index] = value;
                other.loss(&model, objective, &positions) / count
            };
            let difference = (at(kept + step) - at(kept - step)) / f64::from(2.0 * step);
            model.parameters[index] = kept;
            let found = f64::from(gradient[index]);
            assert!(
                (found - difference).abs() < 0.03 * found.abs() + 1e-5,
                "parameter {index}: gradient {found}, difference {difference}"
            );
        }
    }
}

#[test]
fn a_training_that_diverges_replaces_nothing() {
    let data = folder(60);
    let network = train(&settings(), &data, false).unwrap();
    let diverging = Settings {
        rate: f32::INFINITY,
        ..settings()
    };
    let error = train(&diverging, &data, false).unwrap_err();
    assert!(error.message().contains("finite losses"), "{error}");
    assert!(fs::read(data.path().join("net")).unwrap() == network);
}

#[test]
fn the_network_depends_on_the_seed_and_not_on_threads_or_interruptions() {
    let data = folder(40);
    let two = on_threads(2, || train(&settings(), &data, false)).unwrap();
    let one = on_threads(1, || train(&settings(), &data, false));
    assert!(one.unwrap() == two);
    let other = Settings {
        seed: 8,
        ..settings()
    };
    assert!(train(&other, &data, false).unwrap() != two);

    // The state that an interruption after the first of three epochs leaves.
    let start = Settings {
        epochs: 1,
        ..settings()
    };
    let path = checkpoint::path(&data.path().join("net"));
    train(&start, &data, false).unwrap();
    let error = train(&settings(), &data, true).unwrap_err();
    assert!(error.message().contains("another training"), "{error}");
    train(&settings(), &data, false).unwrap();
    let finished = Checkpoint::read(&path).unwrap();
    let dataset = Dataset::open(&[data.path().to_owned()], Filter::default(), 10).unwrap();
    let settings = settings();
    let (mut training, first) =
        super::start(&settings, &finished.settings, &path, false, quiet()).unwrap();
    assert_eq!(first, 0);
    training.epoch(&dataset, 0).unwrap();
    Checkpoint {
        settings: finished.settings,
        epochs: 1,
        model: training.model,
        adam: training.adam,
    }
    .write(&path)
    .unwrap();
    assert!(train(&settings, &data, true).unwrap() == two);
}

#[test]
fn a_training_may_begin_with_the_weights_of_another() {
    let data = folder(20);
    train(&settings(), &data, false).unwrap();
    let trained = data.path().join("trained");
    fs::rename(checkpoint::path(&data.path().join("net")), &trained).unwrap();
    let other = folder(10);
    // A step too small to change any output.
    let going_on = Settings {
        from: Some(trained.clone()),
        rate: 1e-9,
        final_rate: 1e-9,
        epochs: 1,
        ..settings()
    };
    train(&going_on, &other, false).unwrap();
    let read = |path: &Path| Checkpoint::read(path).unwrap().model.parameters;
    let (before, after) = (
        read(&trained),
        read(&checkpoint::path(&other.path().join("net"))),
    );
    let mut pairs = before.iter().zip(&after);
    assert!(pairs.all(|(before, after)| (before - after).abs() < 1e-5));
    let network = data.path().join("net");
    let from_network = Settings {
        from: Some(network.clone()),
        ..going_on.clone()
    };
    train(&from_network, &other, false).unwrap();
    let after = read(&checkpoint::path(&other.path().join("net")));
    let mut pairs = before.iter().zip(&after);
    assert!(
        pairs.all(|(before, after)| (before - after).abs() < 0.003),
        "a network has 255 steps to 1"
    );

    // Several king buckets start with the weights of the single one.
    let bucketed = Settings {
        shape: Shape {
            king_buckets: three_buckets(),
            ..SHAPE
        },
        ..from_network.clone()
    };
    train(&bucketed, &other, false).unwrap();
    let path = checkpoint::path(&other.path().join("net"));
    let model = Checkpoint::read(&path).unwrap().model;
    for bucket in model.hidden_weights().chunks(INPUTS * 32) {
        let mut pairs = before.iter().zip(bucket);
        assert!(pairs.all(|(before, after)| (before - after).abs() < 0.003));
    }
    let error = train(
        &Settings {
            from: Some(path),
            ..going_on.clone()
        },
        &other,
        false,
    )
    .unwrap_err();
    let layout = three_buckets().to_string();
    assert!(
        error.message().contains(&format!("got {layout}")),
        "{error}"
    );

    fs::write(&network, "no network").unwrap();
    let error = train(&from_network, &other, false).unwrap_err();
    assert!(
        error
            .message()
            .contains("neither a checkpoint nor a network"),
        "{error}"
    );
    // The outputs of a wider network are at first those of the narrower one, which cannot follow it.
    let wider = Settings {
        shape: Shape {
            hidden: 64,
            second: 3,
            ..SHAPE
        },
        ..going_on.clone()
    };
    train(&wider, &other, false).unwrap();
    let path = checkpoint::path(&other.path().join("net"));
    let [narrow, wide] = [&trained, &path].map(|path| Checkpoint::read(path).unwrap().model);
    let positions = games(3, 5).concat();
    let [narrow, wide] = [narrow, wide].map(|model| hidden::outputs(&model, &positions));
    for (narrow, wide) in narrow.iter().zip(wide) {
        assert!((narrow - wide).abs() < 1e-3, "{narrow} {wide}");
    }
    let back = Settings {
        from: Some(path),
        ..going_on
    };
    let error = train(&back, &other, false).unwrap_err();
    assert!(
        error
            .message()
            .contains("hidden layer of 32 at most, got 64"),
        "{error}"
    );
}

#[test]
fn a_network_learns_what_its_teacher_says() {
    let data = folder(30);
    let sharp = Settings {
        objective: Objective {
            scale: 100.0,
            ..settings().objective
        },
        epochs: 20,
        rate: 0.01,
        ..settings()
    };
    train(&sharp, &data, false).unwrap();
    let teacher = data.path().join("teacher");
    fs::rename(data.path().join("net"), &teacher).unwrap();
    let positions = games(3, 5).concat();
    let size = |share| {
        let taught = Settings {
            teachers: vec![teacher.clone()],
            teacher_share: share,
            epochs: 20,
            rate: 0.01,
            ..settings()
        };
        train(&taught, &data, false).unwrap();
        let model = read_model(&data.path().join("net")).unwrap();
        let outputs = hidden::outputs(&model, &positions);
        outputs.iter().map(|output| output.abs()).sum::<f32>() / outputs.len() as f32
    };
    let (alone, half, taught) = (size(0.0), size(0.5), size(1.0));
    assert!(
        1.1 * alone < half && 1.1 * half < taught,
        "{alone} {half} {taught}"
    );
}

#[test]
fn second_values_make_a_teacher_and_no_network() {
    let data = folder(30);
    let larger = Settings {
        shape: Shape { second: 4, ..SHAPE },
        epochs: 20,
        rate: 0.01,
        ..settings()
    };
    let run = |settings: &Settings, name: &str| {
        let out = data.path().join(name);
        run(settings, &[data.path().to_owned()], &out, false, quiet()).unwrap();
        out
    };
    let out = run(&larger, "larger");
    assert!(!out.exists());
    let teacher = checkpoint::path(&out);
    let taught = Settings {
        teachers: vec![teacher.clone()],
        teacher_share: 1.0,
        ..settings()
    };
    assert!(run(&taught, "taught").exists());
    let model = read_model(&teacher).unwrap();
    let [.., weights] = model.shape.split(&model.parameters);
    assert!(weights.iter().any(|weight| weight.abs() > 0.01));
    // Without second values it would be another model.
    let smaller = Settings {
        from: Some(teacher),
        ..settings()
    };
    let error = train(&smaller, &data, false).unwrap_err();
    let expected = "second values of 0 or none, got 4";
    assert!(error.message().contains(expected), "{error}");
}

#[test]
fn a_small_set_is_learned_by_heart() {
    let data = folder(4);
    let settings = Settings {
        epochs: 300,
        batch: 32,
        rate: 0.003,
        ..settings()
    };
    let settings = Settings {
        validation_every: 4,
        ..settings
    };
    let dataset = Dataset::open(&[data.path().to_owned()], Filter::default(), 4).unwrap();
    let path = data.path().join("net.checkpoint");
    let (mut training, _) = start(&settings, "", &path, false, quiet()).unwrap();
    let (first, _) = training.epoch(&dataset, 0).unwrap();
    let mut last = first;
    for epoch in 1..settings.epochs {
        (last, _) = training.epoch(&dataset, epoch).unwrap();
    }
    assert!(last < first / 100.0, "{first} {last}");
}

#[test]
fn the_quantised_network_is_close_to_the_model() {
    let data = folder(60);
    let settings = Settings {
        shape: Shape {
            hidden: HIDDEN,
            king_buckets: three_buckets(),
            second: 0,
        },
        epochs: 8,
        ..settings()
    };
    train(&settings, &data, false).unwrap();
    let checkpoint = Checkpoint::read(&checkpoint::path(&data.path().join("net"))).unwrap();
    // Not the scale of these random scores, which may be less than the rounding to centipawns.
    let scale = 400;
    let network = Network::from_bytes(&quantise(&checkpoint.model, scale).to_bytes()).unwrap();
    let (mut errors, mut sizes) = (0.0, 0.0);
    let positions = games(20, 9).concat();
    for (position, output) in positions
        .iter()
        .zip(hidden::outputs(&checkpoint.model, &positions))
    {
        let output = output * scale as f32;
        let mut inputs = Inputs::default();
        inputs.set(&[*position], &three_buckets());
        let mut views: Vec<_> = inputs.steps[..2].iter().collect();
        views.sort_by_key(|step| step.place);
        let [ours, theirs] = [0, 1].map(|view| network.accumulate(inputs.added(views[view])));
        let quantised = network.output(&ours, &theirs, position.placement().count()) as f32;
        assert!(
            (output - quantised).abs() < 0.05 * output.abs() + 25.0,
            "{output} {quantised}"
        );
        errors += (output - quantised).abs();
        sizes += output.abs();
    }
    assert!(errors < 0.05 * sizes, "{errors} {sizes}");
}

#[test]
fn the_output_has_the_scale_of_the_scores() {
    let settings = settings();
    let path = PathBuf::new();
    let (mut training, _) = start(&settings, "", &path, false, quiet()).unwrap();
    // Weights so large that rounding hardly changes scores.
    for weight in &mut training.model.parameters {
        *weight *= 3.0;
    }
    let games = games(10, 2).concat();
    let outputs = hidden::outputs(&training.model, &games);
    let scored_by = |scale: f32| -> Vec<PackedPosition> {
        (games.iter().zip(&outputs))
            .map(|(packed, output)| {
                let score = (output * scale).round() as i32;
                let position = packed.position().unwrap();
                PackedPosition::new(&position, packed.ply(), score, packed.best_move())
            })
            .collect()
    };
    for scale in [150, 230] {
        let positions = scored_by(scale as f32);
        let found = training.calibrated_scale(&positions);
        assert!((found - scale).abs() <= 1, "{scale} {found}");
    }
    let unscored = scored_by(0.0);
    assert_eq!(
        training.calibrated_scale(&unscored),
        400,
        "no scores to go by"
    );
}
