"""The full Transformer of 2017: an encoder reads the source, a decoder writes the target."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.nn.arguments import read_batch
from course_lib.nn.embedding import TokenEmbedding
from course_lib.nn.kv_cache import KVCache
from course_lib.nn.language_model import likeliest
from course_lib.nn.positions import SinusoidalPositions
from course_lib.nn.stack import Decoder, Encoder


class EncoderDecoder(nn.Module):
    """Source tokens and the target so far in, logits of each next target token out.

    `options` are `TransformerBlock`'s.
    """

    def __init__(
        self,
        source_V: int,
        target_V: int,
        d_model: int,
        num_heads: int,
        d_ff: int,
        num_layers: int,
        max_tokens: int,
        **options,
    ) -> None:
        super().__init__()
        self.max_tokens = max_tokens
        sizes = (num_layers, d_model, num_heads, d_ff)
        self.source_embedding = TokenEmbedding(source_V, d_model)
        self.target_embedding = TokenEmbedding(target_V, d_model)
        self.positions = SinusoidalPositions(max_tokens, d_model)
        self.encoder = Encoder(*sizes, **options)
        self.decoder = Decoder(*sizes, d_memory=d_model, **options)
        self.to_logits = nn.Linear(d_model, target_V, bias=False)

    def forward(
        self,
        source: Int[Tensor, "B S"],
        target: Int[Tensor, "B T"],
        source_mask: Bool[Tensor, "B 1 S"] | None = None,
    ) -> Float[Tensor, "B T V"]:
        """Row t of the logits rates the token that follows target token t (teacher forcing).

        source_mask: True at the real tokens of the source (`padding_mask`).
        """
        return self.decode(target, self.encode(source, source_mask), source_mask)

    def encode(
        self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B 1 S"] | None = None
    ) -> Float[Tensor, "B S d_model"]:
        """The memory that the decoder reads: one vector for each source token."""
        source = read_batch("source", source)
        B, S = source.shape
        if source_mask is not None and source_mask.shape != (B, 1, S):
            raise ValueError(
                f"source_mask must have shape (B, 1, S) = {(B, 1, S)}, got "
                f"{tuple(source_mask.shape)}"
            )
        return self.encoder(self.positions(self.source_embedding(source)), source_mask)

    def decode(
        self,
        target: Int[Tensor, "B T"],
        memory: Float[Tensor, "B S d_model"],
        source_mask: Bool[Tensor, "B 1 S"] | None = None,
        *,
        caches: list[KVCache] | None = None,
    ) -> Float[Tensor, "B T V"]:
        """Logits of the token after each target token; `target` comes after what is cached."""
        target = read_batch("target", target)
        past = self.decoder.cached_tokens(caches)
        x = self.positions(self.target_embedding(target), past)
        x = self.decoder(x, memory=memory, memory_mask=source_mask, caches=caches)
        return self.to_logits(x)

    @torch.no_grad()
    def greedy_decode(
        self,
        source: Int[Tensor, "B S"],
        start_token: int,
        end_token: int,
        source_mask: Bool[Tensor, "B 1 S"] | None = None,
    ) -> Int[Tensor, "B T"]:
        """The likeliest token each time, after `start_token`, until every row has its `end_token`.

        A row that has ended goes on with `end_token`.
        """
        if not 0 <= end_token < self.to_logits.out_features:
            raise ValueError(
                f"end_token = {end_token} is not among the {self.to_logits.out_features} tokens"
            )
        memory = self.encode(source, source_mask)
        caches = self.decoder.new_caches()
        new = torch.full((len(source), 1), start_token, device=source.device)
        ended = torch.zeros_like(new, dtype=torch.bool)
        written = new[:, :0]
        while written.shape[1] < self.max_tokens and not ended.all():
            logits = self.decode(new, memory, source_mask, caches=caches)
            new = likeliest(logits[:, -1])[:, None].masked_fill(ended, end_token)
            ended = ended | (new == end_token)
            written = torch.cat([written, new], dim=1)
        return written
