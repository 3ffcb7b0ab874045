"""A sandbox for programs that others wrote: namespaces by bubblewrap, system calls by seccomp, limits by the kernel and
by a thread that looks.

    visible   which files a program sees: the system's, its interpreter's and its own, all read-only
    calls     which system calls it may make
    host      whether this machine can do it, and what to install if it cannot
    start     starts a program in it, under limits from its first instruction
    tree      what a program and all that it has started use
    watch     ends programs that use more than they may
"""
