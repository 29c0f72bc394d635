/** A person who moves by Tab only. Counts what they do besides: a key press that acts, a text, a file. */
import type { Page } from "playwright-core";

export class Keyboard {
  steps = 0;
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Tabs until the element with this name is focused. */
  async reach(name: string): Promise<void> {
    for (let tabs = 0; tabs < 400; tabs += 1) {
      await this.page.keyboard.press("Tab");
      if ((await this.focusedName()) === name) return;
    }
    throw new Error(`${name} cannot be reached by Tab`);
  }
  /** Undefined while the page is replaced by the next one. */
  private async focusedName(): Promise<string | undefined> {
    try {
      return await this.page.evaluate<string>(
        `(() => { const e = document.activeElement; return (e.labels?.[0] ?? e).textContent.trim(); })()`,
      );
    } catch (error) {
      if (!String(error).includes("Execution context was destroyed")) throw error;
      await this.page.waitForLoadState();
      return undefined;
    }
  }

  async press(name: string): Promise<void> {
    await this.reach(name);
    await this.page.keyboard.press("Enter");
    this.steps += 1;
  }
  async type(name: string, text: string): Promise<void> {
    await this.reach(name);
    await this.page.keyboard.type(text);
    this.steps += 1;
  }
}
