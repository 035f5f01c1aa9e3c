"""A Slurm cluster of one node: daemons with a configuration of their own in a folder of their own."""

import os
import pathlib
import shutil
import socket
import subprocess
import time

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo"]
# Both daemons as root, no cgroups, and a node that has more processors than the machine.
CONFIGURATION = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1,bf_interval=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES State=UP
"""


def free_ports(count):
    """Ports that nobody uses now."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def missing():
    """Why there can be no cluster here; "" if there can."""
    absent = [name for name in PROGRAMS if not program(name)]
    if absent:
        return f"no {', '.join(absent)} (Debian: slurm-wlm, munge)"
    return "" if os.geteuid() == 0 else "Slurm's daemons want root"


class CannotStart(Exception):
    """Slurm is installed, but its daemons do not come up here."""


class Cluster:
    """Runs while it is open as a context; `environment` is that of the jobs. CannotStart if it can't."""

    def __init__(self, folder, environment):
        self.folder = pathlib.Path(folder)
        self.environment = dict(environment, SLURM_CONF=str(self.folder / "slurm.conf"))
        self.daemons = []

    def __enter__(self):
        try:
            self.configure()
            self.start("munged", "--foreground", "--force", f"--socket={self.folder}/munge.socket",
                       f"--key-file={self.folder}/munge.key", f"--pid-file={self.folder}/munge.pid",
                       f"--seed-file={self.folder}/munge.seed", f"--log-file={self.folder}/munge.log")
            self.wait("munged", lambda: (self.folder / "munge.socket").exists())
            self.start("slurmctld", "-D")
            self.start("slurmd", "-D")
            self.wait("slurmd", lambda: self.ask("sinfo", "--noheader", "--format=%T") == "idle")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(timeout=20)
            except subprocess.TimeoutExpired:
                daemon.kill()

    def configure(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        (self.folder / "munge.key").write_bytes(os.urandom(128))
        (self.folder / "munge.key").chmod(0o600)
        host = socket.gethostname().split(".")[0]
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(host=host, folder=self.folder, ports=free_ports(2)))

    def start(self, name, *arguments):
        log = open(self.folder / f"{name}.out", "w")
        self.daemons.append(subprocess.Popen([program(name), *arguments], env=self.environment,
                                             stdout=log, stderr=subprocess.STDOUT))

    def wait(self, name, ready, seconds=60):
        deadline = time.monotonic() + seconds
        while not ready():
            ended = [daemon for daemon in self.daemons if daemon.poll() is not None]
            if ended or time.monotonic() > deadline:
                last = (self.folder / f"{name}.out").read_text().splitlines()[-3:]
                raise CannotStart(f"{name} does not start: {' | '.join(last)}")
            time.sleep(0.1)

    def ask(self, name, *arguments):
        done = subprocess.run([program(name), *arguments], env=self.environment,
                              capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    def wait_for_jobs(self, seconds):
        """True once the queue is empty."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if subprocess.run([program("squeue"), "--noheader"], env=self.environment, text=True,
                              capture_output=True).stdout == "":
                return True
            time.sleep(0.3)
        return False
