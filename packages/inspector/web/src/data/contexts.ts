import type { ViewMessage, ViewRequest } from '../../../src/view/session-view.ts'

export type ContextLine =
  | { readonly type: 'kept'; readonly index: number }
  | { readonly type: 'added'; readonly index: number }
  | { readonly type: 'changed'; readonly index: number; readonly before: number }
  | { readonly type: 'removed'; readonly indexes: readonly number[] }

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

function endOfGone(before: readonly number[], from: number, now: ReadonlySet<number>): number {
  let end = from
  for (let index = before[end]; index !== undefined && !now.has(index); index = before[end]) end += 1
  return end
}

function pairVersions(
  gone: readonly number[],
  fresh: readonly number[],
  messages: readonly ViewMessage[],
): ReadonlyMap<number, number> {
  const waiting = new Map<string, number[]>()
  for (const index of gone) {
    const key = versionKey(messages[index])
    if (key) waiting.set(key, [...(waiting.get(key) ?? []), index])
  }
  const pairs = new Map<number, number>()
  for (const index of fresh) {
    const before = waiting.get(versionKey(messages[index]) ?? '')?.shift()
    if (before !== undefined) pairs.set(index, before)
  }
  return pairs
}

function versionKey(message: ViewMessage | undefined): string | undefined {
  if (!message) return undefined
  if (message.kind !== 'message' && message.kind !== 'shortened') return message.kind
  return message.seq === null ? undefined : `place ${message.seq}`
}

export function countChanges(lines: readonly ContextLine[], messages: readonly ViewMessage[]) {
  const tokens = (index: number) => messages[index]?.tokens ?? 0
  const counts = { kept: 0, added: 0, changed: 0, removed: 0, addedTokens: 0, removedTokens: 0 }
  for (const line of lines) {
    if (line.type === 'removed') {
      counts.removed += line.indexes.length
      for (const index of line.indexes) counts.removedTokens += tokens(index)
      continue
    }
    counts[line.type] += 1
    if (line.type !== 'kept') counts.addedTokens += tokens(line.index)
    if (line.type === 'changed') counts.removedTokens += tokens(line.before)
  }
  return counts
}

export function contextAt(
  requests: readonly Pick<ViewRequest, 'kept' | 'added'>[],
  request: number,
): readonly number[] {
  if (request >= requests.length) return []
  const context: number[] = []
  for (const { kept, added } of requests.slice(0, request + 1)) {
    context.length = Math.min(context.length, kept)
    for (const index of added) context.push(index)
  }
  return context
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

/** Removed messages are folded into one line, and so are unchanged ones if only changes are shown. */
export function contextRows(
  lines: readonly ContextLine[],
  onlyChanges: boolean,
  open: ReadonlySet<string>,
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
