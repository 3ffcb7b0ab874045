"""What hanchan come to: sums, intervals, ratings, decision times, and when a match may stop early."""
