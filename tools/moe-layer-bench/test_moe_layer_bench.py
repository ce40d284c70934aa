"""The sides that need no GPU: python3 -m unittest discover tools/moe-layer-bench"""

import contextlib
import io
import json
import unittest

import constants
import moe_layer_bench as bench


class Routing(unittest.TestCase):
    def test_uses_exactly_the_active_experts_and_none_twice_in_a_token(self):
        for batch, top_k, active in [(1, 8, 8), (8, 8, 64), (16, 8, 128), (64, 4, 5), (3, 2, 5)]:
            rows = constants.routing(batch, top_k, active, seed=3)
            self.assertEqual(batch, len(rows))
            self.assertEqual(set(range(active)), {expert for row in rows for expert in row})
            for row in rows:
                self.assertEqual(top_k, len(set(row)))

    def test_is_the_same_for_the_same_seed(self):
        self.assertEqual(constants.routing(16, 8, 100, 5), constants.routing(16, 8, 100, 5))

    def test_refuses_what_cannot_be(self):
        with self.assertRaisesRegex(constants.BadInput, "cannot reach 128"):
            constants.routing(2, 8, 128, 1)
        with self.assertRaisesRegex(constants.BadInput, "fewer than the 8"):
            constants.routing(2, 8, 4, 1)


class Fit(unittest.TestCase):
    def measured(self, noise=0.0):
        # Qwen3 on MI300X as the simulator has it: 4.4 us x (10.4 + U + 0.06 B).
        return [
            {"batch": b, "active": u, "micros": 4.4 * (10.4 + u + 0.06 * b) * (1 + noise * (-1) ** i)}
            for i, (b, u) in enumerate(constants.points([8, 16, 32, 64], [8, 16, 32, 64, 128], 8))
        ]

    def test_finds_the_constants_that_made_the_times(self):
        written = json.loads(constants.to_json("x", 48, 128, 8, self.measured(), {}))
        self.assertEqual(constants.FORMAT, written["format"])
        self.assertAlmostEqual(4.4, written["expertMicros"], 6)
        self.assertAlmostEqual(10.4, written["layerExperts"], 6)
        self.assertAlmostEqual(0.06, written["requestExperts"], 6)
        self.assertAlmostEqual(1, written["fit"]["r2"], 9)

    def test_stays_near_them_under_noise(self):
        written = json.loads(constants.to_json("x", 48, 128, 8, self.measured(0.02), {}))
        self.assertAlmostEqual(4.4, written["expertMicros"], 1)
        self.assertLess(written["fit"]["r2"], 1)

    def test_refuses_points_that_say_nothing(self):
        same = [{"batch": 8, "active": u, "micros": u} for u in (8, 16, 32, 64)]
        with self.assertRaisesRegex(constants.BadInput, "vary both"):
            constants.fit(same)
        with self.assertRaisesRegex(constants.BadInput, "at least 4"):
            constants.fit(same[:3])
        falling = [dict(row, micros=1000 - row["active"]) for row in self.measured()]
        with self.assertRaisesRegex(constants.BadInput, "do not grow"):
            constants.to_json("x", 48, 128, 8, falling, {})


class Arguments(unittest.TestCase):
    def fails(self, *argv):
        err = io.StringIO()
        with contextlib.redirect_stderr(err), self.assertRaises(SystemExit) as end:
            bench.main(list(argv))
        return f"{end.exception.code} {err.getvalue()}"

    def test_defaults_spread_over_the_model(self):
        args = bench.parser().parse_args(["--out", "x.json"])
        self.assertEqual("qwen3-30b-a3b", args.model)
        self.assertEqual([8, 16, 32, 48, 64, 96, 128], bench.spread(8, 128))
        self.assertGreater(len(constants.points(args.batches, bench.spread(8, 128), 8)), 20)

    def test_bad_ones_are_named(self):
        self.assertIn("--out", self.fails())
        self.assertIn("must be whole numbers", self.fails("--out", "x", "--batches", "a"))
        self.assertIn("more than the model's 128", self.fails("--out", "x", "--active", "129"))
        self.assertIn("only 1 of the points", self.fails("--out", "x", "--active", "8", "--batches", "1"))


if __name__ == "__main__":
    unittest.main()
