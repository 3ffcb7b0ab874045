"""A net that imitates the players of records: `python imitate.py records/ student.safetensors 3`, with torch.

It reads samples of `mortal-3`, trains two convolutions and a dense layer for so many rounds, and writes a file that
sits down: `jantaku play --players net:student.safetensors,shanten,shanten,shanten`.
"""

import sys

import torch
from torch import nn

from jantaku.table.learn.nets import save
from jantaku.table.learn.samples import Samples

WIDTH = 48
LAYERS = ["conv", "relu", "conv", "relu", "flat", "dense"]
net = nn.Sequential(
    nn.Conv1d(934, WIDTH, 3, padding=1),
    nn.ReLU(),
    nn.Conv1d(WIDTH, WIDTH, 3, padding=1),
    nn.ReLU(),
    nn.Flatten(),
    nn.Linear(WIDTH * 34, 46),
)


def train(records: str, rounds: int) -> None:
    """Learn the answers of all players, and print after every round how many are predicted."""
    torch.manual_seed(1)
    learner = torch.optim.Adam(net.parameters(), 1e-3)
    for number in range(rounds):
        right = count = 0
        for rows in Samples([records], encoder="mortal-3", seed=number, batch=256):
            obs, mask, label = map(torch.from_numpy, (rows.obs, rows.mask, rows.label))
            values = net(obs).masked_fill(~mask, -1e9)
            loss = nn.functional.cross_entropy(values, label)
            learner.zero_grad()
            loss.backward()
            learner.step()
            right, count = right + int((values.argmax(1) == label).sum()), count + len(label)
        for group in learner.param_groups:
            group["lr"] /= 3
        print(f"round {number + 1}: {count} samples, {right / count:.1%} predicted", flush=True)


if __name__ == "__main__":
    records, out, rounds = sys.argv[1:]
    train(records, int(rounds))
    save(out, "mortal-3", LAYERS, {name: one.detach().numpy() for name, one in net.named_parameters()})
