"""Which system calls a program in the sandbox may make: all but those that reach out of it or hide what it uses.

Namespaces already keep it from other processes, files and networks. What is refused here is what they leave open:
families of sockets and keyrings that no namespace divides, memory that belongs to no process, and doors of the kernel
that have been forced before.
"""

import errno
import tempfile
from functools import cache
from typing import Any

from jantaku.table.errors import BadInput
from jantaku.table.installation import pip_install

_KILLED = (
    "ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp mount umount2 pivot_root chroot "
    "open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr unshare setns bpf add_key request_key keyctl "
    "init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct quotactl "
    "quotactl_fd open_by_handle_at syslog settimeofday clock_settime clock_adjtime adjtimex iopl ioperm sethostname "
    "setdomainname lookup_dcookie nfsservctl vhangup"
)
"""Nobody makes these by chance: who does is ended, and it is the verdict `forbidden`."""
_REFUSED = (
    "io_uring_setup io_uring_enter io_uring_register perf_event_open userfaultfd name_to_handle_at memfd_create "
    "memfd_secret shmget shmat shmctl msgget semget mq_open fanotify_init fanotify_mark personality "
    "set_mempolicy mbind migrate_pages move_pages mlockall ioprio_set"
)
"""Libraries try these and do without: they are told that they may not."""
_MISSING = "clone3"
"""Its flags cannot be looked at; libraries fall back to `clone`."""
_CLONE_NEW = 0x7E020080
"""CLONE_NEW* of namespaces in the flags of `clone`."""
_FAMILIES = (1, 2, 10)
"""Sockets that may be made: AF_UNIX, and AF_INET and AF_INET6, which reach nothing but the sandbox itself."""
_ON_THE_NETWORK = (2, 10)
"""Those where the network is this machine's: sockets of AF_UNIX without a file belong to a network."""
_BUFFERS = (7, 8)
"""SO_SNDBUF and SO_RCVBUF. What lies in the buffers of sockets is nobody's memory: with as much as some kernels allow,
some hundred sockets hold gigabytes."""
_SOL_SOCKET = 1
_TTY = (0x5412, 0x541C)
"""ioctl TIOCSTI and TIOCLINUX, which type into a terminal."""
_BITS = 0xFFFFFFFF


@cache
def program(network: bool = False) -> bytes:
    """The filter for bubblewrap. `network`: it is this machine's. BadInput if the library for it is missing."""
    seccomp = _library()
    calls = seccomp.SyscallFilter(seccomp.ALLOW)
    for names, action in (
        (_KILLED, seccomp.KILL_PROCESS),
        (_REFUSED, seccomp.ERRNO(errno.EPERM)),
        (_MISSING, seccomp.ERRNO(errno.ENOSYS)),
    ):
        for name in names.split():
            _add(seccomp, calls, action, name)
    for bit in range(32):  # any one of them
        flag = 1 << bit
        if flag & _CLONE_NEW:
            _add(seccomp, calls, seccomp.KILL_PROCESS, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, flag, flag))
    _refuse_sockets(seccomp, calls, _ON_THE_NETWORK if network else _FAMILIES)
    for request in _TTY:
        _add(seccomp, calls, seccomp.KILL_PROCESS, "ioctl", seccomp.Arg(1, seccomp.MASKED_EQ, _BITS, request))
    with tempfile.TemporaryFile() as file:
        calls.export_bpf(file)
        file.seek(0)
        return file.read()


def _refuse_sockets(seccomp: Any, calls: Any, families: tuple[int, ...]) -> None:
    """Of all but these families (the last is the largest), and with large buffers."""
    refused = seccomp.ERRNO(errno.EAFNOSUPPORT)
    for call in ("socket", "socketpair"):
        _add(seccomp, calls, refused, call, seccomp.Arg(0, seccomp.GT, families[-1]))
        for family in set(range(families[-1])) - set(families):
            _add(seccomp, calls, refused, call, seccomp.Arg(0, seccomp.EQ, family))
    larger = seccomp.ERRNO(errno.EPERM)
    for option in _BUFFERS:
        words = seccomp.Arg(1, seccomp.EQ, _SOL_SOCKET), seccomp.Arg(2, seccomp.EQ, option)
        _add(seccomp, calls, larger, "setsockopt", *words)


def _add(seccomp: Any, calls: Any, action: int, name: str, *words: Any) -> None:
    """A rule; a call that this machine does not have needs none."""
    try:
        calls.add_rule(action, name, *words)
    except (OSError, RuntimeError, ValueError) as error:
        if isinstance(error, OSError) and error.errno not in (errno.EFAULT, errno.EINVAL, errno.EDOM):
            raise


def _library() -> Any:
    try:
        import pyseccomp
    except (ImportError, RuntimeError) as error:  # the latter where libseccomp itself is missing
        raise BadInput(
            f"the sandbox needs pyseccomp and libseccomp ({error}): {pip_install('sandbox')}, and on Debian and Ubuntu "
            "apt install libseccomp2"
        ) from None
    return pyseccomp
