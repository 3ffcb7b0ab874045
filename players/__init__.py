"""The players that are included: bots that play, broken ones for tests, and the base class for your own."""

import table as table  # decides whether the compiled core is used, before anything of that is imported
