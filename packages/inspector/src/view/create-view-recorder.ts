import {
  type ContextSession,
  equalValues,
  type HostTool,
  type Prepared,
  type PrepareOptions,
} from '@palimpsest/core'
import type { ViewDecision, ViewListDelta, ViewSummaryNode } from './session-view.ts'
import { type ViewFacts, ViewRecord } from './view-record.ts'
import { cursorOf, type ViewRecorder, type ViewRecorderInput } from './view-recorder.ts'

export function createViewRecorder(input: ViewRecorderInput): ViewRecorder {
  const { session, reader } = input
  const { id } = session
  const coalescer = createCoalescer()
  const record = new ViewRecord(input, coalescer.touch)
  const facts = createFactLog<ViewFacts>()
  session.subscribe((event) => record.event(event))
  let nodes: readonly ViewSummaryNode[] = []
  let decisions: readonly ViewDecision[] | null = null
  let asked: Promise<void> = Promise.resolve()

  const askStores = async (): Promise<void> => {
    if (reader === undefined) return
    try {
      nodes = await reader.summaryNodes()
      decisions = await reader.decisions()
    } catch (error) {
      if (record.facts.isLive) record.fail(error)
    }
  }

  const readFacts = async (): Promise<ViewFacts> => {
    asked = asked.then(askStores)
    await asked
    const own = record.facts
    const all = { ...own, summaryNodes: nodes.length > 0 ? nodes : own.summaryNodes, decisions }
    if (facts.update(all, record.revision + 1)) record.bump()
    return all
  }

  const cursor = () => cursorOf(record.revision, record)

  return {
    id,
    session: watchSession(session, record, coalescer.touch),
    pinged: (usage) => record.pinged(usage),
    summary() {
      const { title, source, engine, model, isLive, startedAt, window } = record.facts
      const last = record.requests.at(-1)
      const tokens = Object.values(last?.tokens ?? {}).reduce((sum, count) => sum + count, 0)
      const { requests, messages, compactions } = cursor()
      return {
        ...{ id, title, source, engine, model, isLive, startedAt, requests, messages, compactions },
        ...{ tokens, window },
      }
    },
    async view() {
      const all = await readFacts()
      const lists = {
        messages: [...record.messages],
        requests: [...record.requests],
        compactions: [...record.compactions],
        warnings: [...record.warnings],
      }
      return { view: { format: 1, id, ...all, ...lists }, cursor: cursor() }
    },
    async delta(since) {
      await readFacts()
      const unchanged = record.unchangedRequests(since.revision)
      const delta = {
        id,
        revision: record.revision,
        messages: rest(record.messages, since.messages),
        requests: rest(record.requests, Math.min(since.requests, unchanged)),
        compactions: rest(record.compactions, since.compactions),
        warnings: rest(record.warnings, since.warnings),
        facts: facts.since(since.revision),
      }
      return { delta, cursor: cursor() }
    },
    subscribe: coalescer.subscribe,
  }
}

function rest<T>(list: readonly T[], known: number): ViewListDelta<T> {
  const from = Math.min(known, list.length)
  return { from, items: list.slice(from) }
}

/** Facts of a view with the revision at which each of them changed last. */
function createFactLog<Facts extends object>() {
  let values: Partial<Facts> = {}
  const changedAt = new Map<string, number>()
  return {
    /** Takes over what the facts are now. Returns true when one of them changed. */
    update(facts: Partial<Facts>, revision: number): boolean {
      const known = new Map<string, unknown>(Object.entries(values))
      const changed = Object.entries(facts).filter(
        ([name, value]) => !known.has(name) || !equalValues(known.get(name), value),
      )
      for (const [name] of changed) changedAt.set(name, revision)
      if (changed.length > 0) values = { ...values, ...facts }
      return changed.length > 0
    },
    since(revision: number): Partial<Facts> {
      const { ...facts } = values
      for (const [name, at] of changedAt) if (at <= revision) Reflect.deleteProperty(facts, name)
      return facts
    },
  }
}

function createCoalescer() {
  const listeners = new Set<() => void>()
  let isWaiting = false
  const tell = (): void => {
    isWaiting = false
    for (const listener of listeners) {
      try {
        listener()
      } catch {
        // A listener's faults are its own.
      }
    }
  }
  return {
    touch(): void {
      if (isWaiting || listeners.size === 0) return
      isWaiting = true
      setImmediate(tell)
    },
    subscribe(listener: () => void): () => void {
      const own = () => listener()
      listeners.add(own)
      return () => {
        listeners.delete(own)
      }
    },
  }
}

/**
 * The same session, which tells a record of each request and answer. `touch`: only the engine knows whether something
 * changed.
 */
function watchSession(
  session: ContextSession,
  record: Pick<ViewRecord, 'request' | 'answered'>,
  touch: () => void,
): ContextSession {
  return {
    id: session.id,
    engine: session.engine,
    get transcript() {
      return session.transcript
    },
    get lastCompaction() {
      return session.lastCompaction
    },
    get stored() {
      return session.stored
    },
    async prepare(messages, options) {
      const prepared = await session.prepare(messages, options)
      record.request(prepared as Prepared, functionsOf(options) ?? [])
      return prepared
    },
    append: (messages) => session.append(messages),
    async observe(response) {
      await session.observe(response)
      record.answered(response)
    },
    async recover(error, options) {
      const prepared = await session.recover(error, options)
      record.request(prepared as Prepared, functionsOf(options))
      return prepared
    },
    callTool: (name, args, options) => session.callTool(name, args, options).finally(touch),
    answerCall: (call, options) => session.answerCall(call, options).finally(touch),
    compact: (options) => session.compact(options),
    undoCompaction: () => session.undoCompaction().finally(touch),
    updateModel: (update) => session.updateModel(update).finally(touch),
    reset: () => session.reset(),
    end: () => session.end(),
    subscribe: (listener) => session.subscribe(listener),
  }
}

function functionsOf<Tool extends HostTool>(options: PrepareOptions<Tool> | undefined) {
  return (options as PrepareOptions | undefined)?.tools
}
