"""The elementary functions that generated code calls, by name and number of lanes."""

WIDTHS = (1, 2, 4, 8)  # doubles in a vector, of those that functions are made for
# Name → how many arguments; `sincos` gives both.
ARGUMENTS = {
    "sincos": 1,
    "tan": 1,
    "asin": 1,
    "acos": 1,
    "atan": 1,
    "atan2": 2,
    "exp": 1,
    "log": 1,
    "sinh": 1,
    "cosh": 1,
    "tanh": 1,
    "pow": 2,
}


def symbol(name: str, width: int) -> str:
    """The name of a function in machine code."""
    return f"torseur.{name}.{width}"


def head(name: str, width: int) -> str:
    """Type, name and arguments %x0, %x1 of a function, as LLVM writes them."""
    T = "double" if width == 1 else f"<{width} x double>"
    result = f"{{{T}, {T}}}" if name == "sincos" else T
    arguments = ", ".join(f"{T} %x{k}" for k in range(ARGUMENTS[name]))
    return f"{result} @{symbol(name, width)}({arguments})"
