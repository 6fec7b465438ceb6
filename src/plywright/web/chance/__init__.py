"""The decisions of games with dice: values, the tree near the root, and how the results are spread."""
