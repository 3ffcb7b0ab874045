"""Programs that others might write: each tries one way out of the sandbox and plays on as if nothing were."""
