"""What a learner writes to train the notebook's reader, in the cell for it."""

STEPS = 600
generator = torch.Generator().manual_seed(1)
device = default_device()
tokens, answers = (torch.from_numpy(table).to(device) for table in (TOKENS, ANSWERS))


def batches(steps, generator):
    """Rows of the training texts: three quarters of each batch by role, one quarter by kind."""
    kinds = ((BY_ROLE, 48), (~BY_ROLE, 16))
    sources = [(torch.from_numpy(np.flatnonzero(~HELD_OUT & kind)), n) for kind, n in kinds]
    for _ in range(steps):
        drawn = [torch.randint(len(rows), (n,), generator=generator) for rows, n in sources]
        yield torch.cat([rows[picked] for (rows, _), picked in zip(sources, drawn, strict=True)])


def loss_of(model, rows):
    return cross_entropy(model(tokens[rows])[:, IT], answers[rows])


optimiser = torch.optim.AdamW(reader.parameters(), 4e-3, betas=(0.9, 0.95), weight_decay=0.1)
schedule = torch.optim.lr_scheduler.LambdaLR(
    optimiser, lambda step: min((step + 1) / 50, 1, 10 - 10 * step / STEPS)
)
train(reader, batches(STEPS, generator), loss_of, optimiser, schedule)
