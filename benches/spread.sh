#!/bin/sh
# The experiments of the page on spread (docs/src/spread.md): tables on standard output, pictures in docs/src/images.
#
#     cargo build --profile dist && PLYSCOPE=target/dist/plyscope benches/spread.sh
#
# The labels of the nodes are in benches/spread. LABEL=1 makes them again, which takes some ten minutes on an idle core and
# needs zstd; every label is reproducible.
set -eu
cd "$(dirname "$0")/.."
plyscope=${PLYSCOPE:-target/release/plyscope}
data=benches/spread
images=docs/src/images
trees="$data/positions.fen --positions 145 --nodes 100k --draws 2 --seed 1 --set eval=hand --no-progress"

if [ "${LABEL:-0}" = 1 ]; then
    "$plyscope" lab plies $trees --label alpha-beta:eval=hand --label-nodes 30k --label-times 4 --write-labels "$data/alpha-beta.epd"
    zstd -19 --rm -f "$data/alpha-beta.epd"
fi

echo "== Truth: a longer alpha-beta with the same evaluation"
"$plyscope" lab plies $trees --labels "$data/alpha-beta.epd.zst" --fit --svg "$images/plies-alpha-beta.svg"
echo
echo "== Hidden refutations"
"$plyscope" lab refutation --trees 40 --nodes 40k --hidden 4 --seed 1 --no-progress --svg "$images/refutation.svg"
