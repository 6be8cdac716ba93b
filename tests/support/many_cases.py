"""One law on many cases in one test: for cases that take less time than the start of a test."""

from itertools import product


def on_each(**cases):
    """The law on every combination of the cases; the one that fails is the last one printed."""

    def whole(law):
        def test():
            for chosen in product(*cases.values()):
                case = dict(zip(cases, chosen, strict=True))
                print(case)
                law(**case)

        test.__name__, test.__qualname__ = law.__name__, law.__qualname__
        test.__doc__, test.__module__ = law.__doc__, law.__module__
        return test

    return whole
