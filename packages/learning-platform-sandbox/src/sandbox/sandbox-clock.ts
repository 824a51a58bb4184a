/** The platform's clock. Control can move it forward. */
export class SandboxClock {
  readonly #baseMs: () => number;
  #advancedMs = 0;

  constructor(baseMs: () => number) {
    this.#baseMs = baseMs;
  }

  nowMs(): number {
    return this.#baseMs() + this.#advancedMs;
  }

  /** {@link nowMs} as `2026-01-31T12:00:00.000Z`. */
  nowIso(): string {
    return new Date(this.nowMs()).toISOString();
  }

  advance(sec: number): void {
    this.#advancedMs += sec * 1000;
  }

  snapshot() {
    return { advancedMs: this.#advancedMs };
  }

  restore({ advancedMs }: ReturnType<SandboxClock['snapshot']>): void {
    this.#advancedMs = advancedMs;
  }
}
