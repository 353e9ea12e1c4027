"""The web book: each unit run with its solutions and shown with its stubs, readable without kernel or network.

``python -m book`` builds it. The steps, each a module, in the order they run:

    execute    run a unit's notebook, or take the stored run if nothing changed, with kept (which runs still hold)
               and watching (what a run reads)
    shown      turn the executed notebook into what a reader may see
    pages      make the pages that are no unit, from what the course keeps (a room of its own)
    source     write everything Jupyter Book needs into one folder
    site       run Jupyter Book on that folder
    finish     drop what pages do not need and mend the theme's markup, with formulas (MathJax, once, in node), launch
               (buttons), places (of widgets) and slim (fewer style rules, smaller pictures); places, once more, then
               measures in a browser how much room each widget needs
    packed     all pages in a zip
    leaks      look for answers and hidden checks in the finished pages
    verify     look for outside addresses, missing pages, heavy and restless pages, measured in a browser (browser,
               serving) as a slow phone has them

Left out on purpose: PDF, live kernels. `.github/workflows/book.yml` publishes the pages.
"""
