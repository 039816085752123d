/** Remembers how a summariser fails, so that it is left alone for a while. */
export interface ModelCooldown {
  /** Failures in a row. */
  failures(): number
  /** Times in milliseconds. A cooldown is never shortened. */
  failed(now: number, cooldownMs: number): void
  succeeded(): void
  /** True while the summariser is not to be asked. */
  isCooling(now: number): boolean
}

export function createModelCooldown(): ModelCooldown {
  let failures = 0
  let coolUntil = 0
  return {
    failures: () => failures,
    failed(now, cooldownMs) {
      failures++
      coolUntil = Math.max(coolUntil, now + cooldownMs)
    },
    succeeded() {
      failures = 0
      coolUntil = 0
    },
    isCooling: (now) => now < coolUntil,
  }
}
