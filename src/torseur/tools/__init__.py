"""Files for other tools: FMU, Modelica, object code of other processors."""
