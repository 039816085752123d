import {
  ContextOverflowError,
  type Message,
  ModelError,
  type Prepared,
  toolTransactions,
} from '@palimpsest/core'
import fc from 'fast-check'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import type { ContractHost } from '../../contract-target.ts'
import { hostOf, MODEL_ANSWERS, messagesOf, type Trial } from '../../harness/compaction-trials.ts'
import { assistant, user } from '../../harness/conversations.ts'
import type { Harness } from '../../harness/create-harness.ts'
import { expectSame } from '../../harness/difference.ts'
import { expectValid } from '../../harness/expect-valid.ts'
import {
  createScriptedModel,
  type ModelAnswer,
  PLAUSIBLE_SUMMARY,
  STALL,
} from '../../harness/scripted-model.ts'
import { tryCompactionsWith } from '../../harness/try-compactions.ts'
import type { WatchedSession } from '../../harness/watch-session.ts'

const step = <Kind extends string, More extends object>(
  kind: Kind,
  more: { [Key in keyof More]: fc.Arbitrary<More[Key]> },
): fc.Arbitrary<{ readonly do: Kind } & More> =>
  fc.record({ do: fc.constant(kind), ...more }) as unknown as fc.Arbitrary<{ readonly do: Kind } & More>

const sessionStep = fc.oneof(
  /** Appends the next transactions of the conversation, and prepares a request. */
  { weight: 8, arbitrary: step('say', { transactions: fc.integer({ min: 1, max: 8 }) }) },
  /** An answer arrives; the provider reports the estimated prompt tokens times this, or nothing. */
  {
    weight: 4,
    arbitrary: step('observe', {
      usage: fc.constantFrom(null, 0.5, 1, 1.2, 3),
      interrupted: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: step('compact', {}) },
  /** Compacts, and aborts after this many turns of the event loop, while the model is awaited. */
  { weight: 2, arbitrary: step('abort', { ticks: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: step('model', {
      kind: fc.constantFrom('answers', 'refuses', 'is down', 'answers nonsense'),
    }),
  },
  /** Removes transactions, perhaps says something else, and prepares a request. */
  {
    weight: 3,
    arbitrary: step('edit', { transactions: fc.integer({ min: 1, max: 6 }), instead: fc.boolean() }),
  },
  /** The provider refuses the last request as too long, perhaps with its limit in tokens. */
  { weight: 2, arbitrary: step('overflow', { limit: fc.constantFrom(null, 300, 4_000) }) },
  { weight: 2, arbitrary: step('updateModel', { window: fc.constantFrom(200, 2_000, 8_000) }) },
  { weight: 1, arbitrary: step('reset', {}) },
  /** Ends the process and continues in another one on the same storage. Only for engines that persist. */
  { weight: 1, arbitrary: step('reopen', {}) },
)
type SessionStep = typeof sessionStep extends fc.Arbitrary<infer Step> ? Step : never

const sessionSteps = fc.array(sessionStep, { minLength: 1, maxLength: 14, size: '+1' })

interface Walk {
  readonly harness: Harness
  readonly host: ContractHost
  readonly model: { answer: ModelAnswer; isStalled: boolean }
  watched: WatchedSession
  heard: number
  wasCompacted: boolean
  said: readonly Message[]
  readonly left: (readonly Message[])[]
  prepared: Prepared | undefined
}

/**
 * Walks a session through steps, beside the expected transcript. After each step the transcript must match, every
 * request must be valid, and the session must not complain about its engine. Returns whether anything was compacted.
 */
async function walkSession(harness: Harness, trial: Trial, steps: readonly SessionStep[]): Promise<boolean> {
  const walk = begin(harness, trial)
  // A long conversation is sent at once, so that every engine has something to compact.
  const course: SessionStep[] = trial.isLong
    ? [{ do: 'say', transactions: walk.left.length }, { do: 'compact' }, ...steps]
    : [...steps, { do: 'say', transactions: 1 }]
  for (const [index, step] of course.entries()) {
    try {
      await take(walk, step)
      expectSame(walk.watched.session.transcript, walk.said, 'the transcript is not what the host said')
      listen(walk)
    } catch (error) {
      const found = error instanceof Error ? error.message : String(error)
      throw new Error(`step ${index + 1} of ${course.length}, ${JSON.stringify(step)}: ${found}`, {
        cause: error,
      })
    }
  }
  return walk.wasCompacted
}

function begin(harness: Harness, trial: Trial): Walk {
  const model: Walk['model'] = { answer: MODEL_ANSWERS[trial.model] ?? '', isStalled: false }
  const scripted = createScriptedModel([
    ({ signal }) => {
      if (!model.isStalled) return model.answer
      // A call without a signal could not be aborted.
      return signal === undefined ? PLAUSIBLE_SUMMARY : STALL
    },
  ])
  const host = harness.host({ ...hostOf(trial), ...(trial.model !== 'none' && { model: scripted }) })
  const messages = messagesOf(trial)
  const left = toolTransactions(messages).map(({ start, end }) => messages.slice(start, end))
  const watched = harness.session(host)
  return { harness, host, model, watched, heard: 0, wasCompacted: false, said: [], left, prepared: undefined }
}

/** Warnings about a broken invariant or engine; others are normal. */
const COMPLAINTS: ReadonlySet<string> = new Set(['invariant-violation', 'engine-failed'])

function listen(walk: Walk): void {
  const fresh = walk.watched.events.slice(walk.heard)
  walk.heard += fresh.length
  for (const event of fresh) {
    if (event.type === 'compaction' && event.committed) walk.wasCompacted = true
    if (event.type === 'warning' && COMPLAINTS.has(event.warning.code))
      throw new Error(`the session warns: ${event.warning.message}`)
  }
}

async function take(walk: Walk, step: SessionStep): Promise<unknown> {
  const { session } = walk.watched
  switch (step.do) {
    case 'say':
      return goOn(walk, nextOf(walk, step.transactions))
    case 'observe':
      return observe(walk, step)
    case 'compact':
      return session.compact()
    case 'abort':
      return abort(walk, step.ticks)
    case 'model':
      walk.model.answer = MODEL_ANSWERS[step.kind]
      return
    case 'edit':
      return edit(walk, step)
    case 'overflow':
      return overflow(walk, step.limit)
    case 'updateModel':
      return session.updateModel({ contextLength: step.window })
    case 'reset':
      return reset(walk)
    case 'reopen':
      return reopen(walk)
  }
}

/** Sends the whole list, or every other time appends, like a host that keeps no list. */
async function goOn(walk: Walk, messages: readonly Message[]): Promise<void> {
  const { session } = walk.watched
  if (walk.said.length % 2 === 0) return say(walk, messages)
  walk.said = [...walk.said, ...messages]
  await session.append(messages)
  walk.prepared = await session.prepare()
  expectValid(walk.prepared.messages, walk.said)
}

async function say(walk: Walk, messages: readonly Message[]): Promise<void> {
  walk.said = [...walk.said, ...messages]
  await prepare(walk)
}

async function prepare(walk: Walk): Promise<void> {
  walk.prepared = await walk.watched.session.prepare(walk.said)
  expectValid(walk.prepared.messages, walk.said)
}

function nextOf({ left, said }: Walk, transactions: number): readonly Message[] {
  const next = left.splice(0, transactions).flat()
  return next.length > 0 ? next : [user(`Go on, please (${said.length}).`)]
}

async function observe(
  { watched, prepared, said }: Walk,
  { usage, interrupted }: Extract<SessionStep, { do: 'observe' }>,
): Promise<void> {
  const promptTokens = Math.round((prepared?.tokens ?? 0) * (usage ?? 0))
  const reported = { promptTokens, completionTokens: 20, totalTokens: promptTokens + 20 }
  const message = assistant(`Done with what was said in ${said.length} messages.`)
  await watched.session.observe({ message, usage: usage === null ? null : reported, interrupted })
}

async function abort({ model, watched }: Walk, ticks: number): Promise<void> {
  const controller = new AbortController()
  const reason = new Error('aborted by the contract suite')
  model.isStalled = true
  const pending = watched.session.compact({ signal: controller.signal }).catch((error: unknown) => {
    if (error !== reason) throw error
  })
  // Settled later, and not unhandled until then.
  pending.catch(() => {})
  for (let tick = 0; tick < ticks; tick++) await new Promise(setImmediate)
  controller.abort(reason)
  await pending
  model.isStalled = false
}

async function edit(
  walk: Walk,
  { transactions, instead }: Extract<SessionStep, { do: 'edit' }>,
): Promise<void> {
  const spans = toolTransactions(walk.said)
  // The start stays: without it the conversation would be another one.
  const cut = spans[Math.max(1, spans.length - transactions)]?.start
  if (cut === undefined) return
  walk.said = walk.said.slice(0, cut)
  await say(walk, instead ? [user(`Rather something else than message ${cut}.`)] : [])
}

async function overflow(walk: Walk, limit: number | null): Promise<void> {
  if (walk.said.length === 0) return
  const error = new ModelError('context-overflow', 'the prompt is too long', {
    ...(limit !== null && { contextLength: limit }),
  })
  try {
    walk.prepared = await walk.watched.session.recover(error)
    expectValid(walk.prepared.messages, walk.said)
  } catch (refused) {
    // The session may find that nothing can be done.
    if (!ContextOverflowError.isInstance(refused)) throw refused
  }
}

async function reset(walk: Walk): Promise<void> {
  await walk.watched.session.reset()
  walk.said = []
  walk.prepared = undefined
  // A new conversation starts with a user message.
  while (walk.left.length > 0 && walk.left[0]?.[0]?.role !== 'user') walk.left.shift()
}

async function reopen(walk: Walk): Promise<void> {
  if (!walk.harness.capabilities.has('persistence')) return
  await walk.watched.session.end()
  listen(walk)
  walk.watched = walk.harness.reopenSession(walk.host)
  walk.heard = 0
  await prepare(walk)
}

export const sessionCases: readonly ContractCase[] = [
  contractCase(
    'P12',
    'random sequences of session calls: the transcript is complete, and every request is valid',
    (harness) =>
      tryCompactionsWith(harness, sessionSteps, (trial, steps) => walkSession(harness, trial, steps)),
  ),
]
