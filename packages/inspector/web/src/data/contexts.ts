import type { ViewMessage, ViewRequest } from '../../../src/view/session-view.ts'

/** One line of a context, seen against the context of the request before. */
export type ContextLine =
  | { readonly type: 'kept'; readonly index: number }
  | { readonly type: 'added'; readonly index: number }
  /** Stands where `before` stood: another version of the same thing. */
  | { readonly type: 'changed'; readonly index: number; readonly before: number }
  /** Messages that stood here and are gone. */
  | { readonly type: 'removed'; readonly indexes: readonly number[] }

/** The changes in the order of the new context; what is gone stands where it stood. Linear in both contexts. */
export function contextChange(
  before: readonly number[],
  after: readonly number[],
  messages: readonly ViewMessage[],
): readonly ContextLine[] {
  const now = new Set(after)
  const places = new Map(before.map((index, place) => [index, place]))
  const versions = pairVersions(
    before.filter((index) => !now.has(index)),
    after.filter((index) => !places.has(index)),
    messages,
  )
  const replaced = new Set(versions.values())
  const lines: ContextLine[] = []
  let next = 0
  const takeRemoved = (until: number) => {
    const indexes = before.slice(next, until).filter((index) => !now.has(index) && !replaced.has(index))
    if (indexes.length > 0) lines.push({ type: 'removed', indexes })
    next = Math.max(next, until)
  }
  for (const index of after) {
    const place = places.get(index)
    const version = versions.get(index)
    const stood = place ?? (version === undefined ? undefined : places.get(version))
    takeRemoved(stood ?? endOfGone(before, next, now))
    if (stood !== undefined) next = Math.max(next, stood + 1)
    if (place !== undefined) lines.push({ type: 'kept', index })
    else if (version !== undefined) lines.push({ type: 'changed', index, before: version })
    else lines.push({ type: 'added', index })
  }
  takeRemoved(before.length)
  return lines
}

/** Where the messages end that are gone: they are told of before what came in their place. */
function endOfGone(before: readonly number[], from: number, now: ReadonlySet<number>): number {
  let end = from
  for (let index = before[end]; index !== undefined && !now.has(index); index = before[end]) end += 1
  return end
}

/** From each message that is new to the one that is gone and that it is another version of. */
function pairVersions(
  gone: readonly number[],
  fresh: readonly number[],
  messages: readonly ViewMessage[],
): ReadonlyMap<number, number> {
  const waiting = new Map<string, number[]>()
  for (const index of gone) {
    const key = versionKey(messages[index])
    if (!key) continue
    const queue = waiting.get(key)
    if (queue) queue.push(index)
    else waiting.set(key, [index])
  }
  const pairs = new Map<number, number>()
  for (const index of fresh) {
    const before = waiting.get(versionKey(messages[index]) ?? '')?.shift()
    if (before !== undefined) pairs.set(index, before)
  }
  return pairs
}

/** Two versions of a message share the use that an engine makes of it, or the place in the transcript. */
function versionKey(message: ViewMessage | undefined): string | undefined {
  if (!message) return undefined
  if (message.kind !== 'message' && message.kind !== 'shortened') return message.kind
  return message.seq === null ? undefined : `place ${message.seq}`
}

export function countChanges(lines: readonly ContextLine[], messages: readonly ViewMessage[]) {
  const tokens = (index: number) => messages[index]?.tokens ?? 0
  let [kept, added, changed, removed, addedTokens, removedTokens] = [0, 0, 0, 0, 0, 0]
  for (const line of lines) {
    switch (line.type) {
      case 'kept':
        kept += 1
        break
      case 'removed':
        removed += line.indexes.length
        for (const index of line.indexes) removedTokens += tokens(index)
        break
      case 'added':
        added += 1
        addedTokens += tokens(line.index)
        break
      case 'changed':
        changed += 1
        addedTokens += tokens(line.index)
        removedTokens += tokens(line.before)
        break
    }
  }
  return { kept, added, changed, removed, addedTokens, removedTokens }
}

/** A whole context is kept for every so many requests; those between are walked to from there. */
const CHECKPOINT_EVERY = 64

type ContextAt = (index: number) => readonly number[]

type Change = Pick<ViewRequest, 'kept' | 'added'>

/** Makes the contexts of a session readable in any order: each costs at most `CHECKPOINT_EVERY` steps. */
export function createContextAt(requests: readonly Change[]): ContextAt {
  const checkpoints: (readonly number[])[] = []
  const current: number[] = []
  for (const [index, request] of requests.entries()) {
    step(current, request)
    if (index % CHECKPOINT_EVERY === 0) checkpoints.push([...current])
  }
  return (index) => {
    const checkpoint = checkpoints[Math.floor(index / CHECKPOINT_EVERY)]
    if (!checkpoint || index >= requests.length) return []
    const context = [...checkpoint]
    const from = Math.floor(index / CHECKPOINT_EVERY) * CHECKPOINT_EVERY + 1
    for (const request of requests.slice(from, index + 1)) step(context, request)
    return context
  }
}

function step(context: number[], { kept, added }: Change): void {
  context.length = Math.min(context.length, kept)
  for (const index of added) context.push(index)
}

export type ContextRow =
  | {
      readonly type: 'message'
      readonly key: string
      readonly index: number
      readonly change: 'kept' | 'added' | 'changed' | 'removed'
      readonly before?: number
    }
  | {
      readonly type: 'run'
      readonly key: string
      readonly change: 'kept' | 'removed'
      readonly indexes: readonly number[]
      readonly isOpen: boolean
    }

interface ContextRowsOptions {
  readonly onlyChanges: boolean
  readonly open: ReadonlySet<string>
}

export function contextRows(
  lines: readonly ContextLine[],
  { onlyChanges, open }: ContextRowsOptions,
): readonly ContextRow[] {
  const rows: ContextRow[] = []
  let kept: number[] = []
  const addRun = (change: 'kept' | 'removed', indexes: readonly number[]) => {
    if (indexes.length === 0) return
    const key = `${change} ${indexes[0]}`
    const isOpen = open.has(key)
    rows.push({ type: 'run', key, change, indexes, isOpen })
    if (!isOpen) return
    for (const index of indexes)
      rows.push({ type: 'message', key: `${change} message ${index}`, index, change })
  }
  for (const line of lines) {
    if (line.type === 'kept' && onlyChanges) {
      kept.push(line.index)
      continue
    }
    addRun('kept', kept)
    kept = []
    if (line.type === 'removed') addRun('removed', line.indexes)
    else {
      const before = line.type === 'changed' ? { before: line.before } : {}
      rows.push({
        type: 'message',
        key: `message ${line.index}`,
        index: line.index,
        change: line.type,
        ...before,
      })
    }
  }
  addRun('kept', kept)
  return rows
}
