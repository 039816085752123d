import { statSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import { LEAST_TURNS } from '../dialogues/run-dialogues.ts'

/** Smaller budgets do not hold a system prompt, a request and a summary, in tokens. */
const LEAST_BUDGET = 2_000
/** Smaller stores do not hold everything that is searched for, in messages. */
const LEAST_STORE = 200
/** Smaller windows do not hold the tools and a summary, in tokens. */
const LEAST_WINDOW = 50_000

/** A whole number. */
export function parseCount(text: string): number {
  if (/^[\d_]{1,15}$/.test(text)) return Number(text.replaceAll('_', ''))
  throw new InvalidArgumentError('Use whole numbers.')
}

/** How many of something of which there must be one. */
export function parseNumber(text: string): number {
  return atLeast(1, parseCount(text), 'Use 1 or more.')
}

export function parseCounts(text: string): number[] {
  return text.split(',').map(parseCount)
}

export function parseBudgets(text: string): number[] {
  const hint = `Use budgets of at least ${LEAST_BUDGET} tokens, such as 8000,16000,40000.`
  return distinct(parseCounts(text).map((budget) => atLeast(LEAST_BUDGET, budget, hint)))
}

export function parseWindows(text: string): number[] {
  const hint = `Use windows of at least ${LEAST_WINDOW} tokens.`
  return parseCounts(text).map((window) => atLeast(LEAST_WINDOW, window, hint))
}

export function parseStoreSizes(text: string): number[] {
  const hint = `Use sizes of at least ${LEAST_STORE} messages.`
  return parseCounts(text).map((size) => atLeast(LEAST_STORE, size, hint))
}

export function parseTurns(text: string): number {
  return atLeast(LEAST_TURNS, parseCount(text), `Use at least ${LEAST_TURNS} turns.`)
}

export function parseNames(text: string): string[] {
  return distinct(text.split(',').map((name) => name.trim()))
}

export function parseFolder(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return path
  if (found !== undefined) throw new InvalidArgumentError('It is a file. Name the folder that it lies in.')
  throw new InvalidArgumentError('There is no such folder. Name one that has session files in it.')
}

function atLeast(least: number, value: number, hint: string): number {
  if (value >= least) return value
  throw new InvalidArgumentError(hint)
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]
