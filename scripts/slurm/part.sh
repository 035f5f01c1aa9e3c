#!/bin/bash
#SBATCH --job-name=tare
#SBATCH --cpus-per-task=4
#SBATCH --requeue
#SBATCH --open-mode=append
# One part of a run, as a task of a job array: part.sh PARTS FOLDER ARGUMENTS OF tare run...
# A part that was stopped goes on where it was when it is submitted again:
#   sbatch --array=3,5 scripts/slurm/part.sh 8 FOLDER ARGUMENTS...
# TARE names the program where it is not in PATH.
set -euo pipefail
parts=$1 folder=$2
shift 2
part=$SLURM_ARRAY_TASK_ID
# A database that several machines write needs a local disk, so the parts share no response cache.
exec "${TARE:-tare}" run --cache off --threads "${SLURM_CPUS_PER_TASK:-1}" "$@" \
  --shard "$part/$parts" --output "$folder/part-$part"
