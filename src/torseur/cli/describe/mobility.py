"""`torseur mobility`: how a mechanism can move, and what its joints carry."""

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import option, several
from torseur.cli.frame.settings import named_texts


@model_command(
    "mobility",
    several("--input", "input", "A body or a coordinate."),
    several("--output", "output", "A body or a coordinate."),
    option("--between", "Equivalent joint of the whole mechanism between two bodies.",
           "BODY BODY", nargs=2),
    option("--along", "Look for dead points along a motion.", "COORDINATE"),
    several("--mode", "contact_modes", "A contact that keeps a mode: open, stick or slip.",
            "NAME=MODE"),
    several("--friction", "friction", "Joint with dry friction; may be repeated.", "JOINT"),
)  # fmt: skip
def mobility(
    mechanism: Mechanism,
    between: tuple[str, str] | None,
    along: str | None,
    friction: tuple[str, ...],
    contact_modes: tuple[str, ...],
    **watched: tuple[str, ...],
) -> Printout:
    """Compute mobility m, over-constraint h, balance and singular configuration of MODEL.

    m counts the motions that remain when every loop is closed; *internal* ones move nothing else,
    such as a rod that turns about its own axis. m is that of the linkage: freedoms that imposed
    motions drive are counted, and listed apart. h counts redundant constraints; if there are any,
    some reactions are statically indeterminate. Both come from ranks at the assembled
    configuration. The balance counts unknowns and equations joint by joint. Contacts that touch
    count as closed and sliding; --mode gives another mode. Last comes the kind of each constraint:
    *holonomic* or not, *unilateral* if it acts on one side only, *rheonomic* if it depends on time.

    Example: `torseur mobility slider_crank.yaml`

    Example: `torseur mobility slider_crank.yaml --between ground rod --along alpha`
    """
    from torseur.analyse.mobility.balance import balance, redundancy
    from torseur.analyse.mobility.contact_modes import assembled_to_read, counted_at
    from torseur.analyse.mobility.contact_modes import counted as counted_contacts
    from torseur.analyse.mobility.dead_points import dead_points
    from torseur.analyse.mobility.diagnose import singularities
    from torseur.analyse.mobility.kinds import constraint_kinds
    from torseur.analyse.mobility.mobility import mobility as found_mobility
    from torseur.analyse.mobility.mobility import without_numbers
    from torseur.analyse.mobility.twists import equivalent_joint
    from torseur.report.pages.diagnosis_text import Anatomy

    modes = named_texts("--mode", contact_modes) or None
    contacts = counted_contacts(mechanism, modes)
    counted = balance(mechanism, friction=friction, modes=modes)
    if without_numbers(mechanism) and not (between or along):
        page = Anatomy(
            mechanism.name, found_mobility(mechanism), counted, constraint_kinds(mechanism)
        )
    else:
        pose = assembled_to_read(mechanism)
        closed = counted_at(pose, contacts)
        page = Anatomy(
            mechanism.name,
            found_mobility(pose, modes=modes, **watched),
            counted,
            constraint_kinds(pose),
            redundancy(closed),
            singularities(closed),
            equivalent_joint(pose, *between) if between else None,
            dead_points(pose, along) if along else (),
        )
    return Printout(lambda: page.document, lambda: page.text)
