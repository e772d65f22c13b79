"""A decoder-only language model, with cached generation."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.nn.arguments import has_numbers, read_batch, read_counts, require_generator
from course_lib.nn.embedding import TokenEmbedding
from course_lib.nn.kv_cache import KVCache
from course_lib.nn.positions import SinusoidalPositions
from course_lib.nn.stack import Decoder


class LanguageModel(nn.Module):
    """Tokens in, logits of each next token out. `options` are `TransformerBlock`'s."""

    def __init__(
        self,
        V: int,
        d_model: int,
        num_heads: int,
        d_ff: int,
        num_layers: int,
        max_tokens: int,
        **options,
    ) -> None:
        super().__init__()
        self.max_tokens = max_tokens
        self.embedding = TokenEmbedding(V, d_model)
        self.positions = SinusoidalPositions(max_tokens, d_model)
        self.decoder = Decoder(num_layers, d_model, num_heads, d_ff, **options)
        self.to_logits = nn.Linear(d_model, V, bias=False)

    def forward(
        self,
        tokens: Int[Tensor, "B T"],
        *,
        padding: Int[Tensor, "B"] | None = None,
        caches: list[KVCache] | None = None,
    ) -> Float[Tensor, "B T V"]:
        """Row t of the logits rates the token that follows token t.

        padding: how many tokens at the left of each sequence are filling; they are not looked at,
            and positions are counted from the first real token.
        caches: one for each block, of the tokens so far (`new_caches`); `tokens` come after them.
        """
        tokens = read_batch("tokens", tokens)
        past = self.decoder.cached_tokens(caches)
        S = past + tokens.shape[1]
        if self.max_tokens < S:
            raise ValueError(f"{S} tokens are more than max_tokens = {self.max_tokens}")
        start: int | Tensor = past
        attn_mask = None
        if padding is not None:
            limit = self.max_tokens
            padding = read_counts("padding", padding, f"max_tokens = {limit}", limit)
            if padding.shape != tokens.shape[:1]:
                raise ValueError(f"padding has {len(padding)} numbers for {len(tokens)} sequences")
            start = past - padding
            attn_mask = torch.arange(S, device=tokens.device) >= padding[:, None, None]
        x = self.positions(self.embedding(tokens), start)
        return self.to_logits(self.decoder(x, attn_mask, caches=caches))

    def new_caches(self) -> list[KVCache]:
        """An empty cache for each block. Each text needs its own."""
        return self.decoder.new_caches()

    @torch.no_grad()
    def generate(
        self,
        prompt: Int[Tensor, "B T"],
        num_tokens: int,
        *,
        padding: Int[Tensor, "B"] | None = None,
        use_cache: bool = True,
        generator: torch.Generator | None = None,
    ) -> Int[Tensor, "B T_all"]:
        """The prompt and `num_tokens` more: the likeliest each time, or drawn with `generator`.

        padding: as in `forward`; filler belongs to the left, where no new token comes after it.
        Dropout acts until `eval()` is called, as in every module.
        """
        prompt = read_batch("prompt", prompt)
        B, T = prompt.shape
        if T == 0 or num_tokens < 0:
            raise ValueError(
                "writing needs a prompt of at least one token and num_tokens ≥ 0, got shape "
                f"{(B, T)} and {num_tokens}"
            )
        if padding is not None:
            padding = read_counts("padding", padding, f"the {T} tokens of the prompt", T)
        if generator is not None:
            require_generator(generator)
        caches = self.new_caches() if use_cache else None
        tokens = new = prompt
        for _ in range(num_tokens):
            logits = self(new if use_cache else tokens, padding=padding, caches=caches)[:, -1]
            if generator is None:
                new = likeliest(logits)[:, None]
            else:
                probabilities = logits.softmax(dim=-1).to(generator.device)
                new = torch.multinomial(probabilities, 1, generator=generator).to(tokens.device)
            tokens = torch.cat([tokens, new], dim=1)
        return tokens


def likeliest(logits: Float[Tensor, "B V"]) -> Int[Tensor, "B"]:
    """The best-rated token of each text; refused where a rating is NaN, which argmax would take."""
    lost = logits.isnan().any(dim=-1)
    if has_numbers(lost) and lost.any():
        raise ValueError(
            f"no token is the likeliest: the ratings of {int(lost.sum())} of {len(lost)} texts "
            "hold NaN"
        )
    return logits.argmax(dim=-1)
