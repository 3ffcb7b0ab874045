"""The system calls that a program in the sandbox may make: all except those that reach out of it or hide what it uses.

Namespaces already separate it from other processes, files and networks. This filter refuses what they leave open:
socket families and keyrings that no namespace divides, memory that belongs to no process, and kernel interfaces that
have been exploited before.
"""

import errno
import tempfile
from functools import cache
from typing import Any

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import pip_install

_KILLED = (
    "ptrace process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp mount umount2 pivot_root chroot "
    "open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr unshare setns bpf add_key request_key keyctl "
    "init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff acct quotactl "
    "quotactl_fd open_by_handle_at syslog settimeofday clock_settime clock_adjtime adjtimex iopl ioperm sethostname "
    "setdomainname lookup_dcookie nfsservctl vhangup"
)
"""No program makes these by accident: a program that does is killed, with the verdict `forbidden`."""
_REFUSED = (
    "io_uring_setup io_uring_enter io_uring_register perf_event_open userfaultfd name_to_handle_at memfd_create "
    "memfd_secret shmget shmat shmctl msgget semget mq_open fanotify_init fanotify_mark personality "
    "set_mempolicy mbind migrate_pages move_pages mlockall ioprio_set"
)
"""Libraries try these and work without them: they return EPERM."""
_MISSING = "clone3"
"""The filter cannot inspect its flags; libraries fall back to `clone`."""
_CLONE_NEW = 0x7E020080
"""All CLONE_NEW* flags of `clone`, which create namespaces."""
_FAMILIES = (1, 2, 10)
"""Allowed socket families: AF_UNIX, and AF_INET and AF_INET6, which reach only the sandbox itself."""
_ON_THE_NETWORK = (2, 10)
"""Allowed families if the network is this machine's. Not AF_UNIX: its sockets without a file belong to the network
namespace."""
_BUFFERS = (7, 8)
"""SO_SNDBUF and SO_RCVBUF. Socket buffers count as no process's memory: with the sizes that some kernels allow, some
hundred sockets hold gigabytes."""
_SOL_SOCKET = 1
_TTY = (0x5412, 0x541C)
"""ioctl TIOCSTI and TIOCLINUX, which type into a terminal."""
_BITS = 0xFFFFFFFF


@cache
def program(network: bool = False) -> bytes:
    """Return the filter for bubblewrap. `network` says that the network is this machine's. Raises BadInput if the
    library is missing."""
    seccomp = _library()
    calls = seccomp.SyscallFilter(seccomp.ALLOW)
    for names, action in (
        (_KILLED, seccomp.KILL_PROCESS),
        (_REFUSED, seccomp.ERRNO(errno.EPERM)),
        (_MISSING, seccomp.ERRNO(errno.ENOSYS)),
    ):
        for name in names.split():
            _add(seccomp, calls, action, name)
    for bit in range(32):  # any single one of the flags
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
    """Refuse all socket families except these (the last is the largest), and large buffers."""
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
    """Add a rule; a system call that this machine does not have needs none."""
    try:
        calls.add_rule(action, name, *words)
    except (OSError, RuntimeError, ValueError) as error:
        if isinstance(error, OSError) and error.errno not in (errno.EFAULT, errno.EINVAL, errno.EDOM):
            raise


def _library() -> Any:
    try:
        import pyseccomp
    except (ImportError, RuntimeError) as error:  # RuntimeError if libseccomp itself is missing
        raise BadInput(
            f"the sandbox needs pyseccomp and libseccomp ({error}): {pip_install('sandbox')}, and on Debian and Ubuntu "
            "apt install libseccomp2"
        ) from None
    return pyseccomp
