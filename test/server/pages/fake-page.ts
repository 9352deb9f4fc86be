import {onTestFinished, vi} from "vitest";

/** An element of the page, of which only the text is kept. */
class FakeElement {
  text = "";
  setAttribute(): void {}
  addEventListener(): void {}
  append(...children: (FakeElement | string)[]): void {
    this.text += children.map((child) => ` ${child instanceof FakeElement ? child.text : child}`).join("");
  }
}

/** Asks a module of the page, in a page without a map whose server replies so; returns the text that it draws, a line each part. */
export async function drawn(
  answer: (question: object) => Promise<(FakeElement | null | undefined)[]>,
  question: object,
  reply: (address: string) => Response,
): Promise<string> {
  vi.stubGlobal("Node", FakeElement);
  vi.stubGlobal("document", {createElement: () => new FakeElement()});
  vi.stubGlobal("sessionStorage", {getItem: () => null});
  vi.stubGlobal("fetch", async (address: string | URL) => {
    if (address instanceof URL) throw new Error("There is no map.");
    return reply(address);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const parts = await answer(question);
  return parts.map((each) => (each?.text ?? "").trim().replaceAll(/\s+/g, " ")).join("\n");
}
