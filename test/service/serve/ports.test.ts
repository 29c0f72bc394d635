import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { closeWithin, freePort, listen } from "../../../src/service/serve/ports.ts";
import { startService, stopServices } from "../service.ts";

afterAll(stopServices);

test("a stalled client does not delay the shutdown", async () => {
  const { app } = await startService({ settings: { open: true } });
  const address = new URL(await listen(app, { host: "127.0.0.1", port: 0 }));
  const socket = connect(Number(address.port), "127.0.0.1");
  await once(socket, "connect");
  const requestReceived = once(app.server, "request");
  socket.write("POST /v1/batch HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{");
  await requestReceived;
  const closed = once(socket, "close");
  await closeWithin(app, 1);
  await closed;
});

test("a free port can be listened on", async () => {
  const { app } = await startService();
  const port = await freePort("127.0.0.1");
  expect(await listen(app, { host: "127.0.0.1", port })).toBe(`http://127.0.0.1:${port}`);
});
