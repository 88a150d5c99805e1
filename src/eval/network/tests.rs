use proptest::prelude::*;
use sha2::{Digest, Sha256};
use shakmaty::{CastlingMode, Color, Position as _, fen::Fen};

use super::*;
use crate::{Evaluator, LeafShape, Width};
use belief::{BINS, Density, Grid, LANES};
use game::{ChessKnowledge, ChessPosition, Game, Score};

/// What another implementation computed with the embedded weights: FEN, hash of the accumulators, value, steps of the
/// belief, moves with their logits.
const GOLDEN: &str = include_str!("../../../benches/network/golden.tsv");

fn position(fen: &str) -> ChessPosition {
    let fen: Fen = fen.parse().expect("a FEN");
    let chess = fen.into_position(CastlingMode::Standard);
    ChessPosition::new(chess.expect("a position"), CastlingMode::Standard)
}

/// The Fowler-Noll-Vo hash FNV-1a of both accumulators, that of the side to move first.
fn hash(accumulators: &Accumulators, us: Color) -> u64 {
    let words = [us, !us].map(|color| accumulators.of(color)).into_iter();
    let words = words.flatten().flat_map(|block| block.0);
    words
        .flat_map(i16::to_le_bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
}

fn says_the_golden_values(network: &Network) {
    let mut lines = 0;
    for line in GOLDEN.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [fen, accumulators, value, steps, moves] = columns[..] else {
            panic!("{line}");
        };
        let at = position(fen);
        let state = network.start(at.chess());
        assert_eq!(
            format!("{:016x}", hash(&state, at.chess().turn())),
            accumulators,
            "{fen}"
        );
        assert_eq!(
            network.value(&state, at.chess()).to_string(),
            value,
            "{fen}"
        );
        let hidden = network.hidden(&state, at.chess());
        let belief = network.belief(&hidden, at.chess());
        let steps: Vec<u16> = steps
            .split([' ', ','])
            .map(|s| s.parse().expect("a number"))
            .collect();
        assert_eq!(belief.0[..BINS], steps, "{fen}");
        let legal = at.legal_moves();
        let logits = network.move_logits(&hidden, &at, &legal);
        let mut found: Vec<String> = legal
            .iter()
            .zip(logits)
            .map(|(&m, logit)| format!("{}:{logit}", at.uci(m)))
            .collect();
        found.sort();
        assert_eq!(found.join(" "), moves, "{fen}");
        lines += 1;
    }
    assert!(lines >= 100, "{lines}");
}

#[test]
fn the_weights_that_come_with_plyscope_are_sealed_and_sound() {
    assert!(Network::from_bytes(EMBEDDED_WEIGHTS).is_ok());
}

#[test]
fn the_network_says_the_golden_values_to_the_bit() {
    let mut network = Network::clone(&Network::embedded());
    says_the_golden_values(&network);
    network.path = Path::Plain;
    says_the_golden_values(&network);
    // Fewer rows at once are the same sum.
    network.attacks_at_once = 1;
    says_the_golden_values(&network);
}

/// Writes the checksum that a file with this content would have.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let content = bytes.len() - 32;
    let sum = Sha256::digest(&bytes[..content]);
    bytes[content..].copy_from_slice(&sum);
    bytes
}

/// With byte `at` changed to `value`, and with the checksum of that.
fn forged(at: usize, value: u8) -> NetworkError {
    let mut bytes = EMBEDDED_WEIGHTS.to_vec();
    bytes[at] = value;
    Network::from_bytes(&sealed(bytes)).expect_err("it is another file")
}

#[test]
fn a_refused_file_is_told_apart() {
    let expected = EMBEDDED_WEIGHTS.len();
    let told = |bytes: &[u8]| {
        let text = Network::from_bytes(bytes).expect_err("not a network");
        text.to_string()
    };
    assert_eq!(
        told(b"PK\x03\x04 a picture"),
        "not a network: starts with \"PK\\x03\\x04 a p\", expected \"plynet\\r\\n\""
    );
    assert!(told(b"").starts_with("not a network: starts with \"\""));
    assert_eq!(
        told(&EMBEDDED_WEIGHTS[..10]),
        format!("network of 10 bytes, expected {expected}")
    );
    let cut = &EMBEDDED_WEIGHTS[..expected - 1];
    assert_eq!(
        told(cut),
        format!("network of {} bytes, expected {expected}", expected - 1)
    );
    let more = [EMBEDDED_WEIGHTS, b"\n"].concat();
    assert!(told(&more).starts_with("network of "));
    let mut damaged = EMBEDDED_WEIGHTS.to_vec();
    damaged[expected / 2] ^= 1;
    assert!(told(&damaged).starts_with("damaged network: checksum "));
    assert_eq!(
        forged(8, 3).to_string(),
        "version 3 of the network's format, expected version 2"
    );
    assert_eq!(
        forged(16, 0).to_string(),
        "network of another shape: accumulator is 0, expected 128"
    );
    assert!(matches!(forged(12, 1), NetworkError::Size { .. }));
}

/// Numbers with which a sum could overflow, or a mass could be lost, are refused even if the checksum is right.
#[test]
fn numbers_that_cannot_be_computed_with_are_refused() {
    let inputs = 16 + 4 * 13;
    // The upper byte of the first weight.
    assert_eq!(
        forged(inputs + 1, 0x7f),
        NetworkError::Overflow {
            layer: "the accumulator",
            found: match forged(inputs + 1, 0x7f) {
                NetworkError::Overflow { found, .. } => found,
                other => panic!("{other}"),
            },
            most: 32_767
        }
    );
    let end = EMBEDDED_WEIGHTS.len() - 32;
    let blur = end - 2 * 2;
    let sharpness = blur - 2 * BUCKETS * STATES;
    let powers = sharpness - 4 * POWERS;
    let wrong = |at, value| match forged(at, value) {
        NetworkError::Table { name, .. } => name,
        other => panic!("{other}"),
    };
    assert_eq!(wrong(sharpness + 1, 0x80), "a sharpness");
    assert_eq!(wrong(blur + 3, 0x80), "blur");
    assert_eq!(wrong(powers, 1), "powers[0]");
    assert_eq!(wrong(powers + 7, 0xff), "a power");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever is done to a file, it is read or refused; what is read computes without overflow.
    #[test]
    fn no_bytes_make_it_panic(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        in_header in any::<bool>(),
        cut in prop::option::of(any::<prop::sample::Index>()),
        seal in any::<bool>(),
    ) {
        let mut bytes = EMBEDDED_WEIGHTS.to_vec();
        for (at, value) in changes {
            let within = if in_header { 72 } else { bytes.len() };
            bytes[at.index(within)] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if seal && bytes.len() >= 32 {
            bytes = sealed(bytes);
        }
        if let Ok(network) = Network::from_bytes(&bytes) {
            let at = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
            let state = network.start(at.chess());
            network.value(&state, at.chess());
            let hidden = network.hidden(&state, at.chess());
            network.belief(&hidden, at.chess());
            network.policy(&hidden, &at, &at.legal_moves());
        }
    }

    /// The accumulators updated move by move equal those of the position, null moves included; the value and the belief
    /// do not depend on the instructions used; shares sum to 1; both colours are judged alike.
    #[test]
    fn a_random_game(choices in prop::collection::vec(any::<u16>(), 1..120)) {
        let network = Network::embedded();
        let mut plain = Network::clone(&network);
        plain.path = Path::Plain;
        let mut at = ChessPosition::default();
        let mut state = network.start(at.chess());
        for choice in choices {
            if choice % 8 == 0 && let Some(next) = at.pass() {
                at = next;
            } else {
                let moves = at.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[usize::from(choice) % moves.len()];
                let mut after = [state; 2];
                plain.advance(&state, at.chess(), m, &mut after[0]);
                network.advance(&state, at.chess(), m, &mut after[1]);
                prop_assert_eq!(after[0], after[1]);
                state = after[1];
                at.play(m);
            }
            prop_assert_eq!(state, network.start(at.chess()), "{}", at.fen());
        }
        let chess = at.chess();
        let (hidden, other) = (network.hidden(&state, chess), plain.hidden(&state, chess));
        prop_assert_eq!(network.value(&state, chess), plain.value(&state, chess));
        prop_assert_eq!(network.belief(&hidden, chess), plain.belief(&other, chess));
        let moves = at.legal_moves();
        let shares = network.policy(&hidden, &at, &moves);
        prop_assert_eq!(&shares, &plain.policy(&other, &at, &moves));
        let sum: f32 = shares.iter().sum();
        prop_assert!(moves.is_empty() || (sum - 1.0).abs() < 1e-5);
        let setup = chess.to_setup(shakmaty::EnPassantMode::Legal).into_mirrored();
        let mirrored = setup.position::<shakmaty::Chess>(CastlingMode::Standard).expect("as legal as before");
        let state = network.start(&mirrored);
        let reflected = network.hidden(&state, &mirrored);
        prop_assert_eq!(network.belief(&reflected, &mirrored), network.belief(&hidden, chess));
    }
}

#[test]
fn the_policys_shares_are_powers_of_two() {
    let network = Network::embedded();
    let at = ChessPosition::default();
    let state = network.start(at.chess());
    let hidden = network.hidden(&state, at.chess());
    let moves = at.legal_moves();
    let logits = network.move_logits(&hidden, &at, &moves);
    let weights: Vec<f64> = logits
        .iter()
        .map(|&z| (f64::from(z) / f64::from(1 << 20)).exp2())
        .collect();
    let sum: f64 = weights.iter().sum();
    for (share, weight) in network.policy(&hidden, &at, &moves).iter().zip(weights) {
        assert!((f64::from(*share) / (weight / sum) - 1.0).abs() < 2e-3);
    }
    assert!(network.policy(&hidden, &at, &[]).is_empty());
}

/// The steps of the CDF keep the masses, each within half a step, and with them the mean.
#[test]
fn a_belief_keeps_its_masses_and_its_mean() {
    let (learned, grid) = (Learned::default(), Grid::sinh());
    let shape = |bias| LeafShape {
        width: Width::Fitted,
        bias,
    };
    for line in GOLDEN.lines().take(40) {
        let at = position(line.split('\t').next().unwrap_or_default());
        let state = learned.start(&at);
        let value = learned.value(&state, &at);
        assert!(!value.is_decided() && value.raw().abs() <= 10_000);
        let belief = learned.belief(&state, &at, value, &shape(0.0));
        assert_eq!((belief.0[0], belief.0[BINS - 1]), (0, u16::MAX));
        assert!(belief.0[..BINS].is_sorted());
        let density = Density::from(&belief);
        assert!((density.mean(&grid) - belief.mean(&grid)).abs() < 1e-5);
        let higher = learned.belief(&state, &at, value, &shape(0.27));
        assert!(higher.mean(&grid) > belief.mean(&grid), "{}", at.fen());
        assert_eq!(higher.0[LANES - 1], 0);
        let won = learned.belief(&state, &at, Score::win_in(3), &shape(0.0));
        assert_eq!(won.is_atom(), Some(BINS - 1));
    }
}
