import {
  type CompressCall,
  type ContextEngine,
  copyMessages,
  freezeMessage,
  type Message,
} from '@palimpsest/core'
import fc from 'fast-check'
import { type ContractCase, contractCase } from '../../contract-case.ts'
import { abortSoon, stallsUntilAborted } from '../../harness/abort-soon.ts'
import { tokensOf } from '../../harness/compact.ts'
import { FAILURES, type FailureKind, failureKinds, windowOf } from '../../harness/compaction-trials.ts'
import { longConversation } from '../../harness/conversations.ts'
import { type Harness, WINDOW_TOKENS } from '../../harness/create-harness.ts'
import { expectSame } from '../../harness/difference.ts'
import { conversation } from '../../harness/generated-conversations.ts'
import { halves } from '../../harness/plain-host.ts'
import { createScriptedModel, type ModelAnswer } from '../../harness/scripted-model.ts'

interface Loss {
  readonly messages: readonly Message[]
  readonly window: number
  /** The failure of the model after it has stalled. */
  readonly failure: FailureKind
}

/** A session in which everything goes wrong holds what its host said, word for word. */
async function sessionLosesNothing(harness: Harness, { messages, window, failure }: Loss): Promise<void> {
  const { model, fail } = modelThatFails(FAILURES[failure])
  const { session, engine } = harness.session({ ...windowOf(window), model })
  const [start = [], rest = []] = halves(messages)
  /** A failure in an engine does not reject a session's calls either. */
  const survives = async (name: string, call: Promise<unknown>, said: readonly Message[]) => {
    await call.catch((error: unknown) => {
      throw new Error(`${name} of a session rejected with ${String(error)}`, { cause: error })
    })
    expectSame(session.transcript, said, `after ${name} the transcript is not what the host said`)
  }

  const aborted = abortSoon((signal) => session.prepare(start, { signal }))
  await survives('an aborted prepare()', aborted, start)
  const compaction = abortSoon((signal) => session.compact({ signal }))
  await survives('an aborted compact()', compaction, start)
  fail()
  await survives('a prepare() with a failing model', session.prepare(messages), messages)
  await survives('a compact() with a failing model', session.compact(), messages)
  const bad = [...messages, null] as unknown as Message[]
  const refused = session.prepare(bad).catch(() => {})
  await survives('a prepare() of a list that holds null', refused, messages)
  if (harness.capabilities.has('lossless')) await recallsAll(harness, engine, messages, rest.length)
}

/** A model that stalls while calls are aborted, and fails from then on. */
function modelThatFails(failure: ModelAnswer) {
  let hasFailed = false
  const model = createScriptedModel([(call) => (hasFailed ? failure : stallsUntilAborted(call))])
  const fail = () => {
    hasFailed = true
  }
  return { model, fail }
}

/** An engine that stores the transcript itself has lost nothing of it either: the last messages, and some before. */
async function recallsAll(
  { target }: Harness,
  engine: ContextEngine,
  messages: readonly Message[],
  last: number,
): Promise<void> {
  const { recall } = target
  if (recall === undefined) return
  for (const [at, message] of messages.entries()) {
    if (at < messages.length - last && at % 10 !== 0) continue
    expectSame(
      JSON.parse(await recall(engine, message, at)),
      JSON.parse(JSON.stringify(message)),
      `after failures and aborts, message ${at} does not come back from the engine as it was`,
    )
  }
}

/** A host without a session gives its own list, which it could lose by a call that fails. */
async function listLosesNothing(harness: Harness, { messages, window, failure }: Loss): Promise<void> {
  const { model, fail } = modelThatFails(FAILURES[failure])
  const engine = harness.create({ ...windowOf(window), model })
  const own = structuredClone(messages) as Message[]
  const call: CompressCall = { messages: own, currentTokens: tokensOf(own), force: true }
  const expectWhole = (after: string) =>
    expectSame(own.map(said), messages.map(said), `after ${after} the host's own list has lost messages`)

  await engine.ingest({ messages: own, from: 0 })
  await abortSoon((signal) => engine.compress({ ...call, signal }))
  expectWhole('an aborted compress()')
  fail()
  await engine.compress(call)
  expectWhole('a compress() with a failing model')
}

/** The members of a message that must not be lost. Marks that an engine leaves on it are another matter. */
function said({ role, content, ...message }: Message): unknown {
  const { tool_calls, tool_call_id } = message as Readonly<Record<string, unknown>>
  return { role, content, tool_calls, tool_call_id }
}

/** Law 1. */
export const transcriptCases: readonly ContractCase[] = [
  contractCase(
    'L01',
    'law 1: failures, aborts and bad lists cost nothing of the transcript',
    async (harness) => {
      const loss = { messages: longConversation(), window: WINDOW_TOKENS, failure: 'is down' } as const
      await sessionLosesNothing(harness, loss)
      await listLosesNothing(harness, loss)
    },
  ),
  contractCase('P01', 'law 1 on generated conversations', async (harness) => {
    let tried = 0
    const losses = fc.record({
      messages: conversation({ maxTurns: 4 }).map((messages) => copyMessages(messages).map(freezeMessage)),
      window: fc.constantFrom(40, 600, 8_000),
      failure: fc.constantFrom(...failureKinds),
    })
    await harness.property(losses, async (loss) => {
      await sessionLosesNothing(harness, loss)
      await listLosesNothing(harness, loss)
      tried++
    })
    harness.note(`${tried} conversations, each with two aborts, two failures of the model and a bad list`)
  }),
]
