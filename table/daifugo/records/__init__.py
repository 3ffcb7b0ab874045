"""Records of 大富豪: journals, their replay, and what is shown of them."""
