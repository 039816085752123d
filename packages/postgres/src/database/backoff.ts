import { setTimeout as sleep } from 'node:timers/promises'

export interface RetryTools {
  random(): number
  wait(time: number): Promise<unknown>
}

export const RETRY_TOOLS: RetryTools = { random: Math.random, wait: (time) => sleep(time) }

/** Maximum attempts of a transaction after contention or a broken connection. */
export const MAX_TRIES = 6

const FIRST_PAUSE = 50
const LAST_PAUSE = 1_000

/** Doubles with each attempt, from 1, with a random share so that contenders do not retry together. */
export function pauseAfter(tries: number, random: () => number): number {
  return Math.ceil((0.5 + random() / 2) * Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1)))
}
