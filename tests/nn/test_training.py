"""The training loop and the drawing of weights."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.func import functional_call, grad, vmap
from torch.nn.attention import SDPBackend, sdpa_kernel

from course_lib.nn import (
    LanguageModel,
    LearnedPositions,
    TransformerBlock,
    cross_entropy,
    initialise,
    train,
)


def trained(seed: int) -> tuple[list[float], nn.Module]:
    generator = torch.Generator().manual_seed(seed)
    model = LanguageModel(5, 8, 2, 16, 1, 9)
    initialise(model, generator)
    batches = [torch.randint(5, (4, 1), generator=generator).expand(4, 9) for _ in range(30)]
    optimiser = torch.optim.AdamW(model.parameters(), lr=3e-2)
    schedule = torch.optim.lr_scheduler.ConstantLR(optimiser, factor=1.0)

    def loss_of(model, batch):
        return cross_entropy(model(batch[:, :-1]), batch[:, 1:])

    return train(model, batches, loss_of, optimiser, schedule), model


def test_training_lowers_the_loss_and_repeats_to_the_bit():
    losses, model = trained(0)
    assert len(losses) == 30
    assert losses[-1] < 0.2 < 1 < losses[0]
    assert not model.training
    assert trained(0)[0] == losses
    assert trained(1)[0] != losses


def test_drawing_weights_touches_no_global_seed_and_leaves_gains_at_one():
    block, positions = TransformerBlock(8, 2, 16), LearnedPositions(5, 8)
    before = torch.get_rng_state()
    tables = []
    for seed in (0, 0, 1):
        initialise(nn.ModuleList([block, positions]), torch.Generator().manual_seed(seed))
        tables.append(positions.table.detach().clone())
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.equal(tables[0], tables[1])
    assert not torch.equal(tables[0], tables[2])
    assert (block.attention_norm.weight == 1).all()
    assert (block.feed_forward.layer_1.bias == 0).all()
    assert 0.1 < block.attention.W_Q.weight.std() < 1


def test_a_seed_in_place_of_a_generator_is_refused_with_the_way_to_make_one(refuses):
    model = LanguageModel(5, 8, 2, 16, 1, 9)
    message = "generator must be a torch.Generator, got int; torch.Generator().manual_seed(3)"
    with refuses(message):
        initialise(model, 3)
    with refuses(message):
        model.generate(torch.tensor([[1]]), 2, generator=3)
    with refuses("generator must be a torch.Generator, got Generator"):
        initialise(model, np.random.default_rng(3))


def test_dropout_draws_from_the_global_generator():
    block, x = TransformerBlock(8, 2, 16, dropout=0.5), torch.ones(1, 3, 8)
    with torch.random.fork_rng():
        one, other, again = (torch.manual_seed(seed) and block(x) for seed in (0, 1, 0))
    assert torch.equal(one, again)
    assert not torch.equal(one, other)


def test_drawing_the_weights_of_a_trained_model_leaves_nothing_of_its_training():
    _, model = trained(0)
    fresh = LanguageModel(5, 8, 2, 16, 1, 9)
    for either in (model, fresh):
        initialise(either, torch.Generator().manual_seed(1))
    for name, weights in model.state_dict().items():
        assert torch.equal(weights, fresh.state_dict()[name]), name


def test_a_model_that_was_made_on_the_meta_device_is_as_good_as_any_once_it_is_drawn():
    with torch.device("meta"):
        model = LanguageModel(5, 8, 2, 16, 1, 9)
    model.to_empty(device="cpu")
    for tensor in (*model.parameters(), *model.buffers()):
        tensor.detach().fill_(float("nan"))  # anything may stand there
    fresh = LanguageModel(5, 8, 2, 16, 1, 9)
    for either in (model, fresh):
        initialise(either, torch.Generator().manual_seed(1))
    tokens = torch.tensor([[1, 0, 4]])
    assert torch.equal(model(tokens), fresh(tokens))


def test_a_model_that_was_made_on_the_meta_device_is_as_good_as_any_once_weights_are_loaded():
    with torch.device("meta"):
        model = LanguageModel(5, 8, 2, 16, 1, 9)
    model.to_empty(device="cpu")
    model.positions.table.fill_(float("nan"))  # anything may stand there, and no checkpoint has it
    saved = LanguageModel(5, 8, 2, 16, 1, 9)
    model.load_state_dict(saved.state_dict())
    tokens = torch.tensor([[1, 0, 4]])
    assert torch.equal(model(tokens), saved(tokens))


@pytest.mark.parametrize("first", ["table", "layer"])
def test_weights_that_an_embedding_and_a_linear_layer_share_are_drawn_as_the_embedding_s(first):
    embedding, layer = nn.Embedding(997, 64), nn.Linear(64, 997)
    layer.weight = embedding.weight
    order = [embedding, layer] if first == "table" else [layer, embedding]
    initialise(nn.Sequential(*order), torch.Generator().manual_seed(0))
    assert layer.weight is embedding.weight
    assert embedding.weight.std().item() == pytest.approx(1 / 8, rel=0.02)
    assert (layer.bias == 0).all()


@pytest.mark.parametrize(
    ("module", "message"),
    [
        (nn.RNN(3, 4, bias=False), "draw weight_ih_l0, weight_hh_l0 of the model (RNN)"),
        (nn.Sequential(nn.Conv1d(3, 4, 2)), "draw weight, bias of 0 (Conv1d)"),
    ],
)
def test_weights_that_it_has_no_rule_for_are_refused_and_not_left_as_they_are(
    module, message, refuses
):
    with refuses(message):
        initialise(module, torch.Generator().manual_seed(0))


def test_the_optimiser_and_the_schedule_step_once_for_each_batch():
    model = nn.Linear(1, 1, bias=False)
    model.weight.data.fill_(1.0)
    optimiser = torch.optim.SGD(model.parameters(), lr=1.0)
    schedule = torch.optim.lr_scheduler.StepLR(optimiser, step_size=1, gamma=0.5)
    losses = train(model, [1.0, 1.0], lambda m, x: m.weight.sum() * x, optimiser, schedule)
    assert losses == [1.0, 0.0]
    assert model.weight.item() == 1.0 - 1.0 - 0.5


def test_batches_may_come_from_a_loader_that_does_not_know_how_many():
    class Stream(torch.utils.data.IterableDataset):
        def __iter__(self):
            yield from (1.0, 2.0, 3.0)

    model = nn.Linear(1, 1, bias=False)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.0)
    loader = torch.utils.data.DataLoader(Stream(), batch_size=None)
    for batches in (loader, iter(loader)):
        assert len(train(model, batches, lambda m, x: m.weight.sum() * x, optimiser)) == 3


def test_drawing_over_the_row_of_padding_fills_it_and_learning_will_not_clear_it():  # F05
    embedding = nn.Embedding(5, 4, padding_idx=2)
    nn.init.normal_(embedding.weight, generator=torch.Generator().manual_seed(0))
    embedding(torch.tensor([2, 3])).sum().backward()
    assert (embedding.weight[2] != 0).all()
    assert embedding.weight.grad.tolist() == [[0.0] * 4] * 3 + [[1.0] * 4] + [[0.0] * 4]


def test_drawing_weights_leaves_the_row_of_padding_zero():  # F05
    embedding = nn.Embedding(5, 4, padding_idx=2)
    initialise(embedding, torch.Generator().manual_seed(0))
    assert (embedding.weight != 0).all(dim=1).tolist() == [True, True, False, True, True]
    assert (embedding.weight[2] == 0).all()
    assert embedding.weight.is_leaf
    assert embedding.weight.requires_grad


def test_the_gradients_of_each_text_alone_come_from_vmap_as_from_a_loop(refuses):
    model = LanguageModel(7, 12, 3, 17, 1, 9)
    parameters = dict(model.named_parameters())
    texts, padding = torch.arange(24).reshape(4, 6) % 7, torch.tensor([[0], [3], [1], [0]])

    def loss_of(parameters, text, padding):
        logits = functional_call(model, parameters, (text[None, :-1],), {"padding": padding})
        return cross_entropy(logits, text[None, 1:], ignore_index=0)

    with sdpa_kernel(SDPBackend.MATH):  # the fused kernel of the CPU warns that it is slow here
        together = vmap(grad(loss_of), (None, 0, 0))(parameters, texts, padding)
        for i, (text, fill) in enumerate(zip(texts, padding, strict=True)):
            for name, gradient in grad(loss_of)(parameters, text, fill).items():
                torch.testing.assert_close(together[name][i], gradient)
    with refuses("target 7 is not among the V = 7 tokens"):  # there is a number to look at
        grad(lambda logits: cross_entropy(logits, torch.tensor([3, 7])))(torch.zeros(2, 7))
