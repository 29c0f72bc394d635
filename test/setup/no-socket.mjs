// Preloaded into a real process: whoever opens a socket or asks a name server is named on standard error and stopped.
import dgram from "node:dgram";
import dns from "node:dns";
import net from "node:net";

const refuse = (what) => () => {
  process.stderr.write(`SOCKET: ${what}\n`);
  process.kill(process.pid, "SIGKILL");
};
net.Socket.prototype.connect = refuse("net connect");
net.Server.prototype.listen = refuse("net listen");
dgram.createSocket = refuse("udp");
dns.lookup = refuse("dns lookup");
dns.promises.lookup = refuse("dns lookup");
