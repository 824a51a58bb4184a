/** The platform's idea of now: a real or given clock, which control can move forward. */
export class SandboxClock {
  readonly #baseMs: () => number;
  #advancedMs = 0;

  constructor(baseMs: () => number) {
    this.#baseMs = baseMs;
  }

  nowMs(): number {
    return this.#baseMs() + this.#advancedMs;
  }

  /** `2026-01-31T12:00:00.000Z`, at {@link nowMs}. */
  nowIso(): string {
    return new Date(this.nowMs()).toISOString();
  }

  advance(sec: number): void {
    this.#advancedMs += sec * 1000;
  }
}
