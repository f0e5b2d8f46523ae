"""Real mail servers for the tests: aiosmtpd in a thread, Dovecot as a process, and one that says whatever a test wants."""

from __future__ import annotations

import contextlib
import datetime
import getpass
import imaplib
import os
import shutil
import socket
import socketserver
import ssl
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

USER, PASSWORD = "nowak", 's\u00e9cret "w\u00f6rd" \\'
ASCII_PASSWORD = "letmein"


def certificate(folder: Path) -> tuple[Path, Path]:
    """A fresh self-signed certificate for localhost and its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    today = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    return folder / "cert.pem", folder / "key.pem"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass
class PostOffice:
    """What an SMTP server took: (sender, recipients, bytes). `refuses`: addresses it does not take."""

    port: int = 0
    mails: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    refuses: set[str] = field(default_factory=set)
    users: list[str] = field(default_factory=list)

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: Any) -> str:
        if address in self.refuses:
            return "550 5.1.1 no such \x1b[31muser\u202e"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.mails.append((envelope.mail_from, list(envelope.rcpt_tos), envelope.original_content))
        return "250 OK"


@contextlib.contextmanager
def smtp_server(cert: Path, key: Path, security: str) -> Iterator[PostOffice]:
    """aiosmtpd on localhost. tls and starttls want user and password; none wants nothing."""
    office = PostOffice()

    def authenticate(server: Any, session: Any, envelope: Any, mechanism: str, data: Any) -> AuthResult:
        office.users.append(data.login.decode())
        return AuthResult(success=data.login == USER.encode() and data.password == ASCII_PASSWORD.encode(), handled=False)

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    extra: dict[str, Any] = {}
    if security != "none":
        extra = {"authenticator": authenticate, "auth_required": True}
    if security == "tls":
        extra |= {"ssl_context": context, "auth_require_tls": False}  # all of it is inside TLS
    if security == "starttls":
        extra |= {"tls_context": context, "require_starttls": True}
    office.port = free_port()
    controller = Controller(office, hostname="127.0.0.1", port=office.port, **extra)
    controller.start()
    try:
        yield office
    finally:
        controller.stop()


DOVECOT = """\
base_dir = {root}/run
state_dir = {root}/run
log_path = {root}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{cert}
ssl_key = <{key}
ssl_min_protocol = TLSv1.2
auth_mechanisms = plain login
mail_location = maildir:{root}/mail
mail_plugins =
first_valid_uid = 1
{users}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%u {root}/users
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={root}/home
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {plain}
  }}
  inet_listener imaps {{
    port = {tls}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
"""


@dataclass
class Dovecot:
    """A running IMAP server with one user; `mail` is his Maildir."""

    plain: int
    tls: int
    root: Path

    def put(self, name: str, data: bytes) -> None:
        """A new message in the mailbox."""
        for folder in ("new", "cur", "tmp"):
            (self.root / "mail" / folder).mkdir(exist_ok=True)
            _give(self.root / "mail" / folder, mail_owner())
        path = self.root / "mail/tmp" / name
        path.write_bytes(data)
        _give(path, mail_owner())
        path.rename(self.root / "mail/new" / name)

    @contextlib.contextmanager
    def opened(self) -> Iterator[imaplib.IMAP4]:
        """The mailbox as another mail program sees it."""
        context = ssl.create_default_context(cafile=self.root / "cert.pem")
        with imaplib.IMAP4_SSL("localhost", self.tls, ssl_context=context) as box:
            box.authenticate("PLAIN", lambda _: f"\0{USER}\0{PASSWORD}".encode())
            box.select("INBOX")
            yield box


def _give(path: Path, owner: tuple[int, int]) -> None:
    if os.getuid() == 0:
        os.chown(path, *owner)


def mail_owner() -> tuple[int, int]:
    """Dovecot refuses to read mail as root: then it is nobody's."""
    if os.getuid() != 0:
        return os.getuid(), os.getgid()
    import pwd

    nobody = pwd.getpwnam("nobody")
    return nobody.pw_uid, nobody.pw_gid


def _own_user() -> str:
    """Without root all of it runs as whoever runs the tests."""
    import grp

    me, group = getpass.getuser(), grp.getgrgid(os.getgid()).gr_name
    return f"default_internal_user = {me}\ndefault_login_user = {me}\ndefault_internal_group = {group}\n"


@contextlib.contextmanager
def dovecot(cert: Path, key: Path) -> Iterator[Dovecot]:
    """Dovecot in the foreground in a folder of its own."""
    program = shutil.which("dovecot", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    assert program is not None
    root = Path(tempfile.mkdtemp(prefix="pbem-dovecot-"))
    root.chmod(0o755)
    uid, gid = mail_owner()
    users = "" if os.getuid() == 0 else _own_user()
    server = Dovecot(free_port(), free_port(), root)
    (root / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n", encoding="utf-8")
    (root / "users").chmod(0o644)
    for name in ("home", "mail"):
        (root / name).mkdir()
        _give(root / name, (uid, gid))
    for path, name in ((cert, "cert.pem"), (key, "key.pem")):
        shutil.copy(path, root / name)
    words = {"root": root, "cert": root / "cert.pem", "key": root / "key.pem", "users": users, "uid": uid, "gid": gid}
    (root / "dovecot.conf").write_text(DOVECOT.format(**words, plain=server.plain, tls=server.tls))
    process = subprocess.Popen([program, "-F", "-c", str(root / "dovecot.conf")], stderr=subprocess.PIPE)
    try:
        _await(server.tls, process, root)
        yield server
    finally:
        process.terminate()
        process.wait(20)
        shutil.rmtree(root, ignore_errors=True)


def _await(port: int, process: subprocess.Popen[bytes], root: Path) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        if process.poll() is not None:
            break
        time.sleep(0.05)
    log = (root / "log").read_text() if (root / "log").exists() else ""
    raise AssertionError(f"dovecot does not start: {log}")


@contextlib.contextmanager
def scripted(*answers: bytes | None) -> Iterator[int]:
    """A server that greets with the first answer, then gives one to each line it hears; None: it hangs up, at the end too.

    `%t` in an answer is the tag of the command, `%T` of the one before.
    """

    class Talk(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            tag = before = b"*"
            for number, answer in enumerate(answers):
                if number:
                    line = self.rfile.readline(100_000)
                    before, tag = tag, line.split(b" ")[0] or b"*"
                if answer is None:
                    return
                with contextlib.suppress(OSError):
                    self.wfile.write(answer.replace(b"%t", tag).replace(b"%T", before))

    class Quiet(socketserver.ThreadingTCPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """The program hung up: as it may."""

    with Quiet(("127.0.0.1", 0), Talk) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
