"""Who sits down: how a player is named, on what terms it sits, and how its class is found."""
