#!/usr/bin/env python3
"""Draw the data of a recording over time: energies, penetration, contacts, tilt and the time of a step; for the dem stepper also the residual."""

import argparse
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "measure"))


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(
        prog="plot_run.py",
        description="Draw a recording of `abut run` over time as a picture: kinetic energy and change of potential energy, "
        "largest penetration, contacts, "
        "largest tilt of a body (the angle between the vertical and its nearest face normal), and the time of each step. "
        "Several recordings, for example with contact patches and with tracking, are drawn over each other.",
        epilog="Example: plot_run.py out/box_drop_flat.h5 out/box_drop_flat_tracking.h5 -o out/box_drop.png "
        "(needs python3-numpy, python3-h5py and python3-matplotlib)",
    )
    parser.add_argument("recordings", nargs="+", type=pathlib.Path, metavar="RUN.h5", help="one recording, or several of the same scene")
    parser.add_argument(
        "-o",
        "--output",
        type=pathlib.Path,
        metavar="FILE",
        help="the picture: .png, .svg or .pdf (default: the first recording's name, .png)",
    )
    parser.add_argument(
        "--label",
        action="append",
        default=[],
        metavar="TEXT",
        help="name of a recording in the legend, in their order (default: file names)",
    )
    parser.add_argument("--from", dest="start", type=float, default=0.0, metavar="SECONDS", help="draw from this time on")
    parser.add_argument("--to", dest="end", type=float, default=float("inf"), metavar="SECONDS", help="draw up to this time")
    return parser.parse_args(arguments)


def curves(run, recording_module):
    """[(panel, curve's name, time, values, logarithmic)]."""
    np = recording_module.np
    steps, time = run.steps, run.steps["time"]
    potential = steps["potential_energy"] - steps["potential_energy"][0]
    dem = steps.get("dem_steps", np.zeros(1)).any()
    tilt = [] if dem else [("largest tilt [rad]", "", run.time, recording_module.worst_tilt(run), True)]
    return [
        ("energy [J]", "kinetic", time, steps["kinetic_energy"], False),
        ("energy [J]", "potential, change", time, potential, False),
        ("kinetic energy [J]", "", time, steps["kinetic_energy"], True),
        ("largest penetration [m]", "", time[1:], steps["max_penetration"][1:], True),
        *tilt,
        ("contacts", "", time[1:], steps["contacts"][1:], False),
        ("time per step [ms]", "", time[1:], 1e3 * steps["seconds_total"][1:], False),
        *(dem_curves(steps, np) if dem else []),
    ]


def dem_curves(steps, np):
    """Additional curves of the dem stepper."""
    time = steps["time"]
    return [
        ("energy of contacts [J]", "elastic", time, steps["dem_elastic_energy"], False),
        ("energy of contacts [J]", "springs of friction", time, steps["dem_spring_energy"], False),
        ("energy lost [J]", "to damping", time, np.cumsum(steps["dem_damping_work"]), False),
        ("energy lost [J]", "to friction", time, np.cumsum(steps["dem_friction_work"]), False),
        ("residual: largest net force over weight", "", time[1:], steps["dem_residual"][1:], True),
        ("sliding contacts", "", time[1:], steps["dem_sliding"][1:], False),
    ]


def draw(runs, labels, options):
    import recording
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes, logarithmic = None, {}, {}
    for index, (run, label) in enumerate(zip(runs, labels)):
        lines = curves(run, recording)
        if figure is None:
            panels = list(dict.fromkeys(line[0] for line in lines))
            figure, grid = pyplot.subplots(
                (len(panels) + 1) // 2, 2, figsize=(13, 3 * ((len(panels) + 1) // 2)), sharex=True, squeeze=False
            )
            axes = dict(zip(panels, grid.flat))
            for spare in grid.flat[len(panels) :]:
                spare.axis("off")
        styles = {}
        for panel, name, time, values, is_logarithmic in lines:
            inside = (time >= options.start) & (time <= options.end)
            style = styles[panel] = styles.get(panel, -1) + 1
            axes[panel].plot(
                time[inside], values[inside], "-:"[style], color=f"C{index}", linewidth=1, label=", ".join(x for x in (label, name) if x)
            )
            logarithmic[panel] = logarithmic.get(panel, False) or (is_logarithmic and (values[inside] > 0).any())
    for panel, axis in axes.items():
        axis.set_title(panel, fontsize=10)
        axis.grid(alpha=0.3)
        axis.tick_params(labelbottom=True)
        if logarithmic[panel]:
            axis.set_yscale("log", nonpositive="mask")
        if len(runs) > 1 or panel.startswith("energy"):
            axis.legend(fontsize=8)
    figure.supxlabel("time [s]", fontsize=10)
    figure.suptitle(runs[0].title)
    figure.tight_layout()
    figure.savefig(options.output, dpi=100)


def main(arguments=None):
    options = parse_arguments(arguments)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        print(
            "plot_run.py: matplotlib is missing: on Debian and Ubuntu, apt install python3-matplotlib, then use /usr/bin/python3",
            file=sys.stderr,
        )
        return 2
    from recording import Recording

    try:
        runs = [Recording(path) for path in options.recordings]
    except (OSError, KeyError) as error:
        print(f"plot_run.py: not a readable recording: {error}", file=sys.stderr)
        return 2
    labels = [
        options.label[i] if i < len(options.label) else (path.stem if len(runs) > 1 else "") for i, path in enumerate(options.recordings)
    ]
    options.output = options.output or options.recordings[0].with_suffix(".png")
    try:
        draw(runs, labels, options)
    except (OSError, ValueError) as error:
        print(f"plot_run.py: cannot write {options.output}: {error}", file=sys.stderr)
        return 2
    print(options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
