#!/bin/bash
# Runs an evaluation in parts on a Slurm cluster: submit.sh PARTS FOLDER ARGUMENTS OF tare run...
# FOLDER is seen by all nodes; it gets part-1 to part-N, their logs, and the results in FOLDER/results.
# What a job needs stands in the first lines of part.sh and merge.sh; SBATCH_PARTITION,
# SBATCH_ACCOUNT, SBATCH_TIMELIMIT and the like add to them.
set -euo pipefail
if [ $# -lt 3 ] || ! [ "$1" -ge 1 ] 2>/dev/null; then
  echo "usage: $0 PARTS FOLDER --model gguf:FILE --tasks NAMES ..." >&2
  exit 2
fi
parts=$1 folder=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
array=$(sbatch --parsable --array="1-$parts" --output "$folder/part-%a.log" \
  "$here/part.sh" "$parts" "$folder" "$@")
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes \
  --output "$folder/merge.log" "$here/merge.sh" "$folder")
echo "job $array computes $parts parts, then job $merge puts the results into $folder/results"
