"""A machine of its own for the tests of launchers: a root with a shell, the few programs that
planex needs there, a trtexec, and a real sshd."""

from __future__ import annotations

import os
import pathlib
import shutil
import socket
import subprocess
import time

PROGRAMS = ["sh", "setsid", "head", "cat", "wc", "rm", "mkdir", "mktemp", "sleep", "env", "chroot"]

TRTEXEC = """#!/bin/sh
echo "&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # $*"
for word in "$@"; do
  case $word in
    --onnx=*)
      model=${word#*=}
      wc -c <"$model" || exit 1
      cat "${model%/*}/weights/w.bin" 2>/dev/null ;;
    --exportLayerInfo=*) echo '{"Layers": ["a", "b"], "Bindings": []}' >"${word#*=}" ;;
    --saveEngine=*) head -c 3000000 /dev/zero >"${word#*=}" ;;
    --exportTimes=*) echo '[{"startEnqMs": 0, "latencyMs": 1.5, "computeMs": 1.5}]' >"${word#*=}" ;;
    --exportProfile=*) echo '[{"count": 1}, {"name": "a", "averageMs": 1}]' >"${word#*=}" ;;
    --hang=*) sleep 1000 ;;
    --end=*) echo "[11/24/2026-10:00:00] [E] asked to fail" >&2; exit "${word#*=}" ;;
    --signal=*) kill -s "${word#*=}" $$ ;;
  esac
done
echo "&&&& PASSED TensorRT.trtexec [TensorRT v8601]"
"""


def libraries(program: pathlib.Path) -> list[str]:
    said = subprocess.run(["ldd", program], capture_output=True, text=True, check=False).stdout
    words = [word for line in said.splitlines() for word in line.split()]
    return [word for word in words if word.startswith("/")]


def add_program(root: pathlib.Path, program: str | pathlib.Path, name: str = "") -> None:
    found = shutil.which(str(program), path=os.environ["PATH"] + ":/usr/sbin:/sbin")
    assert found, f"no {program}"
    source = pathlib.Path(found).resolve()
    shutil.copy2(source, root / "bin" / (name or pathlib.Path(program).name))
    for library in libraries(source):
        target = root / library.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copy2(pathlib.Path(library).resolve(), target)


def make_root(root: pathlib.Path) -> pathlib.Path:
    for folder in ["bin", "dev", "etc", "run/sshd", "root/.ssh", "tmp", "lib64"]:
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "tmp").chmod(0o1777)
    for name, minor in [("null", 3), ("zero", 5), ("urandom", 9)]:
        os.mknod(root / "dev" / name, 0o20666, os.makedev(1, minor))
        (root / "dev" / name).chmod(0o666)
    for program in PROGRAMS:
        add_program(root, program)
    trtexec = root / "bin/trtexec"
    trtexec.write_text(TRTEXEC)
    trtexec.chmod(0o755)
    (root / "etc/passwd").write_text(
        "root:x:0:0:root:/root:/bin/sh\nsshd:x:100:65534::/run/sshd:/bin/false\n"
    )
    (root / "etc/group").write_text("root:x:0:\nnogroup:x:65534:\n")
    (root / "etc/nsswitch.conf").write_text("passwd: files\ngroup: files\n")
    for library in ["libnss_files.so.2", "libnss_compat.so.2"]:
        for found in pathlib.Path("/lib").glob(f"*-linux-gnu/{library}"):
            target = root / str(found).lstrip("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(found, target)
    return root


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Sshd:
    """A real sshd in a root; `launcher` leads there."""

    def __init__(self, root: pathlib.Path, program: str, keys: pathlib.Path) -> None:
        add_program(root, program, "sshd")
        keys.mkdir(parents=True, exist_ok=True)
        for key in [keys / "user", root / "etc/host_key"]:
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
        (root / "root/.ssh/authorized_keys").write_text((keys / "user.pub").read_text())
        (root / "root/.ssh").chmod(0o700)
        (root / "root").chmod(0o700)
        self.port = free_port()
        (root / "etc/sshd_config").write_text(
            f"Port {self.port}\nListenAddress 127.0.0.1\nHostKey /etc/host_key\nUsePAM no\n"
            "PermitRootLogin yes\nStrictModes no\nPidFile none\nSetEnv PATH=/bin\n"
        )
        self.said = (keys / "sshd.log").open("wb")
        self.process = subprocess.Popen(
            ["/usr/sbin/chroot", root, "/bin/sshd", "-D", "-e", "-f", "/etc/sshd_config"],
            stdin=subprocess.DEVNULL,
            stderr=self.said,
        )
        self.launcher = (
            f"ssh -q -p {self.port} -i {keys}/user -F none -o BatchMode=yes "
            f"-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null root@127.0.0.1"
        )
        log = keys / "sshd.log"
        while True:
            assert self.process.poll() is None, log.read_text("utf-8", "replace")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    break
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.said.close()
