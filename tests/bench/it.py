"""The model of the last chapter: time to 99 % on pairs never seen, beside PyTorch's encoder."""

import copy
import os
from collections.abc import Callable, Iterator
from functools import partial

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.data import pronouns
from course_lib.data.pronouns import IT, PADDING, Sentence, kind_sentences, role_sentences
from course_lib.nn import (
    Encoder,
    TokenEmbedding,
    TransformerBlock,
    cross_entropy,
    initialise,
    train,
)
from tests.bench.measure import Row, compare

V = len(pronouns.vocabulary("en"))
T, D_MODEL, NUM_HEADS, D_FF, NUM_LAYERS = 10, 48, 4, 96, 2
BY_ROLE, BY_KIND = 48, 16  # sentences in a batch
SEED, WARM_UP, CHECK_EVERY, MOST_STEPS = 2, 50, 25, 1500

Examples = tuple[Int[Tensor, "n T"], Int[Tensor, "n"]]


class Reader(nn.Module):
    """Rates every token of the vocabulary at each position; at "it", as what "it" means."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = TokenEmbedding(V, D_MODEL)
        self.positions = TokenEmbedding(T, D_MODEL)
        self.stack = Encoder(NUM_LAYERS, D_MODEL, NUM_HEADS, D_FF)
        self.to_logits = nn.Linear(D_MODEL, V, bias=False)

    def embed(self, tokens: Int[Tensor, "B T"]) -> Float[Tensor, "B T d_model"]:
        return self.embedding(tokens) + self.positions(torch.arange(T))

    def forward(self, tokens: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        real = (tokens != PADDING)[:, None]
        return self.to_logits(self.stack(self.embed(tokens), real))


class TorchReader(nn.Module):
    """The same model with `nn.TransformerEncoder`, from the weights of a `Reader`."""

    def __init__(self, ours: Reader) -> None:
        super().__init__()
        self.ends = copy.deepcopy(ours)
        self.ends.stack = nn.Identity()
        layer = nn.TransformerEncoderLayer(
            D_MODEL, NUM_HEADS, D_FF, dropout=0.0, batch_first=True, norm_first=True
        )
        norm = nn.LayerNorm(D_MODEL)
        self.stack = nn.TransformerEncoder(layer, NUM_LAYERS, norm, enable_nested_tensor=False)
        for block, theirs in zip(ours.stack.blocks, self.stack.layers, strict=True):
            copy_block(block, theirs)

    def forward(self, tokens: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        filling = tokens == PADDING  # True means the opposite there
        x = self.stack(self.ends.embed(tokens), src_key_padding_mask=filling)
        return self.ends.to_logits(x)


def copy_block(ours: TransformerBlock, theirs: nn.TransformerEncoderLayer) -> None:
    """All weights; the biases of PyTorch's attention, which ours has not, are 0 and stay so."""
    attention, copied = theirs.self_attn, ours.attention
    packed = torch.cat([copied.W_Q.weight, copied.W_K.weight, copied.W_V.weight])
    with torch.no_grad():
        attention.in_proj_weight.copy_(packed)
        attention.out_proj.weight.copy_(copied.W_O.weight)
        for bias in (attention.in_proj_bias, attention.out_proj.bias):
            bias.zero_().requires_grad_(False)
    theirs.norm1.load_state_dict(ours.attention_norm.state_dict())
    theirs.norm2.load_state_dict(ours.feed_forward_norm.state_dict())
    theirs.linear1.load_state_dict(ours.feed_forward.layer_1.state_dict())
    theirs.linear2.load_state_dict(ours.feed_forward.layer_2.state_dict())


def examples(sentences: list[Sentence], *, held_out: bool) -> Examples:
    """Tokens and answers of the sentences whose nouns are held out, or of the others."""
    chosen = [sentence for sentence in sentences if sentence.is_held_out is held_out]
    tokens, answers = pronouns.encode(chosen, "en"), pronouns.answers(chosen, "en")
    return torch.from_numpy(tokens), torch.from_numpy(answers)


@torch.no_grad()
def accuracy(model: nn.Module, texts: Examples) -> float:
    """The share of sentences in which the noun that is meant gets the highest logit at "it"."""
    tokens, answers = texts
    was_training = model.training
    named = model.eval()(tokens)[:, IT].argmax(dim=-1)
    model.train(was_training)
    return (named == answers).double().mean().item()


def batches(model: nn.Module, generator: torch.Generator) -> Iterator[Examples]:
    """Training sentences at random, until 99 % of the held-out ones of each kind are right."""
    every = role_sentences(), kind_sentences()
    training = [examples(sentences, held_out=False) for sentences in every]
    unseen = [examples(sentences, held_out=True) for sentences in every]
    for step in range(MOST_STEPS):
        if step % CHECK_EVERY == 0 and all(accuracy(model, texts) >= 0.99 for texts in unseen):
            return
        drawn = []
        for (tokens, answers), count in zip(training, (BY_ROLE, BY_KIND), strict=True):
            picked = torch.randint(len(tokens), (count,), generator=generator)
            drawn.append((tokens[picked], answers[picked]))
        yield torch.cat([t for t, _ in drawn]), torch.cat([a for _, a in drawn])
    raise RuntimeError(f"99 % were not reached in {MOST_STEPS} steps")


def learn(build: Callable[[Reader], nn.Module]) -> None:
    """Train what `build` makes of a `Reader`, in float64, so that both take the same steps.

    In float32 rounding alone makes the one or the other find the answer many steps earlier.
    """
    generator = torch.Generator().manual_seed(SEED)
    ours = Reader()
    initialise(ours, generator)
    model = build(ours).double()
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(parameters, lr=4e-3, betas=(0.9, 0.95), weight_decay=0.1)
    warm_up = torch.optim.lr_scheduler.LinearLR(optimiser, 1 / WARM_UP, total_iters=WARM_UP)

    def loss_of(model: nn.Module, batch: Examples) -> Tensor:
        tokens, answers = batch
        return cross_entropy(model(tokens)[:, IT], answers)

    train(model, batches(model, generator), loss_of, optimiser, warm_up)


def rows() -> Iterator[Row]:
    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    yield compare(
        "training until 99 % of unseen pairs are right about “it”",
        partial(learn, lambda ours: ours),
        "the same model from nn.TransformerEncoder",
        partial(learn, TorchReader),
        limit=1.0,
        repetitions=5,
    )
