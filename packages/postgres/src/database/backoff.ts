import { setTimeout as sleep } from 'node:timers/promises'

/** Chance and time, for whoever wants the same twice. */
export interface RetryTools {
  /** From 0 on, below 1. */
  random(): number
  /** Milliseconds. */
  wait(time: number): Promise<unknown>
}

/** Those of the machine. */
export const RETRY_TOOLS: RetryTools = { random: Math.random, wait: (time) => sleep(time) }

/** Tries of a transaction that others got in the way of, or whose connection broke. */
export const MAX_TRIES = 6

/** Milliseconds: the longest pause behind the first try, and of all. */
const FIRST_PAUSE = 50
const LAST_PAUSE = 1_000

/** The wait after a try, from 1 on: twice as long each time, and never as long as the others. */
export function pauseAfter(tries: number, random: () => number): number {
  return Math.ceil((0.5 + random() / 2) * Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1)))
}
