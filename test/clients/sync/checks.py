# What the scripts of this folder share. They print a line for each thing they try, and end with 1 where one failed.
import sys

failed = 0


def check(name, fine):
    global failed
    failed += 0 if fine else 1
    print(("ok      " if fine else "FAILED  ") + name, flush=True)


def finish():
    sys.exit(1 if failed else 0)


def server(wish):
    """Whoever started this script stops or starts the server, and says when it is done."""
    print("server: " + wish, flush=True)
    sys.stdin.readline()
