"""A JupyterHub on this machine with a teacher and students: to try a class of several users, to begin one's own from.

``python -m hub FOLDER`` makes the folder and serves it on loopback. In goes this clone; what comes out is a teacher's
account with a clone of its own, students' accounts with the students' package alone, and nbgrader's exchange between
them. Read on in this order:

    ground                what lies where in the folder, and who may read it
    apart                 accounts of one's own for everybody, where root may give them; the clone out of sight
    jupyterhub_config     what the Hub itself reads

Left out on purpose: encrypted addresses, real passwords, limits of memory. ``docs/hub.md`` says what a real server has.
"""
