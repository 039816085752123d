import { type CompletionModel, createContextSession, type SessionEvent } from '@palimpsest/core'
import lcm from '@palimpsest/lcm'
import { describe, expect, test } from 'vitest'
import { Conversation } from '../src/conversation.ts'
import { createConversations } from '../src/conversations.ts'
import { createHostEngine } from '../src/create-host-engine.ts'

/** A question and an answer of about 1,000 tokens each. */
const turn = (number: number) => [
  { role: 'user', content: `Question ${number} ${'12345 '.repeat(700)}`, timestamp: number },
  {
    role: 'assistant',
    content: [{ type: 'text', text: `Answer ${number} ${'12345 '.repeat(700)}` }],
    timestamp: number,
  },
]
const HISTORY = [1, 2, 3, 4, 5, 6, 7, 8].flatMap(turn)
const OVERFLOW = { trigger: 'overflow' }
const NAME = { sessionId: 'one', sessionKey: 'agent:main:one' }

/** The call before a turn's first request, and the one before each request. */
const preflight = (messages: typeof HISTORY, tokenBudget = 30_000) => ({
  ...{ ...NAME, messages, tokenBudget, model: 'large' },
  runtimeSettings: { limits: { promptTokenBudget: tokenBudget, maxOutputTokens: 4_000 } },
})
const inLoop = (messages: typeof HISTORY, tokenBudget: number) => ({
  ...{ ...NAME, messages, tokenBudget, model: 'large' },
  runtimeSettings: { limits: { promptTokenBudget: 60_000, maxOutputTokens: null } },
})

function begin(open: () => ReturnType<typeof createContextSession> = openLcm) {
  const events: SessionEvent[] = []
  const opened: ReturnType<typeof createContextSession>[] = []
  const warnings: string[] = []
  const conversations = createConversations(() => {
    const session = open()
    opened.push(session)
    session.subscribe((event) => events.push(event))
    return new Conversation(session)
  })
  const engine = () =>
    createHostEngine({ id: 'palimpsest', name: 'P', conversations, warn: (text) => warnings.push(text) })
  return { engine, opened, events, warnings }
}

/** Answers from the second call on. The first one ends with its signal. */
function stallingModel() {
  const asked = Promise.withResolvers<void>()
  let calls = 0
  const model: CompletionModel = {
    name: 'stalls',
    async complete({ signal }) {
      if (calls++ > 0) return { text: '## Goal\nNumbers.', finishReason: 'stop' }
      asked.resolve()
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    },
  }
  return { model, asked: asked.promise }
}

const openLcm = () => createContextSession({ engine: lcm, contextLength: 100_000 })

describe('an engine as OpenClaw drives it', () => {
  test('a turn that is over ends its compaction, and the next turn goes on', async () => {
    const { model, asked } = stallingModel()
    const { engine, warnings } = begin(() =>
      createContextSession({ engine: lcm, contextLength: 100_000, model }),
    )
    const turn = engine()
    const shown = turn.assemble(preflight(HISTORY, 8_000))
    await asked
    await turn.dispose()
    expect((await shown).messages).toEqual(HISTORY)
    expect(warnings).toEqual([])
    expect((await engine().assemble(preflight(HISTORY, 8_000))).estimatedTokens).toBeLessThan(8_000)
  })

  test('a history gets smaller in a tool loop by what the results take, and is kept whole', async () => {
    const { engine, opened, events } = begin()
    const turn = engine()
    const first = await turn.assemble(preflight(HISTORY))
    expect(first.messages).toEqual(HISTORY)
    const same = await turn.assemble(inLoop(first.messages as typeof HISTORY, 59_000))
    expect(same.messages).toEqual(HISTORY)
    const small = await turn.assemble(inLoop(first.messages as typeof HISTORY, 38_000))
    expect(small.estimatedTokens).toBeLessThan(30_000 - 21_000)
    const echo = structuredClone(first.messages) as typeof HISTORY
    expect((await turn.assemble(inLoop(echo, 37_900))).messages).toEqual(small.messages)
    expect(opened[0]?.transcript).toHaveLength(HISTORY.length)
    expect(events.filter(({ type }) => type === 'edited')).toEqual([])
  })

  test('a copy of a conversation for a task of OpenClaw’s own is shown as the conversation, and is not opened', async () => {
    const { engine, opened } = begin()
    const shown = await engine().assemble(preflight(HISTORY, 9_000))
    const copy = { ...preflight([...HISTORY], 9_000), sessionId: 'internal-session-effects-7' }
    expect((await engine().assemble(copy)).messages).toEqual(shown.messages)
    expect((await engine().assemble({ ...copy, messages: [...turn(9)] })).messages).toEqual(turn(9))
    await engine().commitTurn({ ...copy, advancementKey: 'k' })
    expect(opened).toHaveLength(1)
  })

  test.each([
    ['is larger than the window', { currentTokenCount: 40_001 }],
    ['does not fit a window that is smaller', { currentTokenCount: 20_000, runtimeContext: OVERFLOW }],
  ])('a refused prompt gets smaller, and stays so: it %s', async (_, refusal) => {
    const turn = begin().engine()
    const { estimatedTokens } = await turn.assemble(preflight(HISTORY))
    const { ok, compacted, result } = await turn.compact({ ...NAME, tokenBudget: 40_000, ...refusal })
    expect([ok, compacted, result?.tokensBefore]).toEqual([true, true, estimatedTokens])
    const again = await turn.assemble(preflight(HISTORY))
    expect(again.estimatedTokens).toBeLessThanOrEqual(estimatedTokens * 0.75)
    const twice = await turn.compact({ ...NAME, tokenBudget: 40_000, ...refusal })
    expect([twice.ok, twice.compacted]).toEqual([false, false])
  })

  test('a compaction with nothing to do is no failure', async () => {
    const { engine } = begin()
    const early = { ...NAME, tokenBudget: 40_000, runtimeContext: { forceReason: 'preflight_required' } }
    const turn = engine()
    expect(await turn.compact(early)).toMatchObject({
      ok: true,
      reason: expect.stringContaining('already under target'),
    })
    const empty = await engine().compact({ ...NAME, sessionId: 'two', tokenBudget: 40_000 })
    expect(empty).toEqual({
      ok: true,
      compacted: false,
      reason: expect.stringContaining('nothing to compact'),
    })
  })

  test('an abort is thrown; any other failure is a warning, and leaves the host’s own', async () => {
    const { engine } = begin()
    await engine().assemble(preflight(HISTORY))
    const abortSignal = AbortSignal.abort(new Error('enough'))
    await expect(engine().compact({ ...NAME, tokenBudget: 1, abortSignal })).rejects.toThrow('enough')

    const broken = begin(() => {
      throw new Error('no disk')
    })
    const turn = broken.engine()
    expect(await turn.assemble(preflight(HISTORY))).toEqual({ messages: HISTORY, estimatedTokens: 0 })
    expect(await turn.compact({ ...NAME, tokenBudget: 1 })).toMatchObject({ ok: false, compacted: false })
    expect(await turn.commitTurn({ ...NAME, advancementKey: 'k', messages: HISTORY })).toEqual({
      status: 'committed',
    })
    expect(await turn.bootstrap(NAME)).toEqual({ bootstrapped: false })
    await turn.maintain(NAME)
    expect(broken.warnings).toHaveLength(5)
    expect(broken.warnings[0]).toContain('no disk')
  })

  test('a sub-agent that ended is closed', async () => {
    const { engine, opened } = begin()
    await engine().assemble(preflight(HISTORY))
    await engine().onSubagentEnded({ childSessionKey: 'agent:main:one' })
    await expect(opened[0]?.compact()).rejects.toThrow('after end()')
  })
})
