import { shorten } from '../text/shorten.ts'
import { type Item, quote, turnMark } from './item.ts'
import { failureText, runStatus } from './run-status.ts'
import type { Run, Walk } from './walk-messages.ts'

/** Commands that are run again until they succeed; a failure of one stands until then. */
const CHECK =
  /\b(?:test|tests|spec|check|lint|build|compile|tsc|typecheck|vitest|jest|pytest|mocha|rspec|cargo|make|gradle|mvn|mix|go (?:test|build|vet)|deploy|push|publish|install|migrate|release|start|dev|up)\b/i
/** A failure stands as long as it is among the last runs: what nobody returned to for longer was given up. */
const RECENT_RUNS = 12
const RECENT_CHECK_RUNS = 60
const BLOCKING_TURNS = 10
const MAX_FIXING_FILES = 4

interface Failure {
  last: Run
  count: number
  /** The first run afterwards that did the same and succeeded. */
  success: Run | undefined
}

/** The failures of a transcript: those that were answered and what was edited before, and those that stand. */
export function failureItems(walk: Walk, previousBlocked: readonly Item[]): Item[] {
  const failures = collect(walk.runs)
  const lastTurn = walk.turnNumbers.at(-1) ?? -1
  const earlier = previousBlocked.map((item) => outdatedBlock(answeredBlock(item, walk.runs), lastTurn))
  const items = [...earlier, ...reportedErrors(walk)]
  for (const failure of failures) {
    const { last, success, count } = failure
    const error = failureText(last)
    const check = last.call.kind === 'shell' && CHECK.test(last.call.label)
    // Nobody knows what went wrong, or whether it was meant to.
    if (error === '' && !check && success === undefined) continue
    const times = count > 1 ? ` ${count} times` : ''
    const what = `${turnMark(last.turn)}${last.call.label} failed${times}${error === '' ? '' : `: ${quote(error)}`}`
    if (success !== undefined) {
      // A refused edit that was then made says nothing that lasts.
      if (last.call.kind === 'file') continue
      const edited = filesBetween(walk.runs, last.index, success.index)
      const fix = edited === '' ? '' : ` after edits to ${edited}`
      items.push({
        slot: 'Errors & Fixes',
        text: `${what}; succeeded${atTurn(success)}${fix}`,
        turn: last.turn,
        weight: 0.6 + (fix === '' ? 0 : 0.3),
      })
      continue
    }
    const stands = last.index >= walk.runs.length - (check ? RECENT_CHECK_RUNS : RECENT_RUNS)
    items.push(
      stands
        ? {
            slot: 'Blocked',
            text: `${what}; no success seen since`,
            turn: last.turn,
            weight: Math.min(1, 0.5 + 0.1 * count),
          }
        : {
            slot: 'Errors & Fixes',
            text: what,
            turn: last.turn,
            weight: error === '' ? 0.2 : check ? 0.6 : 0.45,
          },
    )
  }
  return items
}

function collect(runs: readonly Run[]): Failure[] {
  // Every failure stands under its key and under the first words of it: a run without the narrowing
  // arguments covers a run with them, so that "npm test" answers "npm test -- a.test.ts".
  const standing = new Map<string, Map<string, Failure>>()
  const all: Failure[] = []
  for (const run of runs) {
    const status = runStatus(run)
    if (status === 'no result') continue
    const { key } = run.call
    const known = standing.get(key)
    if (status === 'ok') {
      for (const [failedKey, failure] of [...(known ?? []), ...partsOf(key, standing)]) {
        failure.success = run
        for (const prefix of prefixes(failedKey)) standing.get(prefix)?.delete(failedKey)
      }
      continue
    }
    const same = known?.get(key)
    if (same !== undefined) {
      same.last = run
      same.count++
      continue
    }
    const failure: Failure = { last: run, count: 1, success: undefined }
    all.push(failure)
    for (const prefix of prefixes(key)) {
      const group = standing.get(prefix)
      if (group === undefined) standing.set(prefix, new Map([[key, failure]]))
      else group.set(key, failure)
    }
  }
  return all
}

/** "test a.test.ts b.test.ts" answers "test a.test.ts", which names one of its files. */
function partsOf(
  key: string,
  standing: ReadonlyMap<string, ReadonlyMap<string, Failure>>,
): [string, Failure][] {
  return prefixes(key).flatMap((prefix): [string, Failure][] => {
    const failure = prefix !== key && /[/.]\S*$/.test(prefix) ? standing.get(prefix)?.get(prefix) : undefined
    return failure === undefined ? [] : [[prefix, failure]]
  })
}

function prefixes(key: string): string[] {
  const list = [key]
  for (let at = key.indexOf(' ', 6); at !== -1 && list.length < 16; at = key.indexOf(' ', at + 1))
    list.push(key.slice(0, at))
  return list
}

function filesBetween(runs: readonly Run[], from: number, to: number): string {
  const names = new Set<string>()
  for (const run of runs.slice(from + 1, to))
    for (const { path, operation } of run.call.files)
      if (operation !== 'read' && operation !== 'searched' && runStatus(run) === 'ok')
        names.add(path.slice(path.lastIndexOf('/') + 1))
  const list = [...names]
  const more = list.length > MAX_FIXING_FILES ? ` and ${list.length - MAX_FIXING_FILES} more` : ''
  return list.slice(0, MAX_FIXING_FILES).join(', ') + more
}

function atTurn({ turn }: Run): string {
  return turn < 1 ? ' later' : ` at t${turn}`
}

function reportedErrors({ turns }: Walk): Item[] {
  return turns.flatMap(({ number, user }) =>
    user.errors.slice(0, 2).map((error): Item => {
      const text = `${turnMark(number)}user reported: ${quote(shorten(error, 220))}`
      return { slot: 'Errors & Fixes', text, turn: number, weight: 0.8 }
    }),
  )
}

/** A block of an earlier summary whose command has succeeded by now is an answered error. */
function answeredBlock(item: Item, runs: readonly Run[]): Item {
  const label = /(`[^`]+`) failed/.exec(item.text)?.[1]
  const success =
    label === undefined ? undefined : runs.find((run) => run.call.label === label && runStatus(run) === 'ok')
  if (success === undefined) return item
  const text = `${item.text.replace(/; no success seen since$/, '')}; succeeded${atTurn(success)}`
  return { ...item, slot: 'Errors & Fixes', text, weight: 0.6 }
}

/** A block that nobody returned to for many turns is history. */
function outdatedBlock(item: Item, lastTurn: number): Item {
  if (item.slot !== 'Blocked' || item.turn < 0 || item.turn >= lastTurn - BLOCKING_TURNS) return item
  return { ...item, slot: 'Errors & Fixes', weight: 0.4 }
}
