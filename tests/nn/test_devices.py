"""Nothing is tied to the CPU: meta device, autocast, compilation, tensors given a device."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import course_lib.nn
from course_lib.nn import (
    Encoder,
    EncoderDecoder,
    LanguageModel,
    LearnedPositions,
    MultiHeadAttention,
    TransformerBlock,
    cross_entropy,
    default_device,
    devices,
    initialise,
    padding_mask,
)
from tests.nn.helpers import assert_same

META = torch.device("meta")
ACCELERATORS = devices.available_accelerators()
FACTORIES = {"arange", "zeros", "ones", "full", "eye", "tril_indices", "empty", "linspace", "rand"}


def test_every_module_runs_on_the_meta_device():  # G01, G02
    tokens = torch.zeros(2, 5, dtype=torch.long, device=META)
    x = torch.zeros(2, 5, 12, device=META)
    mask = padding_mask(torch.zeros(2, dtype=torch.long, device=META), 5)
    results = [
        MultiHeadAttention(12, 3).to(META)(x, attn_mask=mask, is_causal=True),
        MultiHeadAttention(12, 3).to(META).weights(x, attn_mask=mask, is_causal=True),
        Encoder(2, 12, 3, 17).to(META)(x, mask),
        TransformerBlock(12, 3, 17, d_memory=12).to(META)(x, is_causal=True, memory=x),
        LearnedPositions(7, 12).to(META)(x),
        LanguageModel(7, 12, 3, 17, 2, 9).to(META)(tokens, padding=tokens[:, 0]),
        EncoderDecoder(7, 7, 12, 3, 17, 2, 9).to(META)(tokens, tokens, mask),
    ]
    results.append(cross_entropy(results[-1], tokens, ignore_index=0))
    assert all(result.device == META for result in results)


def test_every_tensor_that_a_module_makes_is_given_a_device_or_belongs_to_a_parameter():  # G02
    found = []
    for path in Path(course_lib.nn.__file__).parent.glob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef) or function.name == "__init__":
                continue
            for call in ast.walk(function):
                if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
                    continue
                of_torch = isinstance(call.func.value, ast.Name) and call.func.value.id == "torch"
                names_device = any(k.arg == "device" for k in call.keywords)
                if of_torch and call.func.attr in FACTORIES and not names_device:
                    found.append(f"{path.name}:{call.lineno}")
    assert found == []


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_autocast_takes_boolean_masks_and_float32_biases(dtype):  # G03
    attention, x = MultiHeadAttention(12, 3), torch.randn(2, 5, 12)
    mask = torch.ones(5, 5, dtype=torch.bool).tril()
    with torch.autocast("cpu", dtype=dtype):
        output = attention(x, attn_mask=mask, bias=torch.zeros(5, 5))
        weights = attention.weights(x, attn_mask=mask, bias=torch.zeros(5, 5))
    assert output.dtype == dtype
    torch.testing.assert_close(output.float(), attention(x, attn_mask=mask), atol=0.02, rtol=0.02)
    assert (weights.triu(1) == 0).all()


COMPILED = """
import torch
from course_lib.nn import LanguageModel, TransformerBlock, padding_mask

block = TransformerBlock(12, 3, 17, d_memory=12)
x, mask = torch.randn(2, 5, 12), padding_mask(torch.tensor([5, 3]), 5)
for options in ({}, {"is_causal": True}, {"attn_mask": mask, "is_causal": True}):
    options |= {"memory": x}
    compiled = torch.compile(block, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(x, **options), block(x, **options))
compiled = torch.compile(padding_mask, fullgraph=True, backend="aot_eager")
assert torch.equal(compiled(torch.tensor([5, 3]), 5), mask)

B, T = torch.export.Dim("B", max=64), torch.export.Dim("T", max=9)
model, tokens, padding = LanguageModel(7, 12, 3, 17, 1, 9), torch.ones(2, 5).long(), torch.arange(2)
exported = torch.export.export(
    model,
    (tokens,),
    {"padding": padding},
    dynamic_shapes={"tokens": {0: B, 1: T}, "padding": {0: B}},
).module()
tokens, padding = torch.arange(24).reshape(3, 8) % 7, torch.tensor([2, 0, 5])
torch.testing.assert_close(exported(tokens, padding=padding), model(tokens, padding=padding))
print("compiled")
"""


def test_models_compile_to_one_graph_and_are_exported_for_all_sizes():
    # In a process of its own: the annotations that these tests enforce can't be traced.
    command = [sys.executable, "-c", COMPILED]
    result = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert result.stdout.strip() == "compiled", result.stderr[-2000:]


def test_without_an_accelerator_the_device_is_the_cpu(monkeypatch):
    monkeypatch.setattr(devices, "available_accelerators", list)
    assert default_device() == torch.device("cpu")


def test_an_accelerator_that_computes_wrongly_is_passed_over(monkeypatch):  # G07, G08
    monkeypatch.setattr(devices, "available_accelerators", lambda: ["mps"])
    monkeypatch.setattr(devices, "difference_from_cpu", lambda device: 0.5)
    with pytest.warns(UserWarning, match=r"mps differs from the CPU by 0\.5"):
        assert default_device() == torch.device("cpu")
    monkeypatch.setattr(devices, "difference_from_cpu", lambda device: 1e-6)
    assert default_device() == torch.device("mps")


def test_an_accelerator_that_cannot_compute_is_passed_over(monkeypatch):  # G07
    def fails(device):
        raise RuntimeError("CUDA error: no kernel image is available for the device\nAnd so on.")

    monkeypatch.setattr(devices, "available_accelerators", lambda: ["cuda"])
    monkeypatch.setattr(devices, "difference_from_cpu", fails)
    with pytest.warns(
        UserWarning,
        match="cuda fails: CUDA error: no kernel image is available for the device; computing",
    ):
        assert default_device() == torch.device("cpu")


def test_the_cpu_is_the_measure_whatever_the_default_device_is():
    with torch.device("meta"):
        assert devices.difference_from_cpu(torch.device("cpu")) == 0


def test_gradients_are_compared_where_none_are_recorded():
    for nothing_recorded in (torch.no_grad, torch.inference_mode):
        with nothing_recorded():
            assert devices.difference_from_cpu(torch.device("cpu")) == 0


def test_an_accelerator_is_tried_in_float32_whatever_the_default_type_is(monkeypatch):
    seen, before = [], torch.get_default_dtype()
    note = "scaled_dot_product_attention", lambda q, k, v, is_causal: seen.append(q.dtype) or q
    monkeypatch.setattr(devices.F, *note)
    torch.set_default_dtype(torch.float64)  # which MPS lacks
    try:
        devices.difference_from_cpu(torch.device("cpu"))
    finally:
        torch.set_default_dtype(before)
    assert seen == [torch.float32] * 2


def test_an_accelerator_whose_attention_lets_later_tokens_through_is_noticed(monkeypatch):  # G08
    right, calls = torch.nn.functional.scaled_dot_product_attention, []

    def leaks_the_second_time(q, k, v, is_causal):
        calls.append(1)
        return right(q, k, v, is_causal=is_causal and len(calls) == 1)

    monkeypatch.setattr(devices.F, "scaled_dot_product_attention", leaks_the_second_time)
    assert devices.difference_from_cpu(torch.device("cpu")) > devices.TOLERANCE


@pytest.mark.parametrize("factor", [0.5, float("nan")])
def test_an_accelerator_whose_gradients_are_wrong_is_noticed(monkeypatch, factor):  # G08
    class SpoilsTheGradient(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, gradient):
            return factor * gradient

    right, calls = torch.nn.functional.scaled_dot_product_attention, []

    def spoils_the_second_time(q, k, v, is_causal):
        calls.append(1)
        output = right(q, k, v, is_causal=is_causal)
        return output if len(calls) == 1 else SpoilsTheGradient.apply(output)

    monkeypatch.setattr(devices.F, "scaled_dot_product_attention", spoils_the_second_time)
    with torch.no_grad():
        difference = devices.difference_from_cpu(torch.device("cpu"))
    assert not difference <= devices.TOLERANCE


def test_the_cpu_agrees_with_itself():
    assert devices.difference_from_cpu(torch.device("cpu")) == 0


@pytest.mark.gpu
@pytest.mark.skipif(not ACCELERATORS, reason="no accelerator here")
def test_the_models_agree_on_the_accelerator_and_the_cpu():  # G05
    device = torch.device(ACCELERATORS[0])
    torch.set_float32_matmul_precision("highest")
    transformer = EncoderDecoder(7, 11, 24, 3, 31, 2, 19).eval()
    source, target = torch.arange(10).reshape(2, 5) % 7, torch.arange(14).reshape(2, 7) % 11
    mask = padding_mask(torch.tensor([5, 3]), 5)
    here = transformer(source, target, mask)
    there = transformer.to(device)(source.to(device), target.to(device), mask.to(device))
    assert_same(there.cpu(), here, tolerance=1e-4)


@pytest.mark.gpu
@pytest.mark.skipif(not ACCELERATORS, reason="no accelerator here")
def test_a_generator_of_the_cpu_draws_the_same_weights_and_texts_on_the_accelerator():
    device = torch.device(ACCELERATORS[0])
    models = [LanguageModel(7, 24, 3, 31, 2, 19).to(place).eval() for place in ("cpu", device)]
    drawn = []
    for model in models:
        generator = torch.Generator().manual_seed(0)
        initialise(model, generator)
        prompt = torch.zeros(2, 1, dtype=torch.long, device=model.to_logits.weight.device)
        drawn.append(model.generate(prompt, 9, generator=generator))
    here, there = models
    for name, weights in here.state_dict().items():
        assert torch.equal(there.state_dict()[name].cpu(), weights), name
    assert drawn[1].device.type == device.type
    assert torch.equal(drawn[1].cpu(), drawn[0])
