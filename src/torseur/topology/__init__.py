"""From the joints of a mechanism to the tree its recursions run on."""
