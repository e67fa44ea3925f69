"""The cross-encoder: all-MiniLM-L6-v2 with a three-way head over its pooled tokens."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn
from transformers import AutoModel

from calibration.nli_training.data import LABELS


class CrossEncoder(nn.Module):
    """Encoder, then mean of all token vectors beside the first one, then a linear layer."""

    def __init__(self, base: Path, *, attention: str = "sdpa") -> None:
        super().__init__()
        self.encoder = AutoModel.from_pretrained(
            base,
            add_pooling_layer=False,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
            attn_implementation=attention,
        )
        self.head = nn.Linear(2 * self.encoder.config.hidden_size, len(LABELS))
        for parameter in self.encoder.embeddings.parameters():
            parameter.requires_grad = False

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        hidden = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * mask).sum(1) / mask.sum(1)
        return self.head(torch.cat([mean, hidden[:, 0]], dim=-1))


def average(states: list[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """The mean of several checkpoints of one run (Wortsman et al. 2022, Model soups)."""
    return {
        name: torch.stack([state[name] for state in states]).mean(0)
        if tensor.is_floating_point()
        else tensor
        for name, tensor in states[0].items()
    }
