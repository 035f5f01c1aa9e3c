#!/bin/bash
#SBATCH --job-name=tare-merge
#SBATCH --cpus-per-task=1
# Unites the parts in FOLDER into FOLDER/results: merge.sh FOLDER ARGUMENTS OF tare merge...
set -euo pipefail
folder=$1
shift
exec "${TARE:-tare}" merge "$folder"/part-*/ --output "$folder/results" "$@"
