/** `eolgate serve`: the service, until it receives a signal to stop. */
import type { Invocation } from "../../cli/command.ts";
import { startService } from "../serve.ts";

export async function run(invocation: Invocation): Promise<number> {
  const { io } = invocation;
  const stop = io.stop();
  const running = await startService(invocation);
  io.err(`eolgate serves ${running.address}\n`);
  if (running.firstKey !== undefined) {
    io.err(
      "This is the first start. The API key below (tier enterprise) is shown only once, so store it. To create more keys, run: eolgate keys create\n",
    );
    await io.out(`${running.firstKey}\n`);
  }
  await new Promise<void>((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
  io.err("eolgate is stopping after the current requests\n");
  await running.stop();
  return 0;
}
