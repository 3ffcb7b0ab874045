"""A sandbox for programs of other people: namespaces by bubblewrap, system calls by seccomp, limits by the kernel and
by a watching thread.

    visible   the files that a program sees: the system's, its interpreter's and its own, all read-only
    calls     the system calls that it may make
    host      whether this machine can do it, and what to install if it cannot
    start     starts a program in it, under limits from its first instruction
    tree      what a program and all its descendants use
    watch     ends programs that exceed their limits
"""
