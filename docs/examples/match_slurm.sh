#!/bin/sh
#SBATCH --cpus-per-task=1 --requeue --open-mode=append --output=part-%a.txt
exec jantaku $MATCH --workers 0 --quiet --part "$SLURM_ARRAY_TASK_ID/$PARTS" --out "parts/$SLURM_ARRAY_TASK_ID"
