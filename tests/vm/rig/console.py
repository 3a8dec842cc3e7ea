# SPDX-License-Identifier: GPL-2.0-or-later
"""What a kernel's log may not contain.

Used by tests/vm/run on the guest's console log after every run.
"""

import re

# One alternative a line. Warnings about the module being unsigned and from outside the tree are
# normal and match none of them.
ALARM = re.compile(r"""
    BUG:|WARNING:|Oops|Kernel\ panic|general\ protection\ fault
  | KASAN|KFENCE|UBSAN|kmemleak:\ [1-9][0-9]*\ new
  | unable\ to\ handle|invalid\ opcode|stack\ segment|double\ fault|divide\ error
  | list_(add|del)\ corruption|refcount_t:|ODEBUG:
  | possible\ (circular|recursive)\ locking|suspicious\ RCU\ usage|inconsistent\ lock\ state
  | bad\ unlock\ balance|held\ lock\ freed|lock\ held\ when\ returning|Invalid\ wait\ context
  | [Dd]isabling\ lock\ debugging\ due\ to
  | scheduling\ while\ atomic|sleeping\ function\ called
  | soft\ lockup|hard\ LOCKUP|blocked\ for\ more\ than|hung_task
  | rcu.*(stall|self-detected)|starved\ for
  | unregister_netdevice|Objects\ remaining\ in|Slab\ cache\ still\ has
  | Call\ Trace:|cut\ here
""", re.VERBOSE)

# Said when any module from outside the kernel's tree is loaded, with or without lockdep.
NORMAL = re.compile(r"loading out-of-tree module taints kernel"
                    r"|module verification failed: signature and/or required key missing")

LINES_AFTER = 30
LINES_BEFORE = 3


def alarms(text, allowed):
    """Excerpts of the log round each alarm; lines that match one of `allowed` raise none."""
    lines = text.splitlines()
    hits = [number for number, line in enumerate(lines)
            if ALARM.search(line) and not NORMAL.search(line)
            and not any(pattern.search(line) for pattern in allowed)]
    excerpts, end = [], -1
    for hit in hits:
        if hit < end:
            continue
        end = min(hit + LINES_AFTER, len(lines))
        excerpts.append("\n".join(lines[max(hit - LINES_BEFORE, 0):end]))
    return excerpts
