#!/usr/bin/env python3
"""Measures how long one MoE layer takes against active experts and batch, and writes constants for the simulator."""

import argparse
import statistics
import sys

import constants

MODELS = {
    # name: layers, hidden, intermediate, experts, top-k
    "qwen3-30b-a3b": (48, 2048, 768, 128, 8),
    "gpt-oss-120b": (36, 2880, 2880, 128, 4),
    "deepseek-v2-lite": (26, 2048, 1408, 64, 6),
    "olmoe-1b-7b": (16, 2048, 1024, 64, 8),
}


def integers(text):
    try:
        values = [int(part) for part in text.split(",")]
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be whole numbers like 1,8,64 but is '{text}'") from None
    if any(value < 1 for value in values):
        raise argparse.ArgumentTypeError(f"must be at least 1 each but is '{text}'")
    return sorted(set(values))


def parser():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--model", choices=sorted(MODELS), default="qwen3-30b-a3b", help="whose layer (default: %(default)s)")
    p.add_argument("--batches", type=integers, default=integers("1,8,16,32,64,128"), help="requests in a step")
    p.add_argument("--active", type=integers, help="distinct experts (default: a spread from top-k to all)")
    p.add_argument("--kernel", choices=["auto", "vllm", "loop"], default="auto",
                   help="vllm: vLLM's fused kernel; loop: one matrix product for each expert (default: vllm if installed)")
    p.add_argument("--copies", type=int, default=4,
                   help="layers that take turns, so that no cache keeps weights from one measurement to the next")
    p.add_argument("--repeats", type=int, default=50, help="timed passes for each point")
    p.add_argument("--warm-up", type=int, default=10, help="passes before")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--name", help="what reports call these constants (default: model and GPU)")
    p.add_argument("--out", required=True, help="JSON file to write")
    return p


def spread(top_k, experts):
    """Six or so counts from one token's to all."""
    return sorted({top_k, *(max(top_k, experts * eighth // 8) for eighth in (1, 2, 3, 4, 6, 8))})


def import_torch():
    try:
        import torch
    except ImportError:
        sys.exit("moe-layer-bench: PyTorch is not installed (pip install torch)")
    if not torch.cuda.is_available():
        sys.exit("moe-layer-bench: PyTorch sees no GPU")
    return torch


def kernel_of(name):
    if name in ("auto", "vllm"):
        try:
            from vllm.model_executor.layers.fused_moe import fused_experts
            return "vllm", fused_experts
        except ImportError:
            if name == "vllm":
                sys.exit("moe-layer-bench: vLLM is not installed; use --kernel loop, whose launches cost time of their own")
    return "loop", None


class Layer:
    """One layer's experts in bfloat16: w13 [E, 2I, H] and w2 [E, H, I], as vLLM keeps them."""

    def __init__(self, torch, hidden, intermediate, experts, seed):
        generator = torch.Generator(device="cuda").manual_seed(seed)
        make = lambda *shape: torch.randn(*shape, generator=generator, device="cuda", dtype=torch.bfloat16) * 0.02
        self.torch = torch
        self.w13 = make(experts, 2 * intermediate, hidden)
        self.w2 = make(experts, hidden, intermediate)

    def fused(self, fused_experts, x, weights, ids):
        return fused_experts(x, self.w13, self.w2, weights, ids)

    def loop(self, x, weights, groups):
        """`groups`: (expert, rows, places) prepared beforehand, so that no step waits for the CPU."""
        out = self.torch.zeros_like(x)
        for expert, rows, places in groups:
            gate, up = (x[rows] @ self.w13[expert].T).chunk(2, dim=-1)
            y = (self.torch.nn.functional.silu(gate) * up) @ self.w2[expert].T
            out.index_add_(0, rows, y * weights[rows, places].unsqueeze(1))
        return out


def grouped(torch, rows):
    members = {}
    for token, experts in enumerate(rows):
        for place, expert in enumerate(experts):
            members.setdefault(expert, []).append((token, place))
    return [(expert,
             torch.tensor([t for t, _ in pairs], device="cuda"),
             torch.tensor([p for _, p in pairs], device="cuda")) for expert, pairs in sorted(members.items())]


def measure(torch, layers, hidden, top_k, batch, active, kernel, fused_experts, args):
    """The median time of a pass in microseconds, by events on the GPU, replayed from a graph where that works."""
    rows = constants.routing(batch, top_k, active, args.seed)
    x = torch.randn(batch, hidden, device="cuda", dtype=torch.bfloat16)
    ids = torch.tensor(rows, device="cuda", dtype=torch.int32)
    weights = torch.full((batch, top_k), 1 / top_k, device="cuda", dtype=torch.float32)
    if kernel == "loop":
        groups, weights = grouped(torch, rows), weights.to(torch.bfloat16)
        passes = [lambda layer=layer: layer.loop(x, weights, groups) for layer in layers]
    else:
        passes = [lambda layer=layer: layer.fused(fused_experts, x, weights, ids) for layer in layers]
    for _ in range(args.warm_up):
        for one in passes:
            one()
    torch.cuda.synchronize()
    graphs = []
    for one in passes:
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            one()
        graphs.append(graph)
    times = []
    for repeat in range(args.repeats):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graphs[repeat % len(graphs)].replay()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1e3)
    return statistics.median(times)


def main(argv=None):
    args = parser().parse_args(argv)
    layers, hidden, intermediate, experts, top_k = MODELS[args.model]
    active = args.active or spread(top_k, experts)
    if max(active) > experts:
        sys.exit(f"moe-layer-bench: --active {max(active)} is more than the model's {experts} experts")
    todo = constants.points(args.batches, active, top_k)
    if len(todo) < 4:
        sys.exit(f"moe-layer-bench: only {len(todo)} of the points can be measured; give more --batches or --active")
    torch = import_torch()
    kernel, fused_experts = kernel_of(args.kernel)
    copies = [Layer(torch, hidden, intermediate, experts, args.seed + i) for i in range(args.copies)]
    measured = []
    for batch, used in todo:
        micros = measure(torch, copies, hidden, top_k, batch, used, kernel, fused_experts, args)
        measured.append({"batch": batch, "active": used, "micros": micros})
        print(f"batch {batch:4d}  active {used:4d}  {micros:9.1f} us", file=sys.stderr)
    gpu = torch.cuda.get_device_name()
    how = {"gpu": gpu, "torch": torch.__version__, "kernel": kernel, "copies": args.copies, "repeats": args.repeats,
           "seed": args.seed, "dtype": "bfloat16"}
    try:
        text = constants.to_json(args.name or f"{args.model} on {gpu}", layers, experts, top_k, measured, how)
    except constants.BadInput as bad:
        sys.exit(f"moe-layer-bench: {bad}")
    with open(args.out, "w", encoding="utf-8") as out:
        out.write(text + "\n")


if __name__ == "__main__":
    main()
