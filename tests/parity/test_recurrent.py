"""The recurrent network against nn.RNN, and its gradients through time against autograd."""

import numpy as np
import pytest
import torch
from torch import nn

from course_lib.reference import last_state_jacobians, rnn_gradients, rnn_states
from tests.parity.helpers import agree, seeded, tensor, transposed


def theirs_and_weights():
    theirs = seeded(nn.RNN(3, 5, batch_first=True))
    with torch.no_grad():
        theirs.bias_hh_l0.zero_()  # nn.RNN adds two biases, of which one is enough
    W_x, W_h = transposed(theirs.weight_ih_l0), transposed(theirs.weight_hh_l0)
    return theirs, (W_x, W_h, theirs.bias_ih_l0.detach().numpy())


@pytest.mark.claim("B1", "B2")
@pytest.mark.parametrize("T", [1, 7])
def test_states_and_gradients_through_time(T):
    theirs, (W_x, W_h, b) = theirs_and_weights()
    rng = np.random.default_rng(1)
    x, grad_states = rng.normal(size=(T, 3)), rng.normal(size=(T, 5))
    z = tensor(x, grad=True)
    output, _ = theirs(z)
    states = rnn_states(x, W_x, W_h, b)
    agree(states, output)
    output.backward(tensor(grad_states))
    grad_x, grad_W_x, grad_W_h, grad_b = rnn_gradients(x, states, W_x, W_h, grad_states)
    agree(grad_x, z.grad)
    agree(grad_W_x, theirs.weight_ih_l0.grad.T)
    agree(grad_W_h, theirs.weight_hh_l0.grad.T)
    agree(grad_b, theirs.bias_ih_l0.grad)
    agree(grad_b, theirs.bias_hh_l0.grad)


@pytest.mark.claim("B1")
def test_jacobians_of_the_last_state():
    _, (W_x, W_h, b) = theirs_and_weights()
    x = np.random.default_rng(1).normal(size=(7, 3))
    states = rnn_states(x, W_x, W_h, b)
    ours = last_state_jacobians(states, W_h)
    for t in range(7):

        def last(h, t=t):
            for later in range(t + 1, 7):
                h = torch.tanh(tensor(x[later] @ W_x) + h @ tensor(W_h) + tensor(b))
            return h

        jacobian = torch.autograd.functional.jacobian(last, tensor(states[t]))
        agree(ours[t], jacobian.T)  # PyTorch's rows are the outputs, ours the inputs
