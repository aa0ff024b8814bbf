//! What a training reads: damaged files, epochs, positions for validation, and filters.

use super::*;

#[test]
fn damaged_data_are_refused_and_a_torn_end_is_not_damage() {
    let data = folder(20);
    let path = data.path().join("000000.positions");
    let whole = fs::read(&path).unwrap();
    let open = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Dataset::open(&[data.path().to_owned()], Filter::default(), 10)
            .map(|dataset| (dataset.games, dataset.ignored))
    };
    assert_eq!(open(&whole).unwrap(), (20, 0));
    let (games, ignored) = open(&whole[..whole.len() - 45]).unwrap();
    assert_eq!(games, 19);
    assert!(ignored > 0);
    let mut changed = whole.clone();
    changed[2_000] ^= 1;
    let error = open(&changed).unwrap_err();
    assert!(error.message().contains("is damaged"), "{error}");
    let error = open(b"this is not a file of packed positions").unwrap_err();
    assert!(
        error
            .message()
            .contains("expected a file of packed positions"),
        "{error}"
    );
    fs::remove_file(&path).unwrap();
    let error = Dataset::open(&[data.path().to_owned()], Filter::default(), 10)
        .err()
        .unwrap();
    assert!(
        error.message().contains("no files of packed positions"),
        "{error}"
    );
    fs::write(&path, &whole[..whole.len() / 20]).unwrap();
    let error = train(&settings(), &data, false).unwrap_err();
    assert!(error.message().contains("too few positions"), "{error}");
}

fn validation_of(dataset: &Dataset, most: usize) -> Vec<PackedPosition> {
    dataset.validation(settings().objective, most).unwrap()
}

#[test]
fn an_epoch_reads_every_usable_position_once_in_another_order() {
    let data = folder(60);
    let dataset = Dataset::open(&[data.path().to_owned()], Filter::default(), 10).unwrap();
    let read = |epoch| {
        let mut reader = dataset.epoch(settings().objective, 5, epoch);
        let mut positions = Vec::new();
        while let Some(batch) = reader.batch(100).unwrap() {
            assert!(batch.len() <= 100);
            positions.extend(batch);
        }
        assert!((reader.progress() - 1.0).abs() < 1e-6);
        positions
    };
    let (first, second) = (read(0), read(1));
    assert!(first == read(0) && first != second);
    let mut all = 0;
    dataset
        .for_each(|position| all += usize::from(position.is_quiet()))
        .unwrap();
    let validation = validation_of(&dataset, usize::MAX);
    assert_eq!(first.len() + validation.len(), all);
    assert!(validation.len() * 5 < all && !validation.is_empty());
    let sorted = |positions: &[PackedPosition]| {
        let mut texts: Vec<String> = positions.iter().map(|one| format!("{one:?}")).collect();
        texts.sort();
        texts
    };
    assert_eq!(sorted(&first), sorted(&second));
}

#[test]
fn what_comes_later_counts_in_training_and_validation() {
    let data = folder(60);
    let dataset = Dataset::open(&[data.path().to_owned()], Filter::default(), 10).unwrap();
    let sizes = |positions: Vec<PackedPosition>| -> i64 {
        let sizes = positions.iter().map(|one| i64::from(one.score().abs()));
        sizes.sum()
    };
    let scores = |lambda| {
        let objective = Objective {
            lambda,
            ..settings().objective
        };
        let mut reader = dataset.epoch(objective, 1, 0);
        let batches = std::iter::from_fn(|| reader.batch(1_000).unwrap());
        let validation = dataset.validation(objective, usize::MAX).unwrap();
        let [trained, validated] = [batches.flatten().collect(), validation].map(sizes);
        assert_eq!(
            sizes(dataset.usable(objective).unwrap()),
            trained + validated
        );
        [trained, validated]
    };
    // The result alone is far from any draw-like score.
    let (results, own) = (scores(1.0), scores(0.0));
    assert!(results.iter().zip(own).all(|(all, own)| *all > 2 * own));
}

#[test]
fn positions_for_validation_are_not_trained_on_when_there_are_more_data() {
    let both = tempfile::tempdir().unwrap();
    let [more, data] = ["a", "b"].map(|name| both.path().join(name));
    fs::rename(folder(47).path(), &more).unwrap();
    fs::rename(folder(60).path(), &data).unwrap();
    let validation = |folders: &[PathBuf]| {
        let dataset = Dataset::open(folders, Filter::default(), 10).unwrap();
        validation_of(&dataset, usize::MAX)
    };
    let alone = validation(std::slice::from_ref(&data));
    let together = validation(&[more, data]);
    assert!(!alone.is_empty() && alone.len() < together.len());
    assert!(together.ends_with(&alone));
}

#[test]
fn files_of_few_parts_have_positions_for_validation_too() {
    let data = folder(0);
    for block in 0..20 {
        let header = FileHeader {
            seed: 1,
            nodes: 1,
            block,
        };
        let mut bytes = header.pack().to_vec();
        for (number, game) in games(25, 1).iter().enumerate() {
            bytes.extend(pack_game(number as u64, game));
        }
        fs::write(data.path().join(format!("{block:06}.positions")), bytes).unwrap();
    }
    let dataset = Dataset::open(&[data.path().to_owned()], Filter::default(), 50).unwrap();
    let share = validation_of(&dataset, usize::MAX).len() as f64 / dataset.positions as f64;
    assert!((0.005..0.05).contains(&share), "{share}");
}

#[test]
fn few_positions_for_validation_are_from_all_of_the_data() {
    let data = folder(60);
    let dataset = Dataset::open(&[data.path().to_owned()], Filter::default(), 5).unwrap();
    let all = validation_of(&dataset, usize::MAX);
    let few = validation_of(&dataset, all.len() / 3);
    assert!(!few.is_empty() && few.len() < all.len() / 2);
    let last = few.last().unwrap();
    assert!(all[all.len() / 2..].contains(last));
}

#[test]
fn a_filter_leaves_out_positions_to_train_on_and_none_for_validation() {
    let data = folder(60);
    let open = |filter| Dataset::open(&[data.path().to_owned()], filter, 10).unwrap();
    let read = |dataset: &Dataset| -> Vec<PackedPosition> {
        let mut reader = dataset.epoch(settings().objective, 1, 0);
        let batches = std::iter::from_fn(|| reader.batch(1_000).unwrap());
        batches.flatten().collect()
    };
    let all = open(Filter::default());
    let whole = read(&all);
    for (filter, keeps) in [
        (
            Filter {
                min_ply: 16,
                ..Filter::default()
            },
            (|position| position.ply() >= 16) as fn(&PackedPosition) -> bool,
        ),
        (
            Filter {
                min_pieces: 30,
                ..Filter::default()
            },
            |position| position.placement().count() >= 30,
        ),
        (
            Filter {
                max_score: Some(300),
                ..Filter::default()
            },
            |position| position.score().abs() <= 300,
        ),
    ] {
        let dataset = open(filter);
        let kept = read(&dataset);
        let expected = whole.iter().filter(|position| keeps(position)).count();
        assert!(kept.iter().all(keeps), "{filter}");
        assert_eq!(kept.len(), expected, "{filter}");
        assert!(0 < expected && expected < whole.len(), "{filter}");
        assert!(validation_of(&dataset, usize::MAX) == validation_of(&all, usize::MAX));
        let described = Settings {
            filter,
            ..settings()
        };
        assert_ne!(described.describe(), settings().describe());
    }
    let nothing = Settings {
        filter: Filter {
            min_ply: 1_000,
            ..Filter::default()
        },
        ..settings()
    };
    let error = train(&nothing, &data, false).unwrap_err();
    assert!(
        error.message().contains("no position to train on"),
        "{error}"
    );
    assert!(!data.path().join("net").exists());
}
