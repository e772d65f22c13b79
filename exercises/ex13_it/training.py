"""The cells of a solution that are not checked themselves: the model, and its training."""

import numpy as np
import torch
from torch import nn

from course_lib.data import pronouns
from course_lib.data.pronouns import IT, PADDING
from course_lib.nn import Encoder, TokenEmbedding, cross_entropy, initialise, train
from course_lib.nn.to_reference import block_weights, norm_weights
from course_lib.reference import BlockWeights, FeedForwardWeights, NormWeights, Projections

LANGUAGE = "en"
BY_KIND, BY_ROLE = pronouns.kind_sentences(), pronouns.role_sentences()
TEXTS = [*BY_KIND, *BY_ROLE]
TOKENS = torch.from_numpy(pronouns.encode(TEXTS, LANGUAGE))
ANSWERS = torch.from_numpy(pronouns.answers(TEXTS, LANGUAGE))
HELD_OUT = np.array([text.is_held_out for text in TEXTS])
V, T = len(pronouns.vocabulary(LANGUAGE)), TOKENS.shape[1]


class Reader(nn.Module):
    """Rates all words at every position; what counts is the rating at "it"."""

    def __init__(self, num_layers: int = 2, num_heads: int = 4, d_model: int = 48) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.embedding = TokenEmbedding(V, d_model)
        self.positions = TokenEmbedding(T, d_model)
        self.stack = Encoder(num_layers, d_model, num_heads, 2 * d_model)
        self.to_words = nn.Linear(d_model, V, bias=False)

    def forward(self, tokens):
        """The ratings, (B, T, V); nobody looks at padding."""
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        x = self.embedding(tokens) + self.positions(positions)
        return self.to_words(self.stack(x, (tokens != PADDING)[:, None]))


def as_arrays(reader):
    """The reader as plain numbers, so that NumPy can read with it."""
    with torch.no_grad():
        embedding = reader.embedding(torch.arange(V)).numpy()
        positions = reader.positions(torch.arange(T)).numpy()
    blocks = tuple(tuple(map(tuple, block_weights(block))) for block in reader.stack.blocks)
    final_norm = tuple(norm_weights(reader.stack.final_norm))
    to_words = reader.to_words.weight.detach().numpy().T
    return reader.num_heads, embedding, positions, blocks, final_norm, to_words


def as_weights(block):
    """The arrays of one block, as `course_lib.reference` takes them."""
    attention, attention_norm, feed_forward, feed_forward_norm = block
    return BlockWeights(
        Projections(*attention),
        NormWeights(*attention_norm),
        FeedForwardWeights(*feed_forward),
        NormWeights(*feed_forward_norm),
    )


def batches(steps, generator):
    """Rows of the training texts: three quarters of each batch by role, one quarter by kind."""
    training = torch.from_numpy(np.flatnonzero(~HELD_OUT))
    by_kind = training < len(BY_KIND)
    for _ in range(steps):
        drawn = [
            rows[torch.randint(len(rows), (count,), generator=generator)]
            for rows, count in ((training[by_kind], 16), (training[~by_kind], 48))
        ]
        yield torch.cat(drawn)


def train_reader(steps=600):
    generator = torch.Generator().manual_seed(1)
    model = Reader()
    initialise(model, generator)
    optimiser = torch.optim.AdamW(model.parameters(), 4e-3, betas=(0.9, 0.95), weight_decay=0.1)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda i: min((i + 1) / 50, 1, 10 - 10 * i / steps)
    )

    def loss_of(model, rows):
        return cross_entropy(model(TOKENS[rows])[:, IT], ANSWERS[rows])

    train(model, batches(steps, generator), loss_of, optimiser, schedule)
    return model


reader = train_reader()
