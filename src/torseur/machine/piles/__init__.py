"""Many free bodies that touch: steps of Moreau and Jean as one loop kernel."""
